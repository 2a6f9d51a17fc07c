import { useState } from 'react'
import type { Deposit } from '../../../src/operator/api-types.ts'
import { Badge, DateTime, ScreenHeader } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { usePagedList } from '../resource.ts'
import { linkTo } from '../route.ts'

const STATES: readonly Deposit['state'][] = [
  'AUTHORISING',
  'AUTHORISED',
  'CAPTURED',
  'DECLINED',
  'VOIDING',
  'VOIDED',
  'REVIEW',
]
const STATE_OPTIONS = [{ value: '', label: 'any' }, ...STATES.map((state) => ({ value: state, label: state }))]

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
      {list.items.length === 0 && !list.loading && !list.refusal && <p className="empty">No matching deposits</p>}
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
      <TextField label="Customer ID" value={customerId} onChange={setCustomerId} inputMode="numeric" />
      <SelectField label="State" value={state} onChange={setState} options={STATE_OPTIONS} />
      <button type="submit" className="primary">
        Filter
      </button>
    </form>
  )
}

function DepositTable({ items }: { items: readonly Deposit[] }) {
  return (
    <DataTable
      label="Deposits"
      columns={['Payment', 'Time', 'Customer', 'Amount', 'State']}
      rows={items.map((one) => ({
        key: one.paymentId,
        cells: [
          <a key="payment" href={linkTo('deposits', one.paymentId)}>
            <code>{one.paymentId}</code>
          </a>,
          <DateTime key="time" at={one.createdAt} />,
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

const LOOKS: Partial<Record<Deposit['state'], 'good' | 'bad' | 'warn'>> = {
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
