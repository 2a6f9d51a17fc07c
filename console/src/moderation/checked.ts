// The subjects of the queue that are checked, to decide on all of them at once.

import { useRef, useState } from 'react'
import type { Subject } from '../../../src/operator/api-types.ts'

/** So that a group is sent within seconds, and is stored for this tab if it fails. */
export const MAX_CHECKED = 100

export type Checked = {
  /** In the order of the list. */
  items: Subject[]
  /** How many can be. */
  possible: number
  /** `isRange`: also all between the last one that was checked and this one. */
  toggle(item: Subject, isRange: boolean): void
  checkAll(): void
  clear(): void
  /** Exactly these. */
  check(items: readonly Subject[]): void
}

/** Only what can be decided is checked. */
export function useChecked(list: readonly Subject[], canDecide: (item: Subject) => boolean): Checked {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  const decidable = list.filter(canDecide)
  const items = decidable.filter(({ id }) => ids.has(id))
  const check = (next: readonly Subject[]) => setIds(new Set(next.slice(0, MAX_CHECKED).map(({ id }) => id)))

  function toggle(item: Subject, isRange: boolean): void {
    if (!canDecide(item)) return
    const from = isRange ? decidable.findIndex(({ id }) => id === last.current) : -1
    const to = decidable.indexOf(item)
    last.current = item.id
    const range = from >= 0 ? decidable.slice(Math.min(from, to), Math.max(from, to) + 1) : [item]
    const isOff = from < 0 && items.includes(item)
    const others = items.filter((one) => !range.includes(one))
    check(isOff ? others : [...others, ...range])
  }

  return {
    items,
    possible: Math.min(decidable.length, MAX_CHECKED),
    toggle,
    checkAll: () => check(decidable),
    clear: () => check([]),
    check,
  }
}
