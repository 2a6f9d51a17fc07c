import type { Refusal } from '../api/api.ts'
import { Problem } from './problem.tsx'

type Props = {
  readonly refusal: Refusal | undefined
  /** What the form is about, in the plural. */
  readonly what: string
  readonly isChanged: boolean
  readonly busy: boolean
  readonly discard: () => void
  /** Readers see why, and no buttons. */
  readonly canWrite?: boolean
}

/** The end of a form that edits a whole text or list: why saving was refused, and the buttons. */
export function SaveOrDiscard({ refusal, what, isChanged, busy, discard, canWrite = true }: Props) {
  return (
    <>
      {refusal && <Problem refusal={refusal} />}
      {refusal?.status === 409 && (
        <p>Copy your changes, discard them to load the current {what}, then make them again.</p>
      )}
      {canWrite && (
        <div className="buttons">
          <button type="submit" className="primary" aria-disabled={busy}>
            Save
          </button>
          {isChanged && (
            <>
              <button type="button" onClick={discard}>
                Discard changes
              </button>
              <p className="quiet">Unsaved changes.</p>
            </>
          )}
        </div>
      )}
    </>
  )
}
