import { useEffect, useRef } from 'react'
import { type Decision, type Decisions, isAbout, UNDO_MS, useDecisions } from '../decisions.ts'
import { linkTo } from '../route.ts'
import { useSession } from '../session.tsx'
import { actionResult, nameOf } from '../subject.ts'
import { KeyHint } from './key-hint.tsx'
import { useNotice } from './notices.tsx'

/** Pending decisions, which can be undone, and failed ones, until they are sent again or discarded. */
export function DecisionTray({ decisions }: { decisions: Decisions }) {
  const { me } = useSession()
  const list = useDecisions(decisions)
  useResultNotices(list)
  const failed = list.filter(({ state }) => state === 'failed')
  const open = list.filter(({ state }) => state === 'pending' || state === 'sending')
  // The shortcut undoes the last one.
  const last = open.findLast(({ state }) => state === 'pending')
  return (
    <>
      <section className="tray" aria-label="Unsaved decisions">
        <ul aria-live="assertive">
          {failed.map((decision) => (
            <FailedDecision key={decision.key} decision={decision} decisions={decisions} me={me.name} />
          ))}
        </ul>
      </section>
      <section className="tray" aria-label="Pending decisions">
        <ul aria-live="polite">
          {open.map((decision) => (
            <OpenDecision key={decision.key} decision={decision} decisions={decisions} isLast={decision === last} />
          ))}
        </ul>
      </section>
    </>
  )
}

type DecisionProps = { decision: Decision; decisions: Decisions }

function FailedDecision({ decision, decisions, me }: DecisionProps & { me: string }) {
  const { key, subject, label, refusal, by } = decision
  const about = `${label} ${nameOf(subject)}`
  const hasChanged = refusal?.status === 409
  return (
    <li className="failed">
      <p>
        <strong>Not saved:</strong> <DecisionSummary decision={decision} />{' '}
        <span className="quiet">
          {by !== me && `Decided by ${by}. `}
          {refusal?.status === 401 ? 'The session ended.' : refusal?.message}
        </span>
      </p>
      <div className="buttons">
        {hasChanged ? (
          <a className="button" href={linkTo(`${subject.kind}s`, subject.id)} aria-label={`View ${nameOf(subject)}`}>
            View
          </a>
        ) : (
          <button type="button" className="primary" onClick={() => decisions.retry(key)} aria-label={`Retry: ${about}`}>
            Retry
          </button>
        )}
        <button type="button" onClick={() => decisions.discard(key)} aria-label={`Discard: ${about}`}>
          Discard
        </button>
      </div>
    </li>
  )
}

function OpenDecision({ decision, decisions, isLast }: DecisionProps & { isLast: boolean }) {
  const { key, subject, label, state } = decision
  return (
    <li>
      <p>
        <DecisionSummary decision={decision} />{' '}
        <span className="quiet">{state === 'sending' ? 'Sending …' : `Sends in ${UNDO_MS / 1000} seconds.`}</span>
      </p>
      <button
        type="button"
        disabled={state !== 'pending'}
        onClick={() => decisions.undo(key)}
        aria-label={`Undo: ${label} ${nameOf(subject)}`}
      >
        Undo {isLast && <KeyHint letter="u" />}
      </button>
      {state === 'pending' && <span className="countdown" aria-hidden="true" />}
    </li>
  )
}

export function DecisionSummary({ decision: { subject, action } }: { decision: Decision }) {
  return (
    <>
      <strong className="subject-name">{nameOf(subject)}</strong> {actionResult(subject.kind, action)}.
    </>
  )
}

/** Announces each result once; the tray itself shows pending and failed decisions. */
function useResultNotices(list: readonly Decision[]): void {
  const notify = useNotice()
  const seen = useRef(new Map(list.map((decision) => [decision.key, decision])))
  useEffect(() => {
    const before = seen.current
    seen.current = new Map(list.map((decision) => [decision.key, decision]))
    for (const decision of list) {
      if (before.get(decision.key)?.state === decision.state) continue
      const summary = `${nameOf(decision.subject)}: ${actionResult(decision.subject.kind, decision.action)}`
      if (decision.state === 'done') notify(`${summary}. Saved.`)
    }
    for (const [key, { state, subject }] of before) {
      const undone = state === 'pending' && !seen.current.has(key) && !list.some((one) => isAbout(one, subject))
      if (undone) notify(`${nameOf(subject)}: undone, nothing was sent.`)
    }
  }, [list, notify])
}
