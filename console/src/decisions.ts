// Terminology. A *decision* is what a moderator does about a subject (a profile or a comment). It is *pending* while it
// can still be undone, and only then sent: the API has no undo, so nothing is undone that was ever done. One that could
// not be saved has *failed*: it is kept for this tab, also when the session is over, until it is sent again or given up.

import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Api, asRefusal, type Refusal } from './api.ts'
import { saveDraft } from './drafts.ts'
import { noteDraftKey, type Subject } from './subject.ts'

export const UNDO_MS = 5000

const FAILED_KEY = 'paddock-unsaved-decisions'

export type Decision = {
  readonly key: number
  readonly subject: Subject
  readonly action: string
  /** For people: "Deactivate". */
  readonly label: string
  readonly note: string
  /** Who made it. */
  readonly by: string
  readonly state: 'pending' | 'sending' | 'done' | 'failed'
  readonly refusal?: Pick<Refusal, 'status' | 'title' | 'message' | 'errors' | 'current'>
  /** What the server says of the subject afterwards. */
  readonly after?: Subject
}

export type NewDecision = Pick<Decision, 'subject' | 'action' | 'label' | 'note'>

export type Decisions = {
  list(): readonly Decision[]
  subscribe(changed: () => void): () => void
  /** From now on decisions are made and sent by this person; also those that another one left unsaved, when told to. */
  signIn(api: Api, name: string): void
  decide(decision: NewDecision): void
  /** The given one, or the last one that is still pending. */
  undo(key?: number): void
  lastUndone(): Decision | undefined
  /** Sends everything that is pending, in a way that outlives the page. */
  sendPending(): void
  /** Sends one that failed again. */
  retry(key: number): void
  discard(key: number): void
  /** Forgets what was saved, so that the queue can be read anew. */
  clearSaved(): void
}

export function createDecisions(): Decisions {
  let list: readonly Decision[] = readFailed()
  let undone: Decision | undefined
  let keys = Math.max(0, ...list.map(({ key }) => key))
  let sender: { api: Api; name: string } | undefined
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const listeners = new Set<() => void>()

  function change(next: readonly Decision[]): void {
    list = next
    writeFailed(list.filter(({ state }) => state === 'failed'))
    for (const listener of listeners) listener()
  }

  const become = (key: number, part: Partial<Decision>) =>
    change(list.map((one) => (one.key === key ? { ...one, ...part } : one)))

  function stopTimer(key: number): void {
    clearTimeout(timers.get(key))
    timers.delete(key)
  }

  async function send(key: number, from: Decision['state'] = 'pending'): Promise<void> {
    stopTimer(key)
    const decision = list.find((one) => one.key === key && one.state === from)
    if (decision === undefined || sender === undefined) return
    become(key, { state: 'sending' })
    const result = await sent(sender.api, decision)
    if (result.state === 'failed') saveDraft(noteDraftKey(decision.subject), decision.note || null)
    become(key, result)
  }

  return {
    list: () => list,
    subscribe(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    signIn(api, name) {
      sender = { api, name }
    },
    decide(decision) {
      const key = ++keys
      // A second decision on the same subject replaces one that is not sent yet, or failed.
      for (const one of list) if (isAbout(one, decision.subject)) stopTimer(one.key)
      timers.set(
        key,
        setTimeout(() => send(key), UNDO_MS),
      )
      const made: Decision = { ...decision, key, by: sender?.name ?? '', state: 'pending' }
      saveDraft(noteDraftKey(decision.subject), null)
      change([...list.filter((one) => !isAbout(one, decision.subject)), made])
    },
    undo(key) {
      const found = list.findLast((one) => one.state === 'pending' && (key === undefined || one.key === key))
      if (found === undefined) return
      stopTimer(found.key)
      undone = found
      saveDraft(noteDraftKey(found.subject), found.note || null)
      change(list.filter((one) => one !== found))
    },
    lastUndone: () => undone,
    sendPending() {
      for (const { key } of list) send(key)
    },
    retry: (key) => void send(key, 'failed'),
    discard: (key) => change(list.filter((one) => one.key !== key)),
    clearSaved() {
      change(list.filter(({ state }) => state !== 'done'))
    },
  }
}

async function sent(api: Api, { subject, action, note }: Decision): Promise<Partial<Decision>> {
  try {
    const path = `/moderation/${subject.kind}s/${subject.id}`
    const body = { action, note, version: subject.version }
    // It may be sent while the page is closed.
    const after = await api<Subject | undefined>('POST', path, body, { keepalive: true })
    return { state: 'done', ...(after === undefined ? {} : { after }) }
  } catch (error) {
    const { status, title, message, errors, current } = asRefusal(error)
    return { state: 'failed', refusal: { status, title, message, errors, current } }
  }
}

/** Signing in again may lead through another site's page, and back. */
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

/** What to show of a subject: as it is now, if a decision on it was refused because it had changed. */
export function currentSubject(subject: Subject, decision: Decision | undefined): Subject {
  const current = decision?.refusal?.current
  return current !== undefined && decision?.subject.version === subject.version ? current : subject
}

export function useDecisions(decisions: Decisions): readonly Decision[] {
  return useSyncExternalStore(decisions.subscribe, decisions.list)
}

/** Calls back with each decision that is undone from now on, wherever that was done. */
export function useUndone(decisions: Decisions, onUndone: (decision: Decision) => void): void {
  const undone = useSyncExternalStore(decisions.subscribe, decisions.lastUndone)
  const told = useRef(undone)
  useEffect(() => {
    if (undone === undefined || told.current === undone) return
    told.current = undone
    onUndone(undone)
  })
}
