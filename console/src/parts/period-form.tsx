import { useState } from 'react'
import { TextField } from './fields.tsx'
import styles from './period-form.module.css'

type Days = { from: string; to: string }
type PeriodFormProps = Days & { linkOf: (days: Days) => string }

/** The days of a report, which are part of the address of its screen. */
export function PeriodForm({ linkOf, from: first, to: last }: PeriodFormProps) {
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(last)
  return (
    <form
      className={`panel ${styles.period}`}
      onSubmit={(event) => {
        event.preventDefault()
        location.hash = linkOf({ from, to })
      }}
    >
      <TextField label="From" type="date" value={from} onChange={setFrom} required />
      <TextField label="To" type="date" value={to} onChange={setTo} required />
      <button type="submit">Show</button>
    </form>
  )
}
