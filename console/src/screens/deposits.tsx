import { useState } from 'react'
import { Badge, DateTime, Field, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { usePagedList } from '../resource.ts'
import { linkTo } from '../route.ts'

export type Deposit = {
  paymentId: string
  customerId: string
  amount: string
  currency: string
  state: string
  fault?: string | null
  createdAt: string
}

const STATES = ['AUTHORISING', 'AUTHORISED', 'CAPTURED', 'DECLINED', 'VOIDING', 'VOIDED', 'REVIEW']

export function DepositsScreen({ query }: { query: URLSearchParams }) {
  const filters = new URLSearchParams()
  for (const name of ['customerId', 'state']) {
    const value = query.get(name)
    if (value) filters.set(name, value)
  }
  const list = usePagedList<Deposit>(filters.size === 0 ? '/deposits' : `/deposits?${filters}`)
  return (
    <>
      <ScreenHeader title="Deposits" />
      <Filters query={filters} />
      {list.items.length > 0 && <DepositTable items={list.items} />}
      {list.items.length === 0 && !list.loading && !list.refusal && <p className="empty">No deposit fits.</p>}
      <LoadMore list={list} />
    </>
  )
}

function Filters({ query }: { query: URLSearchParams }) {
  const [customerId, setCustomerId] = useState(query.get('customerId') ?? '')
  const [state, setState] = useState(query.get('state') ?? '')

  function apply(): void {
    const next = new URLSearchParams()
    if (customerId.trim() !== '') next.set('customerId', customerId.trim())
    if (state !== '') next.set('state', state)
    location.hash = next.size === 0 ? linkTo('deposits') : `${linkTo('deposits')}?${next}`
  }

  return (
    <form
      className="panel inline"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Field label="Customer id">
        {(ids) => (
          <input
            {...ids}
            inputMode="numeric"
            value={customerId}
            onChange={(event) => setCustomerId(event.target.value)}
          />
        )}
      </Field>
      <Field label="State">
        {(ids) => (
          <select {...ids} value={state} onChange={(event) => setState(event.target.value)}>
            <option value="">any</option>
            {STATES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" className="primary">
        Filter
      </button>
    </form>
  )
}

function DepositTable({ items }: { items: Deposit[] }) {
  return (
    <DataTable
      label="Deposits"
      columns={['Payment', 'When', 'Customer', 'Amount', 'State']}
      rows={items.map((one) => ({
        key: one.paymentId,
        cells: [
          <a key="payment" href={linkTo('deposits', one.paymentId)}>
            <code>{one.paymentId}</code>
          </a>,
          <DateTime key="when" at={one.createdAt} />,
          <a key="customer" href={linkTo('customers', one.customerId)}>
            {one.customerId}
          </a>,
          `${one.amount} ${one.currency}`,
          <DepositState key="state" deposit={one} />,
        ],
      }))}
    />
  )
}

const LOOKS: Record<string, 'good' | 'bad' | 'warn'> = {
  CAPTURED: 'good',
  AUTHORISED: 'good',
  DECLINED: 'bad',
  REVIEW: 'warn',
}

export function DepositState({ deposit: { state, fault } }: { deposit: Deposit }) {
  return (
    <span>
      <Badge look={LOOKS[state] ?? 'plain'}>{state}</Badge> {fault && <span className="quiet">{fault}</span>}
    </span>
  )
}
