import { useEffect, useRef } from 'react'
import { type Decision, type Decisions, isAbout, UNDO_MS, useDecisions } from '../decisions.ts'
import { actionInWords, nameOf } from '../subject.ts'
import { KeyHint } from './key-hint.tsx'
import { useNotice } from './notices.tsx'

/** What is decided and not sent yet, with a way back; and what could not be sent. */
export function PendingTray({ decisions }: { decisions: Decisions }) {
  const list = useDecisions(decisions)
  useResultsAnnounced(list)
  const shown = list.filter(({ state }) => state === 'pending' || state === 'sending')
  return (
    <section className="tray" aria-label="Decisions that can still be undone">
      <ul aria-live="polite">
        {shown.map((decision) => (
          <li key={decision.key}>
            <p>
              <strong className="subject-name">{nameOf(decision.subject)}</strong>{' '}
              {actionInWords(decision.subject.kind, decision.action)}.{' '}
              <span className="quiet">
                {decision.state === 'sending' ? 'Sending …' : `Sent in ${UNDO_MS / 1000} seconds.`}
              </span>
            </p>
            <button
              type="button"
              disabled={decision.state !== 'pending'}
              onClick={() => decisions.undo(decision.key)}
              aria-label={`Undo: ${decision.label} ${nameOf(decision.subject)}`}
            >
              Undo <KeyHint letter="u" />
            </button>
            {decision.state === 'pending' && <span className="countdown" aria-hidden="true" />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Says each result once; the tray itself tells of what is pending. */
function useResultsAnnounced(list: readonly Decision[]): void {
  const notify = useNotice()
  const told = useRef(new Map<number, Decision>())
  useEffect(() => {
    const before = told.current
    told.current = new Map(list.map((decision) => [decision.key, decision]))
    for (const decision of list) {
      if (before.get(decision.key)?.state === decision.state) continue
      const what = `${nameOf(decision.subject)}: ${actionInWords(decision.subject.kind, decision.action)}`
      if (decision.state === 'done') notify(`${what}. Sent.`)
      if (decision.state === 'failed') notify(`${what}: refused. ${decision.refusal?.message}`)
    }
    for (const [key, { state, subject }] of before) {
      const undone = state === 'pending' && !told.current.has(key) && !list.some((one) => isAbout(one, subject))
      if (undone) notify(`${nameOf(subject)}: undone, nothing was sent.`)
    }
  }, [list, notify])
}
