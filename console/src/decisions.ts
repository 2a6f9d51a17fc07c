// Terminology. A *decision* is what a moderator does about a subject (a profile or a comment). It is *pending* while it
// can still be undone, and only then sent: the API has no undo, so nothing is undone that was ever done.

import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Api, asRefusal, type Refusal } from './api.ts'
import type { Subject } from './subject.ts'

export const UNDO_MS = 5000

export type Decision = {
  readonly key: number
  readonly subject: Subject
  readonly action: string
  /** For people: "Deactivate". */
  readonly label: string
  readonly note: string
  readonly state: 'pending' | 'sending' | 'done' | 'failed'
  readonly refusal?: Refusal
  /** What the server says of the subject afterwards. */
  readonly after?: Subject
}

export type NewDecision = Pick<Decision, 'subject' | 'action' | 'label' | 'note'>

export type Decisions = {
  list(): readonly Decision[]
  subscribe(changed: () => void): () => void
  decide(decision: NewDecision): void
  /** The given one, or the last one that is still pending. */
  undo(key?: number): void
  lastUndone(): Decision | undefined
  /** Sends everything that is pending, in a way that outlives the page. */
  sendNow(): void
  /** Forgets what is over, so that the queue can be read anew. */
  forgetFinished(): void
}

export function createDecisions(api: Api): Decisions {
  let list: readonly Decision[] = []
  let undone: Decision | undefined
  let keys = 0
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const listeners = new Set<() => void>()

  function change(next: readonly Decision[]): void {
    list = next
    for (const listener of listeners) listener()
  }

  function stopTimer(key: number): void {
    clearTimeout(timers.get(key))
    timers.delete(key)
  }

  async function send(key: number): Promise<void> {
    stopTimer(key)
    const decision = list.find((one) => one.key === key && one.state === 'pending')
    if (decision === undefined) return
    const become = (part: Partial<Decision>) => change(list.map((one) => (one.key === key ? { ...one, ...part } : one)))
    become({ state: 'sending' })
    become(await sent(api, decision))
  }

  return {
    list: () => list,
    subscribe(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    decide(decision) {
      const key = ++keys
      // A second decision on the same subject replaces one that is not sent yet.
      for (const one of list) if (isAbout(one, decision.subject)) stopTimer(one.key)
      timers.set(
        key,
        setTimeout(() => send(key), UNDO_MS),
      )
      change([...list.filter((one) => !isAbout(one, decision.subject)), { ...decision, key, state: 'pending' }])
    },
    undo(key) {
      const found = list.findLast((one) => one.state === 'pending' && (key === undefined || one.key === key))
      if (found === undefined) return
      stopTimer(found.key)
      undone = found
      change(list.filter((one) => one !== found))
    },
    lastUndone: () => undone,
    sendNow() {
      for (const { key } of list) send(key)
    },
    forgetFinished() {
      change(list.filter(({ state }) => state === 'pending' || state === 'sending'))
    },
  }
}

async function sent(api: Api, { subject, action, note }: Decision): Promise<Partial<Decision>> {
  try {
    const path = `/moderation/${subject.kind}s/${subject.id}`
    // It may be sent while the page is closed.
    const after = await api<Subject | undefined>('POST', path, { action, note }, { keepalive: true })
    return { state: 'done', ...(after === undefined ? {} : { after }) }
  } catch (error) {
    return { state: 'failed', refusal: asRefusal(error) }
  }
}

export function isAbout(decision: Decision, { kind, id }: Pick<Subject, 'kind' | 'id'>): boolean {
  return decision.subject.kind === kind && decision.subject.id === id
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
