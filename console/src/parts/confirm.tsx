import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { TextField } from './fields.tsx'

export type Confirmation = {
  title: string
  /** The text of the button. */
  action: string
  /** It takes something away. What approves, opens or adds never looks so. */
  isDangerous?: boolean
  text: ReactNode
  /** Must be typed first, before something irreversible. */
  typed?: string
  /** Must be filled in first, such as a reason. */
  field?: { label: string; value: string; onChange: (value: string) => void; maxLength: number }
}

type ConfirmProps = Confirmation & { onConfirm: () => void; onCancel: () => void }

/** A native dialog: it holds the focus, returns it, and closes with Escape. */
export function Confirm({ title, action, isDangerous, text, typed, field, onConfirm, onCancel }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [entered, setEntered] = useState('')
  const titleId = useId()

  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])

  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onCancel}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
        }}
      >
        <h2 id={titleId}>{title}</h2>
        <p>{text}</p>
        {typed !== undefined && (
          <TextField label={`Type ${typed} to confirm`} value={entered} onChange={setEntered} autoComplete="off" />
        )}
        {field && <TextField {...field} required autoComplete="off" />}
        <div className="buttons">
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
          <button
            type="submit"
            className={isDangerous ? 'danger' : 'primary'}
            disabled={(typed !== undefined && entered !== typed) || field?.value.trim() === ''}
          >
            {action}
          </button>
        </div>
      </form>
    </dialog>
  )
}
