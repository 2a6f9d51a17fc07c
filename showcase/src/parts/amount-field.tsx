import { type ReactNode, useId } from 'react'
import type { Amount } from '../amounts.ts'

type FieldProps = { label: string; amount: Amount; change?(text: string): void; hint?: ReactNode }

/** With what is wrong with it, once somebody has tried to send it. */
export function AmountField({ label, amount, change = amount.set, hint }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={amount.text}
        aria-invalid={amount.problem !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => change(event.target.value)}
      />
      <p
        id={`${id}-hint`}
        className={amount.problem === undefined ? 'hint' : 'hint bad'}
        role={amount.problem && 'alert'}
      >
        {amount.problem ?? hint}
      </p>
    </div>
  )
}
