import { type ReactNode, useEffect, useId, useRef, useState } from 'react'

type ConfirmProps = {
  title: string
  action: string
  /** What must be typed first, for what cannot be taken back. */
  typed?: string
  onConfirm: () => void
  onCancel: () => void
  children: ReactNode
}

/** A native dialog: it keeps the focus inside, gives it back, and closes with Escape. */
export function Confirm({ title, action, typed, onConfirm, onCancel, children }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [entered, setEntered] = useState('')
  const titleId = useId()
  const inputId = useId()

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
        {children}
        {typed !== undefined && (
          <div className="field">
            <label htmlFor={inputId}>
              Type <strong>{typed}</strong> to confirm
            </label>
            <input
              id={inputId}
              value={entered}
              autoComplete="off"
              onChange={(event) => setEntered(event.target.value)}
            />
          </div>
        )}
        <div className="buttons">
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
          <button type="submit" className="danger" disabled={typed !== undefined && entered !== typed}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  )
}
