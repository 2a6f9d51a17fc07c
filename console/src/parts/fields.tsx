import { type ComponentProps, type ReactNode, useId } from 'react'

type FieldProps = {
  label: string
  hint?: string | undefined
  /** Gets the id that the label points to, and the hint's. */
  children: (ids: { id: string; 'aria-describedby'?: string }) => ReactNode
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(hint === undefined ? { id } : { id, 'aria-describedby': hintId })}
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  )
}

type ValueProps<Value extends string> = { label: string; value: Value; onChange: (value: Value) => void }
type TextFieldProps = ValueProps<string> & { hint?: string } & Omit<
    ComponentProps<'input'>,
    'id' | 'value' | 'onChange'
  >

export function TextField({ label, hint, value, onChange, ...others }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <input {...ids} {...others} value={value} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  )
}

type SelectFieldProps<Value extends string> = ValueProps<Value> & {
  options: readonly { value: Value; label: string }[]
}

export function SelectField<Value extends string>({ label, value, onChange, options }: SelectFieldProps<Value>) {
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChange(event.target.value as Value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
