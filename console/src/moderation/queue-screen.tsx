import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Subject } from '../../../src/operator/api-types.ts'
import { scrollContainer, useHistoryState } from '../../../web/history-state.ts'
import { linkTo, openRoute } from '../../../web/route.ts'
import { subjectText } from '../../../web/words/subjects.ts'
import { useCounts } from '../api/live.tsx'
import { type PagedList, usePagedList } from '../api/resource.ts'
import { Progress, ScreenHeader } from '../parts/basics.tsx'
import { readDraft, useDraft } from '../parts/drafts.ts'
import { NewItems } from '../parts/new-items.tsx'
import { NotAvailable, Problem } from '../parts/problem.tsx'
import { useReadAhead } from '../parts/read-ahead.ts'
import review from '../parts/review.module.css'
import { SavedViews } from '../parts/saved-views.tsx'
import { useKeys } from '../parts/shortcuts.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { Viewers } from '../parts/viewers.tsx'
import { usePermission, useSession } from '../sign-in/session.tsx'
import { ActionBar } from './action-bar.tsx'
import { BulkBar, bulkDrafts } from './bulk-bar.tsx'
import { type Checked, useChecked } from './checked.ts'
import { ContextPanel, useSubjectContext } from './context-panel.tsx'
import { DecisionState } from './decision-state.tsx'
import { currentSubject, type Decision, type Decisions, isAbout, useDecisions, useUndone } from './decisions.ts'
import { QueueList } from './queue-list.tsx'
import { EmptyQueue, type QueueFilter, QueueFilters, QueueTabs, QueueToolbar, queueOrder } from './queue-tabs.tsx'
import { type Action, actionsFor, actionsForAll, CALLS, noteDraftKey } from './subject.ts'
import { SubjectMarks } from './subject-marks.tsx'
import { SubjectFacts, SubjectHead, SubjectSurroundings } from './subject-view.tsx'

type QueueScreenProps = { filter: QueueFilter; decisions: Decisions }

export function QueueScreen({ filter, decisions }: QueueScreenProps) {
  const { kind, lane, label, assignee } = filter
  const { me } = useSession()
  const query = { kind, lane: lane === 'all' ? '' : lane, label, assignee, limit: 25 }
  const listed = usePagedList('readModerationQueue', { query })
  const queue = { ...listed, items: listed.items.filter((one) => one.kind !== 'appeal') }
  const newest = useCounts()?.[`${kind}s`].newest
  const missing = queue.refusal?.errors.some(({ pointer }) => pointer === 'query/kind')

  function refresh(): void {
    decisions.sendPending()
    decisions.clearSaved()
    queue.reload()
  }

  return (
    <>
      <ScreenHeader title="Review queue">
        {lane === 'all' && label === '' && (
          <NewItems
            newest={newest}
            shown={queue.items.map(({ flaggedAt }) => flaggedAt)}
            loading={queue.loading}
            onLoad={refresh}
          />
        )}
        <button type="button" onClick={refresh} aria-disabled={queue.loading}>
          Refresh
        </button>
      </ScreenHeader>
      <QueueToolbar>
        <QueueTabs kind={kind} filter={filter} />
        <QueueFilters filter={filter} />
        <SavedViews page="queue" />
      </QueueToolbar>
      {queue.items.length > 0 && <p className={`hint ${review.queueOrder}`}>{queueOrder(filter)}</p>}
      {missing ? (
        <NotAvailable what={`The queue of ${subjectText(kind).toLowerCase()}s`} role={me.role} />
      ) : (
        <>
          {queue.refusal && <Problem refusal={queue.refusal} onRetry={refresh} />}
          {queue.items.length === 0 && queue.loading && <Progress />}
          {queue.items.length === 0 && !queue.loading && !queue.refusal && <EmptyQueue filter={filter} />}
          {queue.items.length > 0 && <Review queue={queue} decisions={decisions} />}
        </>
      )}
    </>
  )
}

type ReviewProps = { queue: PagedList<Subject>; decisions: Decisions }

function Review({ queue, decisions }: ReviewProps) {
  const { items, waiting } = queue
  const list = useDecisions(decisions)
  const canDecide = usePermission()(CALLS[(items[0] as Subject).kind].decide)
  const checked = useChecked(items, (one) => canDecide && isUndecided(list, one))
  const { index, item, select, decide, note, setNote, card } = useSelection(items, decisions, checked)
  const noteField = useRef<HTMLInputElement>(null)
  const { now, mark } = useCurrent(list)
  const subject = now(item)
  const context = useSubjectContext(subject.kind, subject.id, decisions)
  const chosen = checked.items.map(now)
  const isBulk = chosen.length > 0
  const offered = canDecide && isUndecided(list, item) ? actionsFor(subject) : []
  const act = (action: Action) => decide(isBulk ? chosen : [subject], action)

  useReadAhead(queue, index)
  const actions = isBulk ? actionsForAll(chosen) : offered
  useQueueKeys(
    { items, index, select, checked, decisions, noteField },
    Object.fromEntries(actions.map((action) => [action.key, () => act(action)])),
  )

  return (
    <div className={review.review}>
      <QueueList
        items={items}
        selected={item}
        checked={checked}
        decisions={list}
        onSelect={select}
        onUndo={decisions.undo}
      />
      <EscapeTo to={card} className={review.reviewCards}>
        {isBulk && <BulkBar subjects={chosen} checked={checked} onAction={act} noteField={noteField} />}
        <article ref={card} tabIndex={-1} aria-labelledby="subject-name" className="card">
          <SubjectHead subject={subject}>
            <Stepper index={index} items={items} waiting={waiting} select={select} />
          </SubjectHead>
          <SubjectContent subject={subject} decisions={decisions} />
          {offered.length > 0 && <CheckThis item={item} checked={checked} />}
          {offered.length > 0 && !isBulk && (
            <ActionBar drafts={subject} actions={offered} {...{ note, noteField }} onNote={setNote} onAction={act} />
          )}
          <SubjectMarks subject={subject} onChange={mark} />
          {!canDecide && <p className="quiet">Your role can view the queue but not decide.</p>}
          <SubjectSurroundings subject={subject} context={context?.answer} />
          <p>
            <a href={linkTo(`${subject.kind}s`, subject.id)}>Open full page</a>
          </p>
        </article>
      </EscapeTo>
      <ContextPanel kind={subject.kind} id={subject.id} resource={context} decisions={decisions} />
    </div>
  )
}

type Stepping = Pick<ReturnType<typeof useSelection>, 'index' | 'select'> & {
  items: Subject[]
  checked: Checked
  decisions: Decisions
  noteField: RefObject<HTMLInputElement | null>
}

/** `letters`: those of the actions. */
function useQueueKeys(stepping: Stepping, letters: Record<string, () => void>): void {
  const { items, index, select, checked, decisions, noteField } = stepping
  const item = items[index] as Subject
  useKeys(
    {
      next: () => select(items[index + 1]),
      previous: () => select(items[index - 1]),
      select: ({ shiftKey }) => checked.toggle(item, shiftKey),
      selectAll: checked.checkAll,
      selectNone: checked.clear,
      undo: () => decisions.undo(),
      open: () => openRoute(`${item.kind}s`, item.id),
      note: () => noteField.current?.focus(),
    },
    letters,
  )
}

/** Subjects as they are by now: after decisions, and with the labels and assignments that were made here (`mark`). */
function useCurrent(list: readonly Decision[]) {
  const [marked, setMarked] = useState<ReadonlyMap<string, Subject>>(new Map())
  return {
    now: (one: Subject) => currentSubject(marked.get(one.id) ?? one, decisionOn(list, one)),
    mark: (after: Subject) => setMarked((before) => new Map(before).set(after.id, after)),
  }
}

function SubjectContent({ subject, decisions }: { subject: Subject; decisions: Decisions }) {
  const decision = decisionOn(useDecisions(decisions), subject)
  return (
    <>
      <Viewers item={{ kind: subject.kind, id: subject.id }} />
      <SubjectFacts subject={subject} />
      {decision !== undefined && <DecisionState decision={decision} decisions={decisions} />}
    </>
  )
}

/** On a phone, which does not show the list. */
function CheckThis({ item, checked }: { item: Subject; checked: Checked }) {
  return (
    <label className={`check ${review.checkThis}`}>
      <input type="checkbox" checked={checked.items.includes(item)} onChange={() => checked.toggle(item, false)} />{' '}
      Select, to decide on several at once
    </label>
  )
}

/** The selected subject and the note on it. The focus follows, so that a screen reader reads it. */
function useSelection(items: Subject[], decisions: Decisions, checked: Checked) {
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
  function decide(subjects: readonly Subject[], { action, label }: Action): void {
    if (checked.items.length === 0)
      decisions.decide({ subject: subjects[0] as Subject, action, label, note: note.trim() })
    else {
      const drafts = bulkDrafts(item.kind)
      const bulkNote = readDraft(noteDraftKey(drafts))?.trim() ?? ''
      decisions.decideAll({ subjects, action, label, note: bulkNote, drafts })
      checked.clear()
    }
    const isOpen = (one: Subject) => isUndecided(decisions.list(), one)
    const next = items.slice(index).find(isOpen) ?? items.find(isOpen) ?? item
    select(next)
  }

  // Selects the undone subject again, with its note; of several, checks all.
  useUndone(decisions, (undone) => {
    const again = items.filter((one) => undone.some((decision) => isAbout(decision, one)))
    if (undone.some(({ drafts }) => drafts.id === bulkDrafts(item.kind).id)) checked.check(again)
    else select(again[0])
  })

  const shown = useRef(item.id)
  useEffect(() => {
    if (shown.current === item.id) return
    shown.current = item.id
    // On a phone, where the list is hidden, show the next card from its top.
    if (scrollContainer().id === 'main') card.current?.scrollIntoView({ block: 'start' })
  }, [item.id])

  return { index, item, select, decide, note, setNote, card }
}

function decisionOn(list: readonly Decision[], subject: Subject): Decision | undefined {
  return list.find((one) => isAbout(one, subject))
}

function isUndecided(list: readonly Decision[], subject: Subject): boolean {
  const decision = decisionOn(list, subject)
  return decision === undefined || decision.state === 'failed'
}

type EscapeToProps = { to: RefObject<HTMLElement | null>; className: string | undefined; children: ReactNode }

/** Leaves the note field, where shortcuts do not work. */
function EscapeTo({ to, className, children }: EscapeToProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') to.current?.focus()
    }
    element?.addEventListener('keydown', pressed)
    return () => element?.removeEventListener('keydown', pressed)
  }, [to])
  return (
    <div ref={box} className={className}>
      {children}
    </div>
  )
}
