import { useEffect, useRef } from 'react'
import { linkTo } from '../../../web/route.ts'
import { KeyHint } from '../parts/key-hint.tsx'
import { useNotice } from '../parts/notices.tsx'
import { UNDO_MS, UndoCountdown } from '../parts/undo.tsx'
import { useSession } from '../sign-in/session.tsx'
import styles from './decision-tray.module.css'
import { type Decision, type Decisions, isAbout, useDecisions } from './decisions.ts'
import { actionResult, countOf, nameOf } from './subject.ts'

/** Pending decisions, which can be undone, and failed ones, until they are sent again or discarded. */
export function DecisionTray({ decisions }: { decisions: Decisions }) {
  const { me } = useSession()
  const list = useDecisions(decisions)
  useResultNotices(list)
  const failed = list.filter(({ state }) => state === 'failed')
  const open = groupsOf(list).filter(isOpen)
  // The shortcut undoes the last one.
  const last = open.findLast(([first]) => first.state === 'pending')
  return (
    <>
      <section className={styles.tray} aria-label="Unsaved decisions">
        {failed.length > 1 && <AllFailed failed={failed} decisions={decisions} />}
        <ul aria-live="assertive">
          {failed.map((decision) => (
            <FailedDecision key={decision.key} decision={decision} decisions={decisions} me={me.name} />
          ))}
        </ul>
      </section>
      <section className={styles.tray} aria-label="Pending decisions">
        <ul aria-live="polite">
          {open.map((group) => (
            <OpenGroup key={group[0].key} group={group} decisions={decisions} isLast={group === last} />
          ))}
        </ul>
      </section>
    </>
  )
}

type Group = [Decision, ...Decision[]]

/** In the order in which they were made. */
function groupsOf(list: readonly Decision[]): Group[] {
  const groups = new Map<number, Group>()
  for (const decision of list) {
    const group = groups.get(decision.group)
    if (group === undefined) groups.set(decision.group, [decision])
    else group.push(decision)
  }
  return [...groups.values()]
}

function isOpen(group: Group): boolean {
  return group.some(({ state }) => state === 'pending' || state === 'sending')
}

/** "Alice", or "12 comments". */
function subjectsOf(group: Group): string {
  return group.length === 1 ? nameOf(group[0].subject) : countOf(group[0].subject.kind, group.length)
}

/** What failed because somebody else had changed it cannot be sent again. */
function AllFailed({ failed, decisions }: { failed: readonly Decision[]; decisions: Decisions }) {
  const keys = failed.filter(({ refusal }) => refusal?.status !== 409).map(({ key }) => key)
  return (
    <div className="buttons">
      {keys.length > 1 && (
        <button type="button" className="primary" onClick={() => decisions.retry(keys)}>
          Retry all {keys.length}
        </button>
      )}
      <button type="button" onClick={() => decisions.discard(failed.map(({ key }) => key))}>
        Discard all {failed.length}
      </button>
    </div>
  )
}

type DecisionProps = { decision: Decision; decisions: Decisions }

function FailedDecision({ decision, decisions, me }: DecisionProps & { me: string }) {
  const { key, subject, label, refusal, by } = decision
  const about = `${label} ${nameOf(subject)}`
  const hasChanged = refusal?.status === 409
  return (
    <li data-failed>
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
          <button
            type="button"
            className="primary"
            onClick={() => decisions.retry([key])}
            aria-label={`Retry: ${about}`}
          >
            Retry
          </button>
        )}
        <button type="button" onClick={() => decisions.discard([key])} aria-label={`Discard: ${about}`}>
          Discard
        </button>
      </div>
    </li>
  )
}

type OpenGroupProps = { group: Group; decisions: Decisions; isLast: boolean }

function OpenGroup({ group, decisions, isLast }: OpenGroupProps) {
  const { key, subject, action, label, state } = group[0]
  const isPending = state === 'pending'
  return (
    <li>
      <p>
        <strong className={styles.subjectName}>{subjectsOf(group)}</strong> {actionResult(subject.kind, action)}.{' '}
        <span className="quiet">{isPending ? `Sends in ${UNDO_MS / 1000} seconds.` : 'Sending …'}</span>
      </p>
      <button
        type="button"
        disabled={!isPending}
        onClick={() => decisions.undo(key)}
        aria-label={`Undo: ${label} ${subjectsOf(group)}`}
      >
        Undo {isLast && <KeyHint letter="u" />}
      </button>
      {isPending && <UndoCountdown />}
    </li>
  )
}

export function DecisionSummary({ decision: { subject, action } }: { decision: Decision }) {
  return (
    <>
      <strong className={styles.subjectName}>{nameOf(subject)}</strong> {actionResult(subject.kind, action)}.
    </>
  )
}

/** Announces each result once, a group's when all of it is sent; the tray itself shows pending and failed decisions. */
function useResultNotices(list: readonly Decision[]): void {
  const notify = useNotice()
  const seen = useRef(list)
  useEffect(() => {
    const before = new Map(seen.current.map((decision) => [decision.key, decision]))
    seen.current = list
    for (const group of groupsOf(list)) {
      const hasChanged = group.some(({ key, state }) => before.get(key)?.state !== state)
      const result = hasChanged && !isOpen(group) ? resultOf(group) : ''
      if (result !== '') notify(result)
    }
    const isGone = (one: Decision) => one.state === 'pending' && !list.some((now) => isAbout(now, one.subject))
    for (const group of groupsOf([...before.values()].filter(isGone))) {
      notify(`${subjectsOf(group)}: undone, nothing was sent.`)
    }
  }, [list, notify])
}

/** Empty: nothing to announce. */
function resultOf(group: Group): string {
  const saved = group.filter(({ state }) => state === 'done').length
  if (saved === 0) return ''
  const summary = `${subjectsOf(group)}: ${actionResult(group[0].subject.kind, group[0].action)}.`
  return saved === group.length ? `${summary} Saved.` : `${summary} ${saved} of ${group.length} saved.`
}
