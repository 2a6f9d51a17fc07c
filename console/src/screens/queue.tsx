import { useEffect, useRef, useState } from 'react'
import type { Subject } from '../../../src/operator/api-types.ts'
import { MAX_COUNTED, MAX_NEWEST } from '../api.ts'
import { currentSubject, type Decision, type Decisions, isAbout, useDecisions, useUndone } from '../decisions.ts'
import { useDraft } from '../drafts.ts'
import { scrollContainer, useHistoryState } from '../history-state.ts'
import { useCounts } from '../live.tsx'
import { ActionBar } from '../parts/action-bar.tsx'
import { Progress, ScreenHeader } from '../parts/basics.tsx'
import { DecisionState } from '../parts/decision-state.tsx'
import { KeyHint } from '../parts/key-hint.tsx'
import { NotAvailable, Problem } from '../parts/problem.tsx'
import { QueueList } from '../parts/queue-list.tsx'
import { SubjectView } from '../parts/subject-view.tsx'
import { Viewers } from '../parts/viewers.tsx'
import { type PagedList, usePagedList } from '../resource.ts'
import { linkTo, openRoute } from '../route.ts'
import { usePermission, useSession } from '../session.tsx'
import { ShortcutsDialog, useKeys } from '../shortcuts.tsx'
import { type Action, actionsFor, type Kind, noteDraftKey, titleOf } from '../subject.ts'

const KINDS: { kind: Kind; label: string }[] = [
  { kind: 'profile', label: 'Profiles' },
  { kind: 'comment', label: 'Comments' },
]

/** The next page is loaded when this few are left below the selected one. */
const READ_AHEAD = 5

export function QueueScreen({ kind, decisions }: { kind: Kind; decisions: Decisions }) {
  const { me } = useSession()
  const queue = usePagedList<Subject>(`/moderation/queue?kind=${kind}`, 25)
  const [showsShortcuts, setShowsShortcuts] = useState(false)
  useKeys({ '?': () => setShowsShortcuts(true) })
  const missing = queue.refusal?.errors.some(({ pointer }) => pointer === 'query/kind')

  function refresh(): void {
    decisions.sendPending()
    decisions.clearSaved()
    queue.reload()
  }

  return (
    <>
      <ScreenHeader title="Review queue">
        <KindTabs shown={kind} />
        <NewSubjects kind={kind} queue={queue} onLoad={refresh} />
        <button type="button" onClick={refresh} aria-disabled={queue.loading}>
          Refresh
        </button>
        <button
          type="button"
          className="shortcuts-button"
          onClick={() => setShowsShortcuts(true)}
          aria-keyshortcuts="?"
        >
          Shortcuts <KeyHint letter="?" />
        </button>
      </ScreenHeader>
      {missing ? (
        <NotAvailable what={`The queue of ${kind}s`} role={me.role} />
      ) : (
        <>
          {queue.refusal && <Problem refusal={queue.refusal} onRetry={refresh} />}
          {queue.items.length === 0 && queue.loading && <Progress />}
          {queue.items.length === 0 && !queue.loading && !queue.refusal && <EmptyQueue kind={kind} />}
          {queue.items.length > 0 && (
            <Review
              items={queue.items}
              waiting={queue.waiting}
              decisions={decisions}
              more={queue.hasMore && !queue.loading ? queue.more : undefined}
            />
          )}
        </>
      )}
      {showsShortcuts && <ShortcutsDialog onClose={() => setShowsShortcuts(false)} />}
    </>
  )
}

function KindTabs({ shown }: { shown: Kind }) {
  return (
    <nav className="tabs" aria-label="What to review">
      {KINDS.map(({ kind, label }) => (
        <a key={kind} href={`${linkTo('queue')}?kind=${kind}`} aria-current={kind === shown ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}

type NewSubjectsProps = { kind: Kind; queue: PagedList<Subject>; onLoad: () => void }

/** What came into the queue since it was loaded. Loaded only on request, so that nothing moves while somebody reads. */
function NewSubjects({ kind, queue, onLoad }: NewSubjectsProps) {
  const newest = useCounts()?.[`${kind}s`].newest
  const [known, setKnown] = useState<string>()
  const { loading, items } = queue
  const latest = newest?.[0] ?? ''

  // The subjects that wait when the list arrives, or when the server first reports them, are not new.
  // biome-ignore lint/correctness/useExhaustiveDependencies: not when further subjects arrive
  useEffect(() => {
    if (newest !== undefined && !loading) setKnown(latest)
  }, [newest === undefined, loading])

  const isNew = (time: string) => known !== undefined && time > known && items.every((one) => one.flaggedAt !== time)
  const count = newest?.filter(isNew).length ?? 0
  return (
    <span role="status">
      {count > 0 && (
        <button type="button" className="primary" onClick={onLoad}>
          {count}
          {count >= MAX_NEWEST && '+'} new
        </button>
      )}
    </span>
  )
}

function EmptyQueue({ kind }: { kind: Kind }) {
  return (
    <div className="empty">
      <p>
        <strong>The queue is empty.</strong> No {kind} has open flags.
      </p>
    </div>
  )
}

type ReviewProps = { items: Subject[]; waiting: number; decisions: Decisions; more: (() => void) | undefined }

function Review({ items, waiting, decisions, more }: ReviewProps) {
  const list = useDecisions(decisions)
  const { index, item, select, decide, note, setNote, card } = useSelection(items, decisions)
  const noteField = useRef<HTMLInputElement>(null)
  const canDecide = usePermission()(`POST /moderation/${item.kind}s/{id}`)
  const decision = list.find((one) => isAbout(one, item))
  const subject = currentSubject(item, decision)
  const offered = canDecide && isUndecided(list, item) ? actionsFor(subject) : []

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once when the selection nears the end
  useEffect(() => {
    if (index >= items.length - READ_AHEAD) more?.()
  }, [index, items.length, more === undefined])

  useKeys({
    j: () => select(items[index + 1]),
    arrowdown: () => select(items[index + 1]),
    k: () => select(items[index - 1]),
    arrowup: () => select(items[index - 1]),
    u: () => decisions.undo(),
    v: () => openRoute(`${subject.kind}s`, subject.id),
    w: () => noteField.current?.focus(),
    ...Object.fromEntries(offered.map((action) => [action.key, () => decide(subject, action)])),
  })

  return (
    <div className="review">
      <QueueList items={items} selected={item} decisions={list} onSelect={select} onUndo={decisions.undo} />
      <article ref={card} tabIndex={-1} aria-labelledby="subject-name" className="card">
        <header>
          <h2 id="subject-name">{titleOf(subject)}</h2>
          <Stepper index={index} items={items} waiting={waiting} select={select} />
        </header>
        <Viewers item={{ kind: subject.kind, id: subject.id }} />
        <SubjectView subject={subject} />
        {decision !== undefined && <DecisionState decision={decision} decisions={decisions} />}
        {offered.length > 0 && (
          <EscapeTo to={card}>
            <ActionBar
              subject={subject}
              note={note}
              onNote={setNote}
              onAction={(action) => decide(subject, action)}
              noteField={noteField}
            />
          </EscapeTo>
        )}
        {!canDecide && <p className="quiet">Your role can view the queue but not decide.</p>}
        <p>
          <a href={linkTo(`${subject.kind}s`, subject.id)}>Open full page</a>
        </p>
      </article>
    </div>
  )
}

/** The selected subject and the note on it. The focus follows, so that a screen reader reads it. */
function useSelection(items: Subject[], decisions: Decisions) {
  const [place, setPlace] = useHistoryState('selected', { id: items[0]?.id, index: 0 })
  const card = useRef<HTMLElement>(null)
  const found = items.findIndex(({ id }) => id === place.id)
  // The selected subject may have left the queue; the next one then has its index.
  const index = found >= 0 ? found : Math.min(place.index, items.length - 1)
  const item = items[index] as Subject
  const { text: note, set: setNote } = useDraft(noteDraftKey(item))

  function select(next: Subject | undefined): void {
    if (next === undefined) return
    setPlace({ id: next.id, index: items.indexOf(next) })
    card.current?.focus({ preventScroll: true })
  }

  /** Then selects the next undecided subject, or an earlier one that was skipped. */
  function decide(subject: Subject, { action, label }: Action): void {
    decisions.decide({ subject, action, label, note: note.trim() })
    const isOpen = (one: Subject) => one !== item && isUndecided(decisions.list(), one)
    select(items.slice(index + 1).find(isOpen) ?? items.find(isOpen) ?? item)
  }

  // Selects the undone subject again, with its note.
  useUndone(decisions, (undone) => select(items.find((one) => isAbout(undone, one))))

  const shown = useRef(item.id)
  useEffect(() => {
    if (shown.current === item.id) return
    shown.current = item.id
    // On a phone, where the list is hidden, show the next card from its top.
    if (scrollContainer().id === 'main') card.current?.scrollIntoView({ block: 'start' })
  }, [item.id])

  return { index, item, select, decide, note, setNote, card }
}

function isUndecided(list: readonly Decision[], subject: Subject): boolean {
  const decision = list.find((one) => isAbout(one, subject))
  return decision === undefined || decision.state === 'failed'
}

type StepperProps = { index: number; items: Subject[]; waiting: number; select: (next: Subject | undefined) => void }

function Stepper({ index, items, waiting, select }: StepperProps) {
  // The queue may have grown since it was counted.
  const total = Math.max(waiting, items.length)
  return (
    <div className="stepper">
      <button type="button" onClick={() => select(items[index - 1])} disabled={index === 0} aria-label="Previous">
        ‹
      </button>
      <span>
        {index + 1} of {total}
        {waiting >= MAX_COUNTED && ' or more'}
      </span>
      <button
        type="button"
        onClick={() => select(items[index + 1])}
        disabled={index === items.length - 1}
        aria-label="Next"
      >
        ›
      </button>
    </div>
  )
}

/** Leaves the note field, where shortcuts do not work. */
function EscapeTo({ to, children }: { to: React.RefObject<HTMLElement | null>; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to the field inside
    <div onKeyDown={(event) => event.key === 'Escape' && to.current?.focus()}>{children}</div>
  )
}
