// Terminology. A *decision* is what a moderator does about a subject (a profile or a comment). It is *pending* while it
// can be undone, and is sent afterwards, because the API has no undo. A decision that could not be saved has *failed*: it
// is stored for this tab, even when the session ends, until it is sent again or discarded. Decisions that were made at once
// on several subjects are a *group*: undone together, and sent one after the other.

import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { NewDecision, Subject } from '../../../src/operator/api-types.ts'
import { type Api, asRefusal, type Refusal } from '../api/api.ts'
import { saveDraft } from '../parts/drafts.ts'
import { UNDO_MS } from '../parts/undo.tsx'
import { isRestricting, type Reasons, readReasons, saveReasons } from './reasons.ts'
import { type ActionName, CALLS, noteDraftKey } from './subject.ts'

/** Browsers send at most 64 KiB for a page that closes, and a decision has up to 6 KiB. */
const MAX_AT_ONCE = 10

const FAILED_KEY = 'paddock-unsaved-decisions'

export type Decision = {
  readonly key: number
  /** The number shared by decisions that were made at once. */
  readonly group: number
  /** Whose draft has its note and reasons, if it is undone: the subject's, or that of several subjects. */
  readonly drafts: Reference
  readonly subject: Subject
  readonly action: ActionName
  /** As shown: "Deactivate". */
  readonly label: string
  readonly note: string
  /** Why, if it restricts; undefined: the server's defaults. */
  readonly reasons?: Reasons | undefined
  /** Who made it. */
  readonly by: string
  readonly state: 'pending' | 'sending' | 'done' | 'failed'
  readonly refusal?: Pick<Refusal, 'status' | 'title' | 'message' | 'errors' | 'current'>
  /** The subject afterwards, as the server answers it. */
  readonly after?: Subject
}

type Reference = Pick<Subject, 'kind' | 'id'>
type DecisionInput = Pick<Decision, 'subject' | 'action' | 'label' | 'note'>
type GroupInput = Omit<DecisionInput, 'subject'> & { subjects: readonly Subject[]; drafts: Reference }

export type Decisions = {
  list(): readonly Decision[]
  subscribe(changed: () => void): () => void
  /** From now on this person makes and sends decisions; also those of another person that failed, if they retry them. */
  signIn(api: Api, name: string): void
  decide(decision: DecisionInput): void
  /** One action on several subjects. */
  decideAll(decisions: GroupInput): void
  /** The given decision, or the last one that is pending; with its group. */
  undo(key?: number): void
  /** The last group that was undone. */
  lastUndone(): readonly Decision[]
  sendPending(): void
  /** Sends all that is not sent, because the page may close. False: it may be too much for a page that closes. */
  sendBeforeClose(): boolean
  /** Sends failed decisions again. */
  retry(keys: readonly number[]): void
  discard(keys: readonly number[]): void
  /** Removes saved decisions, before the queue is loaded again. */
  clearSaved(): void
}

export function createDecisions(): Decisions {
  const decisions = createDecisionList()
  const outbox = createOutbox(decisions)
  let undone: readonly Decision[] = []
  let lastKey = Math.max(0, ...decisions.get().map(({ key }) => key))

  function decideAll({ subjects, ...input }: GroupInput): void {
    const { drafts } = input
    const group = lastKey + 1
    const reasons = isRestricting(input.action) ? readReasons(drafts) : undefined
    const common = { ...input, reasons, group, by: outbox.sender(), state: 'pending' as const }
    const made = subjects.map((subject): Decision => ({ ...common, subject, key: ++lastKey }))
    saveDrafts(drafts, { note: '', reasons: undefined })
    // Replaces failed decisions on the same subjects.
    const others = decisions.get().filter((one) => !subjects.some((subject) => isAbout(one, subject)))
    decisions.set([...others, ...made])
    outbox.sendLater(group)
  }

  return {
    list: decisions.get,
    subscribe: decisions.subscribe,
    signIn: outbox.signIn,
    decide: ({ subject, ...input }) => decideAll({ ...input, subjects: [subject], drafts: subject }),
    decideAll,
    undo(key) {
      const found = decisions.get().findLast((one) => one.state === 'pending' && (key === undefined || one.key === key))
      if (found === undefined) return
      const { group } = found
      outbox.stopTimer(group)
      undone = decisions.get().filter((one) => one.group === group)
      saveDrafts(found.drafts, found)
      decisions.set(decisions.get().filter((one) => one.group !== group))
    },
    lastUndone: () => undone,
    sendPending: outbox.sendPending,
    sendBeforeClose() {
      outbox.sendPending()
      outbox.sendAtOnce()
      return decisions.get().filter(({ state }) => state === 'sending').length <= MAX_AT_ONCE
    },
    retry: (keys) => outbox.send((one) => one.state === 'failed' && keys.includes(one.key)),
    discard: (keys) => decisions.set(decisions.get().filter((one) => !keys.includes(one.key))),
    clearSaved: () => decisions.set(decisions.get().filter(({ state }) => state !== 'done')),
  }
}

/** Sends decisions: a group after the time to undo it, one decision after the other. */
function createOutbox(decisions: DecisionList) {
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  /** Marked as sending, and waiting for those before them. */
  const waiting = new Set<number>()
  let sender: { api: Api; name: string } | undefined

  async function sendOne({ key }: Decision): Promise<void> {
    const decision = decisions.get().find((one) => one.key === key)
    if (!waiting.delete(key) || decision === undefined || sender === undefined) return
    const result = await post(sender.api, decision)
    if (result.state === 'failed') saveDrafts(decision.subject, decision)
    decisions.update([key], result)
  }

  async function send(isMeant: (decision: Decision) => boolean): Promise<void> {
    const meant = decisions.get().filter(isMeant)
    if (sender === undefined || meant.length === 0) return
    for (const { key } of meant) waiting.add(key)
    decisions.update([...waiting], { state: 'sending' })
    for (const decision of meant) await sendOne(decision)
  }

  function sendGroup(group: number): void {
    stopTimer(group)
    void send((one) => one.group === group && one.state === 'pending')
  }

  function stopTimer(group: number): void {
    clearTimeout(timers.get(group))
    timers.delete(group)
  }

  return {
    signIn(api: Api, name: string): void {
      sender = { api, name }
    },
    sender: () => sender?.name ?? '',
    send: (isMeant: (decision: Decision) => boolean) => void send(isMeant),
    sendLater: (group: number) =>
      void timers.set(
        group,
        setTimeout(() => sendGroup(group), UNDO_MS),
      ),
    stopTimer,
    sendPending: () => [...timers.keys()].forEach(sendGroup),
    /** Without waiting for those before them. */
    sendAtOnce(): void {
      for (const decision of decisions.get().filter(({ key }) => waiting.has(key))) void sendOne(decision)
    },
  }
}

/** Note and reasons, for another decision. */
function saveDrafts(drafts: Reference, { note, reasons }: Pick<Decision, 'note' | 'reasons'>): void {
  saveDraft(noteDraftKey(drafts), note || null)
  saveReasons(drafts, reasons)
}

type DecisionList = ReturnType<typeof createDecisionList>

/** The decisions of this tab, of which the failed ones are stored. */
function createDecisionList() {
  let list: readonly Decision[] = readFailed()
  const listeners = new Set<() => void>()

  function set(next: readonly Decision[]): void {
    list = next
    writeFailed(list.filter(({ state }) => state === 'failed'))
    for (const listener of listeners) listener()
  }

  return {
    get: () => list,
    set,
    update: (keys: readonly number[], change: Partial<Decision>) =>
      set(list.map((one) => (keys.includes(one.key) ? { ...one, ...change } : one))),
    subscribe(changed: () => void) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

async function post(api: Api, { subject, action, note, reasons }: Decision): Promise<Partial<Decision>> {
  try {
    const body: NewDecision = { action, note, version: subject.version, ...reasons }
    // The page may close meanwhile.
    const after = await api(CALLS[subject.kind].decide, { id: subject.id, body }, { keepalive: true })
    return { state: 'done', after }
  } catch (error) {
    const { status, title, message, errors, current } = asRefusal(error)
    return { state: 'failed', refusal: { status, title, message, errors, current } }
  }
}

/** In the session storage, which survives a sign-in that leads through another site. */
function readFailed(): Decision[] {
  return JSON.parse(sessionStorage.getItem(FAILED_KEY) ?? '[]')
}

function writeFailed(failed: readonly Decision[]): void {
  if (failed.length === 0) sessionStorage.removeItem(FAILED_KEY)
  else sessionStorage.setItem(FAILED_KEY, JSON.stringify(failed))
}

export function isAbout(decision: Decision, { kind, id }: Reference): boolean {
  return decision.subject.kind === kind && decision.subject.id === id
}

/** The current subject, if a decision on it was refused because it had changed. */
export function currentSubject(subject: Subject, decision: Decision | undefined): Subject {
  const current = decision?.refusal?.current
  return current !== undefined && decision?.subject.version === subject.version ? current : subject
}

export function useDecisions(decisions: Decisions): readonly Decision[] {
  return useSyncExternalStore(decisions.subscribe, decisions.list)
}

/** Calls back with each group that is undone from now on, from any part of the page. */
export function useUndone(decisions: Decisions, onUndone: (group: readonly Decision[]) => void): void {
  const undone = useSyncExternalStore(decisions.subscribe, decisions.lastUndone)
  const reported = useRef(undone)
  useEffect(() => {
    if (reported.current === undone) return
    reported.current = undone
    onUndone(undone)
  })
}
