import styles from './tabs.module.css'

// A choice of a few, one of which is in use.

type Choice<Value extends string> = { readonly value: Value; readonly label: string }
type SegmentsProps<Value extends string> = {
  label: string
  choices: readonly Choice<Value>[]
  value: NoInfer<Value>
  choose(value: NoInfer<Value>): void
}

export function Segments<Value extends string>({ label, choices, value, choose }: SegmentsProps<Value>) {
  return (
    <fieldset className={styles.segments} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => choose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}
