import { useState } from 'react'
import { linkTo } from '../../../web/route.ts'
import { useResource } from '../api/resource.ts'
import { ActionForm } from '../parts/action.tsx'
import { DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { TextField } from '../parts/fields.tsx'
import { Id } from '../parts/id.tsx'
import { useNotice } from '../parts/notices.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { CardName } from '../wallets/card-name.tsx'
import { Debt } from '../wallets/debt.tsx'
import { RefundsOf } from '../wallets/deposit-refunds.tsx'
import { DepositState } from '../wallets/deposits-screen.tsx'
import { DisputesOf } from '../wallets/disputes-screen.tsx'
import { MoneyOut } from '../wallets/money-out.tsx'
import { CustomerCards } from './cards.tsx'
import styles from './money.module.css'
import { OwnLimits } from './own-limits.tsx'
import type { CustomerProps } from './props.ts'
import { LatestLines } from './statement.tsx'

export function CustomerMoney({ customer, onChanged, reload }: CustomerProps) {
  const may = usePermission()
  return (
    <>
      <Limit key={customer.dailyDepositLimit} customer={customer} onChanged={onChanged} />
      <OwnLimits customer={customer} onChanged={onChanged} />
      {may('listPaymentMethods') && <CustomerCards id={customer.id} currency={customer.currency} />}
      <Debt key={customer.debt} customer={customer} onChanged={reload} />
      {may('readWithdrawalOptions') && <MoneyOut customer={customer} onChanged={reload} />}
      {may('listDeposits') && <LatestDeposits id={customer.id} />}
      {may('listRefunds') && <RefundsOf customerId={customer.id} />}
      {may('listDisputes') && <DisputesOf query={{ customerId: customer.id }} />}
      {may('readCustomerStatement') && <LatestLines id={customer.id} />}
    </>
  )
}

function Limit({ customer, onChanged }: Pick<CustomerProps, 'customer' | 'onChanged'>) {
  const may = usePermission()
  const { currency, dailyDepositLimit, dailyDepositLimitInForce, depositedToday, depositableToday } = customer
  const own = dailyDepositLimit === null ? 'the limit of the service' : 'the customer’s own limit'
  return (
    <section className="panel" aria-labelledby="deposit-limit">
      <h2 id="deposit-limit">Deposit limit</h2>
      <p>
        <strong>
          {depositedToday} of {dailyDepositLimitInForce} {currency}
        </strong>{' '}
        deposited today (UTC), {own}. {depositableToday} {currency} of it are left
        {customer.limits.length > 0 && ', if the customer’s own limits below leave as much'}.
      </p>
      <meter
        className={styles.limitMeter}
        aria-label="Deposited today"
        min={0}
        max={Math.max(Number(dailyDepositLimitInForce), 0.01)}
        value={Number(depositedToday)}
      />
      {may('putCustomer') && <LimitForm customer={customer} onChanged={onChanged} />}
    </section>
  )
}

function LimitForm({
  customer: { id, currency, dailyDepositLimit },
  onChanged,
}: Pick<CustomerProps, 'customer' | 'onChanged'>) {
  const { api } = useSession()
  const notify = useNotice()
  const [limit, setLimit] = useState(dailyDepositLimit ?? '')
  const wanted = limit.trim()
  const inWords = (value: string | null) =>
    value === null || value === '' ? 'the limit of the service' : `${value} ${currency}`
  const confirmation = {
    title: `Change the daily deposit limit of customer ${id}?`,
    action: 'Change limit',
    text: `From ${inWords(dailyDepositLimit)} to ${inWords(wanted)}. It applies from the next deposit on.`,
  }

  async function save(): Promise<void> {
    onChanged(await api('putCustomer', { id, body: { dailyDepositLimit: wanted === '' ? null : wanted } }))
    notify('Deposit limit changed.')
  }

  return (
    <ActionForm className="inline" action={save} confirmation={confirmation}>
      {(busy) => (
        <>
          <TextField
            label={`Daily limit in ${currency}`}
            placeholder="the service’s limit"
            value={limit}
            onChange={setLimit}
            inputMode="decimal"
            autoComplete="off"
          />
          <button type="submit" className="primary" disabled={busy || wanted === (dailyDepositLimit ?? '')}>
            Change limit …
          </button>
        </>
      )}
    </ActionForm>
  )
}

const LATEST = 10

function LatestDeposits({ id }: { id: string }) {
  const deposits = useResource('listDeposits', { query: { customerId: id, limit: LATEST } })
  return (
    <section className="panel" aria-labelledby="latest-deposits">
      <h2 id="latest-deposits">Latest deposits</h2>
      <ResourceView resource={deposits}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">No deposits.</p>
          ) : (
            <DataTable
              label="Latest deposits"
              columns={['Time', 'Amount', 'Card', 'State', 'Payment']}
              rows={items.map((one) => ({
                key: one.paymentId,
                cells: [
                  <DateTime key="time" at={one.createdAt} />,
                  <a key="amount" href={linkTo('deposits', one.paymentId)}>
                    {one.amount} {one.currency}
                  </a>,
                  <CardName key="card" card={one} />,
                  <DepositState key="state" deposit={one} />,
                  <Id key="payment" value={one.paymentId} />,
                ],
              }))}
            />
          )
        }
      </ResourceView>
      <p>
        <a href={`${linkTo('deposits')}?customerId=${id}`}>All deposits</a>
      </p>
    </section>
  )
}
