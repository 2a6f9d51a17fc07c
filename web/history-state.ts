// The state of a screen beyond its address: the loaded pages of a list, the selection, the scroll position. It is stored
// for each entry of the browser's history, so that Back leads to the same place.

import { useEffect, useState } from 'react'

type EntryState = Map<string, unknown>

const entries = new Map<string, EntryState>()
let current = stateOfEntry()

/** Registered before any component's listener, so that the new screen finds its state. */
addEventListener('hashchange', () => {
  current = stateOfEntry()
})
history.scrollRestoration = 'manual'

/** A key in the browser's state identifies the entry; an entry without a key is new. */
function stateOfEntry(): EntryState {
  const key = (history.state as { paddockEntry?: string } | null)?.paddockEntry ?? newKey()
  const state = entries.get(key) ?? new Map()
  entries.set(key, state)
  return state
}

function newKey(): string {
  const key = `${performance.timeOrigin}-${entries.size}`
  history.replaceState({ ...history.state, paddockEntry: key }, '')
  return key
}

/** Like useState, starting with the value from when this entry was left. */
export function useHistoryState<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [state] = useState(current)
  const [value, setValue] = useState(() => (state.has(name) ? (state.get(name) as Value) : initial))
  useEffect(() => {
    state.set(name, value)
  }, [state, name, value])
  return [value, setValue]
}

/** On a phone only the main part scrolls, between the header and the decisions. */
export function scrollContainer(): Element {
  const main = document.getElementById('main')
  const scrollsItself = main !== null && getComputedStyle(main).overflowY === 'auto'
  return scrollsItself ? main : (document.scrollingElement ?? document.documentElement)
}

export function useScrollSaved(): void {
  useEffect(() => {
    const save = () => current.set('scroll', scrollContainer().scrollTop)
    // Captured, because scroll events of elements do not bubble.
    addEventListener('scroll', save, { capture: true, passive: true })
    return () => removeEventListener('scroll', save, { capture: true })
  }, [])
}

export function restoreScroll(): void {
  scrollContainer().scrollTo(0, (current.get('scroll') as number | undefined) ?? 0)
}
