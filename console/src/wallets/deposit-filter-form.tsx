import { useState } from 'react'
import { SelectField, TextField } from '../parts/fields.tsx'
import styles from './deposit-filter-form.module.css'
import { type DepositFilters, depositsLink, REASON_OPTIONS, STATE_OPTIONS } from './deposit-texts.ts'

/** Opens the address with the chosen filters. */
export function DepositFilterForm({ filters }: { filters: DepositFilters }) {
  const [chosen, setChosen] = useState(filters)
  const field = (name: keyof DepositFilters) => ({
    value: chosen[name],
    onChange: (value: string) => setChosen({ ...chosen, [name]: value }),
  })
  const { from, to, state, customerId, ...more } = filters
  return (
    <form
      className={`panel ${styles.depositFilters}`}
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault()
        location.hash = depositsLink(chosen)
      }}
    >
      <div className={styles.filterFields}>
        <TextField label="From" type="date" {...field('from')} />
        <TextField label="To" type="date" {...field('to')} />
        <SelectField label="State" {...field('state')} options={STATE_OPTIONS} />
        <TextField label="Customer ID" inputMode="numeric" {...field('customerId')} />
      </div>
      <details open={Object.values(more).some((value) => value !== '')}>
        <summary>More filters</summary>
        <div className={styles.filterFields}>
          <TextField label="Lowest amount" inputMode="decimal" {...field('minAmount')} />
          <TextField label="Highest amount" inputMode="decimal" {...field('maxAmount')} />
          <TextField label="Currency" maxLength={3} autoCapitalize="characters" {...field('currency')} />
          <SelectField label="Reason" {...field('reason')} options={REASON_OPTIONS} />
          <TextField label="Card, last four digits" inputMode="numeric" maxLength={4} {...field('lastFour')} />
          <TextField label="Payment method ID" inputMode="numeric" {...field('paymentMethodId')} />
        </div>
      </details>
      <div className="buttons">
        <button type="submit" className="primary">
          Filter
        </button>
        <a className="button" href={depositsLink({})}>
          Clear
        </a>
      </div>
    </form>
  )
}
