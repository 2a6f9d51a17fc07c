import { useState } from 'react'
import type { Customer } from '../../../src/operator/api-types.ts'
import { MAX_NOTE_LENGTH } from '../moderation/action-bar.tsx'
import { TextField } from '../parts/fields.tsx'
import { isPending, type MoneyActions, MoneyForm, SENT_LATER } from '../parts/money-actions.tsx'
import { useCustomerText } from '../parts/names.tsx'
import { useSession } from '../sign-in/session.tsx'
import styles from './money-out.module.css'
import { ProposalsOf } from './proposals-of.tsx'

type OutsideProps = { customer: Customer; actions: MoneyActions; onDone: () => void }

/** Where no card can take the money: two persons record that it went to a bank account in the customer's name. */
export function OutsidePayment({ customer: { id, currency }, actions, onDone }: OutsideProps) {
  const { api } = useSession()
  const [changes, setChanges] = useState(0)
  const [amount, setAmount] = useState('')
  const [bankReference, setBankReference] = useState('')
  const [note, setNote] = useState('')
  const key = `outside payment to ${id}`
  const about = `Record that ${amount.trim()} ${currency} were paid to ${useCustomerText(id)} by ${bankReference.trim()}`

  async function record(): Promise<void> {
    const body = { amount: amount.trim(), bankReference: bankReference.trim(), note: note.trim() }
    await api('recordOutsidePayment', { id, body })
    setAmount('')
    setBankReference('')
    setNote('')
    setChanges((before) => before + 1)
    onDone()
  }

  return (
    <>
      <ProposalsOf key={changes} customerId={id} kind="outside-payment" />
      <details>
        <summary>Record a payment to a bank account</summary>
        <MoneyForm
          className={styles.form}
          disabled={isPending(actions, key)}
          confirmation={{ title: `${about}?`, action: 'Record', text: SENT_LATER }}
          onConfirm={() => actions.start(key, about, record)}
        >
          <p className="quiet">
            Only what no card can take, to a bank account in the customer’s name. It is booked when a second person
            records the same amount and reference.
          </p>
          <AmountField currency={currency} value={amount} onChange={setAmount} />
          <ReferenceField value={bankReference} onChange={setBankReference} />
          <TextField
            label="Proof"
            hint="That the account is the customer’s, and why no card can take it."
            value={note}
            onChange={setNote}
            required
            maxLength={MAX_NOTE_LENGTH}
          />
          <button type="submit" aria-disabled={isPending(actions, key)}>
            Record …
          </button>
        </MoneyForm>
      </details>
    </>
  )
}

type FieldProps = { value: string; onChange: (value: string) => void }

function AmountField({ currency, ...field }: FieldProps & { currency: string }) {
  return <TextField label={`Amount paid in ${currency}`} {...field} required inputMode="decimal" autoComplete="off" />
}

function ReferenceField(field: FieldProps) {
  return <TextField label="Reference of the bank’s transfer" {...field} required autoComplete="off" />
}
