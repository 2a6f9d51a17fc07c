import { useState } from 'react'
import type { Customer } from '../../../src/operator/api-types.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { TextField } from '../parts/fields.tsx'
import { isPending, MoneyForm, MoneyTray, SENT_LATER, useMoneyActions } from '../parts/money-actions.tsx'
import { useCustomerText } from '../parts/names.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { ProposalsOf } from './proposals-of.tsx'

type DebtProps = { customer: Customer; onChanged: () => void }

/** What the customer owes, which two persons may write off. Nothing where there is no debt. */
export function Debt({ customer, onChanged }: DebtProps) {
  const may = usePermission()
  const [changes, setChanges] = useState(0)
  const { id, debt, currency } = customer
  const changed = () => {
    setChanges((before) => before + 1)
    onChanged()
  }
  if (Number(debt) === 0) return null
  return (
    <section className="panel" aria-labelledby="debt">
      <h2 id="debt">Debt</h2>
      <p>
        The customer owes{' '}
        <strong>
          {debt} {currency}
        </strong>
        : money that went back to a card after it was spent. The next credits pay it first.
      </p>
      <ProposalsOf key={changes} customerId={id} kind="debt-write-off" />
      {may('writeOffDebt') && <WriteOff customer={customer} onChanged={changed} />}
    </section>
  )
}

function WriteOff({ customer: { id, debt, currency }, onChanged }: DebtProps) {
  const { api } = useSession()
  const actions = useMoneyActions()
  const [amount, setAmount] = useState(debt)
  const [note, setNote] = useState('')
  const key = `debt of ${id}`
  const about = `Write off ${amount.trim()} ${currency} that ${useCustomerText(id)} owes`

  async function writeOff(): Promise<void> {
    await api('writeOffDebt', { id, body: { amount: amount.trim(), note: note.trim() } })
    setNote('')
    onChanged()
  }

  return (
    <>
      <MoneyTray actions={actions} of="debt" />
      <MoneyForm
        className="inline"
        disabled={isPending(actions, key)}
        confirmation={{
          title: `${about}?`,
          action: 'Write off',
          isDangerous: true,
          text: `The house pays it, when a second person has decided the same. ${SENT_LATER}`,
        }}
        onConfirm={() => actions.start(key, about, writeOff)}
      >
        <TextField
          label={`Write off in ${currency}`}
          value={amount}
          onChange={setAmount}
          required
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField label="Reason" value={note} onChange={setNote} required maxLength={MAX_NOTE_LENGTH} />
        <button type="submit" aria-disabled={isPending(actions, key)}>
          Write off …
        </button>
      </MoneyForm>
    </>
  )
}
