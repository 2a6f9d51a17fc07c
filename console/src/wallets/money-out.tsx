// What a customer's money may do now: how much may go to which card and why, what is kept back, and the forms with which operators pay
// it out for them.

import { useState } from 'react'
import type { Customer } from '../../../src/operator/api-types.ts'
import { linkTo } from '../../../web/route.ts'
import type { AnswerOf } from '../api/operations.ts'
import { useResource } from '../api/resource.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import {
  isPending,
  type MoneyActions,
  MoneyForm,
  MoneyTray,
  SENT_LATER,
  useMoneyActions,
} from '../parts/money-actions.tsx'
import { useCustomerText } from '../parts/names.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { CardName } from './card-name.tsx'
import styles from './money-out.module.css'
import { OutsidePayment } from './outside-payment.tsx'
import { WaitsForBadge } from './waits-for.tsx'
import { WithdrawalState } from './withdrawal-card.tsx'

type Options = AnswerOf<'readWithdrawalOptions'>
type MoneyOutProps = { customer: Customer; onChanged: () => void }

export function MoneyOut({ customer, onChanged }: MoneyOutProps) {
  const may = usePermission()
  const actions = useMoneyActions()
  const options = useResource('readWithdrawalOptions', { id: customer.id })
  const [changes, setChanges] = useState(0)
  const changed = () => {
    setChanges((before) => before + 1)
    options.reload()
    onChanged()
  }
  return (
    <section className="panel" aria-labelledby="money-out">
      <h2 id="money-out">Withdrawals</h2>
      <MoneyTray actions={actions} of="withdrawals" />
      <ResourceView resource={options}>
        {(answer) => (
          <>
            <Available options={answer} customer={customer} />
            {may('listWithdrawals') && <LatestWithdrawals key={changes} id={customer.id} />}
            {may('requestWithdrawal') && answer.items.some(({ max }) => Number(max) > 0) && (
              <RequestForm options={answer} customer={customer} actions={actions} onDone={changed} />
            )}
          </>
        )}
      </ResourceView>
      {may('recordOutsidePayment') && <OutsidePayment customer={customer} actions={actions} onDone={changed} />}
    </section>
  )
}

const LATEST = 10

function LatestWithdrawals({ id }: { id: string }) {
  const withdrawals = useResource('listWithdrawals', { query: { customerId: id, limit: LATEST } })
  return (
    <ResourceView resource={withdrawals}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="quiet">No withdrawals.</p>
        ) : (
          <DataTable
            label="Latest withdrawals"
            columns={['Requested', 'Amount', 'State', 'Waits for', 'Paid', 'Credited again']}
            rows={items.map((one) => ({
              key: one.id,
              cells: [
                <DateTime key="time" at={one.createdAt} />,
                <a key="amount" href={linkTo('withdrawals', one.id)}>
                  {one.amount} {one.currency}
                </a>,
                <WithdrawalState key="state" withdrawal={one} />,
                one.waitsFor === null ? '' : <WaitsForBadge key="waits" waitsFor={one.waitsFor} />,
                one.paid,
                one.returned,
              ],
            }))}
          />
        )
      }
    </ResourceView>
  )
}

function Available({
  options: { available, keptBack, items },
  customer: { balance, currency },
}: {
  options: Options
  customer: Customer
}) {
  return (
    <>
      <p>
        <strong>
          {available} {currency}
        </strong>{' '}
        of the balance of {balance} {currency} may go out now.
      </p>
      {keptBack.length > 0 && (
        <ul className={styles.kept} aria-label="Kept back">
          {keptBack.map(({ amount, reason }) => (
            <li key={reason}>
              {amount} {currency} kept back. {reason}
            </li>
          ))}
        </ul>
      )}
      {items.length === 0 ? (
        <p className="quiet">The customer has no card.</p>
      ) : (
        <DataTable
          label="What each card can take"
          columns={['Card', 'At most', 'Returns', 'Of other cards', 'Winnings', 'Why']}
          rows={items.map((one) => ({
            key: one.paymentMethodId,
            cells: [<CardName key="card" card={one} />, one.max, one.returns, one.freed, one.winnings, one.reason],
          }))}
        />
      )}
    </>
  )
}

type FormProps = { options: Options; customer: Customer; actions: MoneyActions; onDone: () => void }

/** For a customer who asked for their money, such as one who is excluded and has no session. */
function RequestForm({ options: { items }, customer: { id, currency }, actions, onDone }: FormProps) {
  const { api } = useSession()
  const offered = items.filter(({ max }) => Number(max) > 0)
  const [card, setCard] = useState(offered[0]?.paymentMethodId ?? '')
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const key = `withdrawal of ${id}`
  const about = `Request a withdrawal of ${amount.trim()} ${currency} for ${useCustomerText(id)}`

  async function request(): Promise<void> {
    await api('requestWithdrawal', {
      id,
      body: { amount: amount.trim(), paymentMethodId: card, reason: reason.trim() },
    })
    setAmount('')
    setReason('')
    onDone()
  }

  return (
    <details>
      <summary>Request a withdrawal for the customer</summary>
      <MoneyForm
        className={styles.form}
        disabled={isPending(actions, key)}
        confirmation={{ title: `${about}?`, action: 'Request', text: SENT_LATER }}
        onConfirm={() => actions.start(key, about, request)}
      >
        <p className="quiet">Another person approves it, whatever the amount.</p>
        <SelectField
          label="To"
          value={card}
          onChange={setCard}
          options={offered.map(({ paymentMethodId, scheme, lastFour, max }) => ({
            value: paymentMethodId,
            label: `${scheme} … ${lastFour}, at most ${max} ${currency}`,
          }))}
        />
        <TextField
          label={`Amount to withdraw in ${currency}`}
          value={amount}
          onChange={setAmount}
          required
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField
          label="How they asked for it"
          value={reason}
          onChange={setReason}
          required
          maxLength={MAX_NOTE_LENGTH}
        />
        <button type="submit" aria-disabled={isPending(actions, key)}>
          Request …
        </button>
      </MoneyForm>
    </details>
  )
}
