import { useState } from 'react'
import type { Deposit } from '../../../src/operator/api-types.ts'
import type { AnswerOf } from '../api/operations.ts'
import { useResource } from '../api/resource.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { ActionButton } from '../parts/action.tsx'
import { Badge, DateTime } from '../parts/basics.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { TextField } from '../parts/fields.tsx'
import { MoneyForm } from '../parts/money-action.tsx'
import { useNotice } from '../parts/notices.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'

type Refund = AnswerOf<'listDepositRefunds'>['items'][number]

const LOOKS = { REQUESTED: 'plain', SENT: 'plain', DONE: 'good', FAILED: 'warn', REVIEW: 'warn' } as const

/** The refunds of a deposit, and the form for another. */
export function DepositRefunds({ deposit, onChanged }: { deposit: Deposit; onChanged: () => void }) {
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
          {items.length > 0 && <RefundTable items={items} onChanged={changed} />}
          {may('refundDeposit') && Number(left) > 0 && (
            <RefundForm key={items.length} deposit={deposit} returned={returned} left={left} onRefunded={changed} />
          )}
        </>
      )}
    </ResourceView>
  )
}

/** Of a customer, the newest; nothing where there are none. */
export function RefundsOf({ customerId }: { customerId: string }) {
  const refunds = useResource('listRefunds', { query: { customerId } })
  return (
    <ResourceView resource={refunds}>
      {({ items }) => (items.length === 0 ? null : <RefundTable items={items} onChanged={refunds.reload} />)}
    </ResourceView>
  )
}

function RefundTable({ items, onChanged }: { items: readonly Refund[]; onChanged: () => void }) {
  return (
    <section className="panel" aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      <DataTable
        label="Refunds"
        columns={['Amount', 'State', 'Requested', 'By', 'Reason', 'Approval']}
        rows={items.map((refund) => ({
          key: refund.id,
          cells: [
            `${refund.amount} ${refund.currency}`,
            <Badge key="state" look={LOOKS[refund.state]}>
              {refund.state}
            </Badge>,
            <DateTime key="time" at={refund.createdAt} />,
            refund.requestedBy ?? 'the gateway',
            refund.reason,
            refund.needsApproval ? (
              <Approval key="approval" refund={refund} onDecided={onChanged} />
            ) : (
              (refund.approvedBy ?? 'not needed')
            ),
          ],
        }))}
      />
    </section>
  )
}

function Approval({ refund, onDecided }: { refund: Refund; onDecided: () => void }) {
  const { api } = useSession()
  const notify = useNotice()
  const [reason, setReason] = useState('')
  const what = `the refund of ${refund.amount} ${refund.currency}`

  async function approve(): Promise<void> {
    await api('approveRefund', { id: refund.id })
    notify('The refund is approved.')
    onDecided()
  }
  async function refuse(): Promise<void> {
    await api('refuseRefund', { id: refund.id, body: { reason: reason.trim() } })
    notify('The refund is refused.')
    onDecided()
  }

  return (
    <span className="buttons">
      <MoneyForm
        className="inline"
        action={approve}
        verb="Approve the refund of"
        amount={`${refund.amount} ${refund.currency}`}
        name={`customer ${refund.customerId}`}
      >
        {(busy) => (
          <button type="submit" className="primary" aria-disabled={busy}>
            Approve …
          </button>
        )}
      </MoneyForm>
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

type RefundFormProps = { deposit: Deposit; returned: string; left: string; onRefunded: () => void }

function RefundForm({ deposit, returned, left, onRefunded }: RefundFormProps) {
  const { api } = useSession()
  const notify = useNotice()
  const [amount, setAmount] = useState(left)
  const [reason, setReason] = useState('')

  async function refund(): Promise<void> {
    const body = { amount: amount.trim(), reason: reason.trim(), returned }
    const { state } = await api('refundDeposit', { paymentId: deposit.paymentId, body })
    notify(`The refund is ${state}.`)
    onRefunded()
  }

  return (
    <MoneyForm
      action={refund}
      verb="Refund"
      amount={`${amount.trim()} ${deposit.currency}`}
      name={`customer ${deposit.customerId}`}
    >
      {(busy) => (
        <>
          <h2>Refund</h2>
          <p>
            {left} {deposit.currency} of this deposit can go back to the card, at most the customer’s balance.
          </p>
          <TextField
            label={`Amount in ${deposit.currency}`}
            value={amount}
            onChange={setAmount}
            required
            inputMode="decimal"
            autoComplete="off"
          />
          <TextField label="Reason" value={reason} onChange={setReason} required maxLength={MAX_NOTE_LENGTH} />
          <button type="submit" className="primary" aria-disabled={busy}>
            Refund …
          </button>
        </>
      )}
    </MoneyForm>
  )
}
