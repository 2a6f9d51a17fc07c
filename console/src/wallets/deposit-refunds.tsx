import { useState } from 'react'
import type { Deposit } from '../../../src/operator/api-types.ts'
import type { AnswerOf } from '../api/operations.ts'
import { useResource } from '../api/resource.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { ActionButton } from '../parts/action.tsx'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { TextField } from '../parts/fields.tsx'
import {
  isPending,
  type MoneyActions,
  MoneyButton,
  MoneyForm,
  MoneyTray,
  SENT_LATER,
  useMoneyActions,
} from '../parts/money-actions.tsx'
import { useCustomerText } from '../parts/names.tsx'
import { useNotice } from '../parts/notices.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { CardName } from './card-name.tsx'

type Refund = AnswerOf<'listDepositRefunds'>['items'][number]

const LOOKS = { REQUESTED: 'wait', SENT: 'wait', DONE: 'good', FAILED: 'bad', REVIEW: 'warn' } as const

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
          {items.length > 0 && <RefundTable items={items} actions={actions} onChanged={changed} />}
          {may('refundDeposit') && Number(left) > 0 && (
            <RefundForm key={items.length} {...{ deposit, returned, left, actions }} onRefunded={changed} />
          )}
        </>
      )}
    </ResourceView>
  )
}

/** Of a customer, the newest; nothing where there are none. */
export function RefundsOf({ customerId }: { customerId: string }) {
  const refunds = useResource('listRefunds', { query: { customerId } })
  const actions = useMoneyActions()
  return (
    <ResourceView resource={refunds}>
      {({ items }) =>
        items.length === 0 ? null : (
          <>
            <MoneyTray actions={actions} />
            <RefundTable items={items} actions={actions} onChanged={refunds.reload} />
          </>
        )
      }
    </ResourceView>
  )
}

type RefundTableProps = { items: readonly Refund[]; actions: MoneyActions; onChanged: () => void }

function RefundTable({ items, actions, onChanged }: RefundTableProps) {
  return (
    <section className="panel" aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      <DataTable
        label="Refunds"
        columns={['Amount', 'State', 'Card', 'Requested', 'By', 'Reason', 'Approval']}
        rows={items.map((refund) => ({
          key: refund.id,
          cells: [
            `${refund.amount} ${refund.currency}`,
            <Badge key="state" look={LOOKS[refund.state]}>
              {refund.state}
            </Badge>,
            <CardName key="card" card={refund} />,
            <DateTime key="time" at={refund.createdAt} />,
            refund.requestedBy ?? 'the gateway',
            refund.reason,
            refund.needsApproval ? (
              <Approval key="approval" refund={refund} actions={actions} onDecided={onChanged} />
            ) : (
              (refund.approvedBy ?? 'not needed')
            ),
          ],
        }))}
      />
    </section>
  )
}

type ApprovalProps = { refund: Refund; actions: MoneyActions; onDecided: () => void }

function Approval({ refund, actions, onDecided }: ApprovalProps) {
  const { api } = useSession()
  const notify = useNotice()
  const [reason, setReason] = useState('')
  const what = `the refund of ${refund.amount} ${refund.currency}`

  const approval = `Approve ${what} of ${useCustomerText(refund.customerId)}`

  async function approve(): Promise<void> {
    await api('approveRefund', { id: refund.id })
    onDecided()
  }
  async function refuse(): Promise<void> {
    await api('refuseRefund', { id: refund.id, body: { reason: reason.trim() } })
    notify('The refund is refused.')
    onDecided()
  }

  return (
    <span className="buttons">
      <MoneyButton
        className="primary"
        disabled={isPending(actions, refund.id)}
        confirmation={{ title: `${approval}?`, action: 'Approve', text: SENT_LATER }}
        onConfirm={() => actions.start(refund.id, approval, approve)}
      >
        Approve …
      </MoneyButton>
      <ActionButton
        action={refuse}
        label={`Refuse ${what}`}
        confirmation={{
          title: `Refuse ${what}?`,
          action: 'Refuse',
          text: 'Nothing is sent, and the customer gets the amount back.',
          field: { label: 'Reason', value: reason, onChange: setReason, maxLength: MAX_NOTE_LENGTH },
        }}
      >
        Refuse …
      </ActionButton>
    </span>
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
        {left} {currency} of this deposit can go back to the card, at most the customer’s balance.
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
