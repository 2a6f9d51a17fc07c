import { useState } from 'react'
import { linkTo } from '../../../web/route.ts'
import { TextField } from './fields.tsx'
import styles from './period-form.module.css'

type PeriodFormProps = { screen: string; from: string; to: string }

/** The days of a report, which are part of the address of its screen. */
export function PeriodForm({ screen, from: first, to: last }: PeriodFormProps) {
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(last)
  return (
    <form
      className={`panel ${styles.period}`}
      onSubmit={(event) => {
        event.preventDefault()
        location.hash = `${linkTo(screen)}?${new URLSearchParams({ from, to })}`
      }}
    >
      <TextField label="From" type="date" value={from} onChange={setFrom} required />
      <TextField label="To" type="date" value={to} onChange={setTo} required />
      <button type="submit">Show</button>
    </form>
  )
}
