import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react'
import { Icon } from '../../../web/icons.tsx'
import { dayText, timeText } from './dates.ts'
import { SelectField, TextField } from './fields.tsx'
import styles from './filter-bar.module.css'

type Input = Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'maxLength' | 'pattern' | 'placeholder'>

export type FilterField<Name extends string> = Input & {
  readonly name: Name
  readonly label: string
  /** The first is what no filter shows. */
  readonly options?: readonly { value: string; label: string }[]
  /** Convert between the address and the field; without them both have the same text. */
  readonly shown?: (value: string) => string
  readonly parse?: (typed: string) => string
}

type FilterBarProps<Name extends string> = {
  label?: string
  fields: readonly FilterField<Name>[]
  /** As the address has them; '' is not set. */
  values: Readonly<Record<Name, string>>
  linkOf: (values: Record<Name, string>) => string
  /** Stands in the same line. */
  children?: ReactNode
}

/** One line above a list: what is set, each with a link that takes it back, and a button that opens all filters. */
export function FilterBar<Name extends string>({
  label = 'Filters',
  fields,
  values,
  linkOf,
  children,
}: FilterBarProps<Name>) {
  const set = fields.filter(({ name, options }) => values[name] !== '' && values[name] !== options?.[0]?.value)
  const none = Object.fromEntries(Object.keys(values).map((name) => [name, ''])) as Record<Name, string>
  return (
    <div className={styles.bar}>
      <details className={styles.all} onKeyDown={closeOnEscape}>
        <summary className="button">Filters</summary>
        <FilterForm {...{ label, fields, values, linkOf }} />
      </details>
      {set.map(({ name, label: title, options, type }) => {
        const text = options?.find(({ value }) => value === values[name])?.label ?? asText(values[name], type)
        return (
          <a key={name} className={styles.set} href={linkOf({ ...values, [name]: '' })}>
            <span className="hidden-text">Without</span>
            {title}: <strong>{text}</strong> <Icon name="close" />
          </a>
        )
      })}
      {set.length > 0 && <a href={linkOf(none)}>Clear</a>}
      {children}
    </div>
  )
}

function asText(value: string, type: Input['type']): string {
  if (type === 'date') return dayText(value)
  return type === 'datetime-local' ? timeText(value) : value
}

function closeOnEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== 'Escape' || !currentTarget.open) return
  currentTarget.open = false
  currentTarget.querySelector('summary')?.focus()
}

/** Opens the address with the chosen filters. */
function FilterForm<Name extends string>({
  label,
  fields,
  values,
  linkOf,
}: Required<Omit<FilterBarProps<Name>, 'children'>>) {
  const [chosen, setChosen] = useState<Record<Name, string>>(values)
  return (
    <form
      className={`panel ${styles.form}`}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        location.hash = linkOf(chosen)
      }}
    >
      {fields.map(({ name, label: title, options, shown = same, parse = same, ...input }) => {
        const onChange = (typed: string) => setChosen({ ...chosen, [name]: parse(typed) })
        return options === undefined ? (
          <TextField
            key={name}
            label={title}
            autoComplete="off"
            {...input}
            value={shown(chosen[name])}
            onChange={onChange}
          />
        ) : (
          <SelectField key={name} label={title} value={chosen[name]} onChange={onChange} options={options} />
        )
      })}
      <button type="submit" className="primary">
        Filter
      </button>
    </form>
  )
}

const same = (text: string) => text
