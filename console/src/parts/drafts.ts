// Text that was typed and not sent yet. It is stored for this tab, on all its pages, until it is sent or discarded or the
// reader signs out.

import { useSyncExternalStore } from 'react'

const PREFIX = 'paddock-draft '
const listeners = new Set<() => void>()

export type Draft = { text: string; isChanged: boolean; set(text: string): void; discard(): void }

/** `saved` is the text without a draft. */
export function useDraft(key: string, saved = ''): Draft {
  const draft = useSyncExternalStore(subscribe, () => sessionStorage.getItem(PREFIX + key))
  return {
    text: draft ?? saved,
    isChanged: draft !== null,
    set: (text) => saveDraft(key, text === saved ? null : text),
    discard: () => saveDraft(key, null),
  }
}

/** null: there is none. */
export function readDraft(key: string): string | null {
  return sessionStorage.getItem(PREFIX + key)
}

/** null removes the draft. */
export function saveDraft(key: string, text: string | null): void {
  if (text === null) sessionStorage.removeItem(PREFIX + key)
  else sessionStorage.setItem(PREFIX + key, text)
  if (draftKeys().length === 0) sessionStorage.removeItem(OWNER)
  else sessionStorage.setItem(OWNER, owner)
  for (const listener of listeners) listener()
}

const OWNER = 'paddock-drafts-of'
let owner = ''

/** Who writes drafts from now on. Drafts that somebody else left in this tab are discarded. */
export function setDraftOwner(name: string): void {
  owner = name
  if (sessionStorage.getItem(OWNER) !== name) discardDrafts()
}

function draftKeys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))
}

export function discardDrafts(): void {
  for (const key of [...draftKeys(), OWNER]) sessionStorage.removeItem(key)
  for (const listener of listeners) listener()
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}
