import { type ReactNode, useState } from 'react'
import type { Deposit } from '../../../src/operator/api-types.ts'
import { useResource } from '../api/resource.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { TextField } from '../parts/fields.tsx'
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
import { RefundTable } from './refund-table.tsx'

type DepositRefundsProps = { deposit: Deposit; actions: MoneyActions; onChanged: () => void }

/** The refunds of a deposit, and the form for another. */
export function DepositRefunds({ deposit, actions, onChanged }: DepositRefundsProps) {
  const may = usePermission()
  const refunds = useResource('listDepositRefunds', { paymentId: deposit.paymentId })
  const changed = () => {
    refunds.reload()
    onChanged()
  }
  return (
    <ResourceView resource={refunds}>
      {({ items, returned, left }) => (
        <>
          {items.length > 0 && (
            <RefundPanel>
              <RefundTable items={items} actions={actions} onChanged={changed} />
            </RefundPanel>
          )}
          {may('refundDeposit') && Number(left) > 0 && (
            <RefundForm key={items.length} {...{ deposit, returned, left, actions }} onRefunded={changed} />
          )}
        </>
      )}
    </ResourceView>
  )
}

const LATEST = 20

/** Shows the newest of a customer; nothing where there are none. */
export function RefundsOf({ customerId }: { customerId: string }) {
  const refunds = useResource('listRefunds', { query: { customerId, limit: LATEST } })
  const actions = useMoneyActions()
  return (
    <ResourceView resource={refunds}>
      {({ items }) =>
        items.length === 0 ? null : (
          <>
            <MoneyTray actions={actions} of="refunds" />
            <RefundPanel>
              <RefundTable items={items} actions={actions} onChanged={refunds.reload} />
            </RefundPanel>
          </>
        )
      }
    </ResourceView>
  )
}

function RefundPanel({ children }: { children: ReactNode }) {
  return (
    <section className="panel" aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      {children}
    </section>
  )
}

type RefundFormProps = {
  deposit: Deposit
  returned: string
  left: string
  actions: MoneyActions
  onRefunded: () => void
}

function RefundForm({ deposit, returned, left, actions, onRefunded }: RefundFormProps) {
  const { api } = useSession()
  const [amount, setAmount] = useState(left)
  const [reason, setReason] = useState('')
  const { paymentId, currency, customerId } = deposit
  const what = `Refund ${amount.trim()} ${currency}`
  const about = `${what} of ${useCustomerText(customerId)}`
  const pending = isPending(actions, paymentId)

  async function refund(): Promise<void> {
    await api('refundDeposit', { paymentId, body: { amount: amount.trim(), reason: reason.trim(), returned } })
    onRefunded()
  }

  return (
    <MoneyForm
      disabled={pending}
      confirmation={{ title: `${about}?`, action: what, text: SENT_LATER }}
      onConfirm={() => actions.start(paymentId, about, refund)}
    >
      <h2>Refund</h2>
      <p>
        {left} {currency} of this deposit can go back to the card, at most what the customer has available.
      </p>
      <TextField
        label={`Amount in ${currency}`}
        value={amount}
        onChange={setAmount}
        required
        inputMode="decimal"
        autoComplete="off"
      />
      <TextField label="Reason" value={reason} onChange={setReason} required maxLength={MAX_NOTE_LENGTH} />
      <button type="submit" className="primary" aria-disabled={pending}>
        Refund …
      </button>
    </MoneyForm>
  )
}
