// Terminology. A *decision* is what a moderator does about a subject (a profile or a comment). It is *pending* while it
// can be undone, and is sent afterwards, because the API has no undo. A decision that could not be saved has *failed*: it
// is stored for this tab, even when the session ends, until it is sent again or discarded.

import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { NewDecision, Subject } from '../../src/operator/api-types.ts'
import { type Api, asRefusal, type Refusal } from './api.ts'
import { saveDraft } from './drafts.ts'
import { type ActionName, noteDraftKey } from './subject.ts'

export const UNDO_MS = 5000

const FAILED_KEY = 'paddock-unsaved-decisions'

export type Decision = {
  readonly key: number
  readonly subject: Subject
  readonly action: ActionName
  /** As shown: "Deactivate". */
  readonly label: string
  readonly note: string
  /** Who made it. */
  readonly by: string
  readonly state: 'pending' | 'sending' | 'done' | 'failed'
  readonly refusal?: Pick<Refusal, 'status' | 'title' | 'message' | 'errors' | 'current'>
  /** The subject afterwards, as the server answers it. */
  readonly after?: Subject
}

type DecisionInput = Pick<Decision, 'subject' | 'action' | 'label' | 'note'>

export type Decisions = {
  list(): readonly Decision[]
  subscribe(changed: () => void): () => void
  /** From now on this person makes and sends decisions; also those of another person that failed, if they retry them. */
  signIn(api: Api, name: string): void
  decide(decision: DecisionInput): void
  /** The given decision, or the last one that is pending. */
  undo(key?: number): void
  lastUndone(): Decision | undefined
  /** Sends all pending decisions, even if the page closes meanwhile. */
  sendPending(): void
  /** Sends a failed decision again. */
  retry(key: number): void
  discard(key: number): void
  /** Removes saved decisions, before the queue is loaded again. */
  clearSaved(): void
}

export function createDecisions(): Decisions {
  const decisions = createDecisionList()
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  let undone: Decision | undefined
  let lastKey = Math.max(0, ...decisions.get().map(({ key }) => key))
  let sender: { api: Api; name: string } | undefined

  function stopTimer(key: number): void {
    clearTimeout(timers.get(key))
    timers.delete(key)
  }

  async function send(key: number, from: Decision['state'] = 'pending'): Promise<void> {
    stopTimer(key)
    const decision = decisions.get().find((one) => one.key === key && one.state === from)
    if (decision === undefined || sender === undefined) return
    decisions.update(key, { state: 'sending' })
    const result = await post(sender.api, decision)
    if (result.state === 'failed') saveDraft(noteDraftKey(decision.subject), decision.note || null)
    decisions.update(key, result)
  }

  return {
    list: decisions.get,
    subscribe: decisions.subscribe,
    signIn(api, name) {
      sender = { api, name }
    },
    decide(decision) {
      const key = ++lastKey
      const isSame = (one: Decision) => isAbout(one, decision.subject)
      // Replaces an unsent or failed decision on the same subject.
      for (const one of decisions.get().filter(isSame)) stopTimer(one.key)
      timers.set(
        key,
        setTimeout(() => send(key), UNDO_MS),
      )
      const made: Decision = { ...decision, key, by: sender?.name ?? '', state: 'pending' }
      saveDraft(noteDraftKey(decision.subject), null)
      decisions.set([...decisions.get().filter((one) => !isSame(one)), made])
    },
    undo(key) {
      const found = decisions.get().findLast((one) => one.state === 'pending' && (key === undefined || one.key === key))
      if (found === undefined) return
      stopTimer(found.key)
      undone = found
      saveDraft(noteDraftKey(found.subject), found.note || null)
      decisions.set(decisions.get().filter((one) => one !== found))
    },
    lastUndone: () => undone,
    sendPending() {
      for (const { key } of decisions.get()) send(key)
    },
    retry: (key) => void send(key, 'failed'),
    discard: (key) => decisions.set(decisions.get().filter((one) => one.key !== key)),
    clearSaved: () => decisions.set(decisions.get().filter(({ state }) => state !== 'done')),
  }
}

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
    update: (key: number, change: Partial<Decision>) =>
      set(list.map((one) => (one.key === key ? { ...one, ...change } : one))),
    subscribe(changed: () => void) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

async function post(api: Api, { subject, action, note }: Decision): Promise<Partial<Decision>> {
  try {
    const path = `/moderation/${subject.kind}s/${subject.id}`
    const body: NewDecision = { action, note, version: subject.version }
    // The page may close meanwhile.
    const after = await api<Subject>('POST', path, body, { keepalive: true })
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

export function isAbout(decision: Decision, { kind, id }: Pick<Subject, 'kind' | 'id'>): boolean {
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

/** Calls back with each decision that is undone from now on, from any part of the page. */
export function useUndone(decisions: Decisions, onUndone: (decision: Decision) => void): void {
  const undone = useSyncExternalStore(decisions.subscribe, decisions.lastUndone)
  const reported = useRef(undone)
  useEffect(() => {
    if (undone === undefined || reported.current === undone) return
    reported.current = undone
    onUndone(undone)
  })
}
