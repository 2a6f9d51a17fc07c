// What a screen shows beside its address: how far a list was read, what was selected, where the page was scrolled to.
// It is remembered for each entry of the browser's history, so that Back leads to the same place.

import { useEffect, useState } from 'react'

type Memory = Map<string, unknown>

const entries = new Map<string, Memory>()
let current = memoryOfEntry()

/** Registered before any component's listener: what renders the new route finds its memory. */
addEventListener('hashchange', () => {
  current = memoryOfEntry()
})
history.scrollRestoration = 'manual'

/** The entry is known by a key in its state; an entry without one is new. */
function memoryOfEntry(): Memory {
  const key = (history.state as { paddockEntry?: string } | null)?.paddockEntry ?? newKey()
  const memory = entries.get(key) ?? new Map()
  entries.set(key, memory)
  return memory
}

function newKey(): string {
  const key = `${performance.timeOrigin}-${entries.size}`
  history.replaceState({ ...history.state, paddockEntry: key }, '')
  return key
}

/** As useState, beginning with what it was when this entry was left. */
export function useHistoryState<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [memory] = useState(current)
  const [value, setValue] = useState(() => (memory.has(name) ? (memory.get(name) as Value) : initial))
  useEffect(() => {
    memory.set(name, value)
  }, [memory, name, value])
  return [value, setValue]
}

/** On a phone the main part scrolls by itself, between what stands above and below it. */
export function scrollContainer(): Element {
  const main = document.getElementById('main')
  const scrollsItself = main !== null && getComputedStyle(main).overflowY === 'auto'
  return scrollsItself ? main : (document.scrollingElement ?? document.documentElement)
}

export function useScrollSaved(): void {
  useEffect(() => {
    const remember = () => current.set('scroll', scrollContainer().scrollTop)
    // Captured: the scrolling of an element does not bubble.
    addEventListener('scroll', remember, { capture: true, passive: true })
    return () => removeEventListener('scroll', remember, { capture: true })
  }, [])
}

export function restoreScroll(): void {
  scrollContainer().scrollTo(0, (current.get('scroll') as number | undefined) ?? 0)
}
