// Orders in which steps are let through.

import type { Choice, Order } from './schedule.ts'

/** Goes on with what was let through last, the transaction first, else with the process `first`, as long as it can; timers last. */
function goesOn(choices: readonly Choice[], last: Choice | null, first: 0 | 1): Choice {
  const preferred = last?.process ?? first
  return inTransaction(choices, last) ?? choices.find(({ process }) => process === preferred) ?? (choices[0] as Choice)
}

/** The next step of the transaction that was let through last; undefined: it has ended, or waits for a lock. */
function inTransaction(choices: readonly Choice[], last: Choice | null): Choice | undefined {
  if (last === null || last.step.transaction === null) return undefined
  return choices.find(({ process, step }) => process === last.process && step.transaction === last.step.transaction)
}

/** One operation, then the other. */
export const serial =
  (first: 0 | 1): Order =>
  (choices, last) =>
    goesOn(choices, last, first)

/**
 * Begins with the process `first` and switches to the other one after so many steps, and then again. Whoever waits for a lock, or has
 * ended, is left earlier.
 */
export function switching(first: 0 | 1, after: readonly number[]): Order {
  const left = [...after]
  let steps = 0
  return (choices, last) => {
    const isOver = last !== null && steps >= (left[0] ?? Number.POSITIVE_INFINITY)
    const other = isOver ? choices.find(({ process }) => process !== last.process) : undefined
    const choice = other ?? goesOn(choices, last, first)
    if (last !== null && choice.process !== last.process) {
      left.shift()
      steps = 0
    }
    steps++
    return choice
  }
}

/** Each transaction, and each step outside of one, runs to its end; their order is given as their processes. */
export function inBlocks(blocks: string): Order {
  let at = 0
  return (choices, last) => {
    const next = inTransaction(choices, last)
    if (next !== undefined) return next
    const wanted = Number(blocks[at++])
    return choices.find(({ process }) => process === wanted) ?? (choices[0] as Choice)
  }
}

/** As `inBlocks`, in an order that a seed chooses, also of the jobs that run beside each other in a process. */
export function seededBlocks(seed: number): Order {
  const random = randomNumbers(seed)
  return (choices, last) => {
    const next = inTransaction(choices, last)
    if (next !== undefined) return next
    const now = choices.filter(({ step }) => step.kind !== 'timer')
    return (now[Math.floor(random() * now.length)] ?? choices[0]) as Choice
  }
}

/** Chooses by a seed. How often it switches, and whether timers run early, differs from seed to seed. */
export function seeded(seed: number): Order {
  const random = randomNumbers(seed)
  const staying = random() * 0.9
  const hurry = random() < 0.5 ? 0 : 0.1
  return (choices, last) => {
    const now = choices.filter(({ step }) => step.kind !== 'timer' || random() < hurry)
    const possible = now.length === 0 ? choices : now
    const same = possible.filter(({ process }) => process === last?.process)
    const from = same.length > 0 && random() < staying ? same : possible
    return from[Math.floor(random() * from.length)] as Choice
  }
}

/** Repeats the decisions of a schedule. */
export function repeating(decisions: string): Order {
  const all = decisions.split(' ').flatMap((run) => {
    const [decision = '', times = '1'] = run.split('*')
    return Array<string>(Number(times)).fill(decision)
  })
  return (choices, last) => {
    const decision = all.shift()
    if (decision === undefined) return goesOn(choices, last, 0)
    const [process, index = 0] = decision.split('.').map(Number)
    const own = choices.filter((one) => one.process === process)
    return own[index] ?? own[0] ?? (choices[0] as Choice)
  }
}

/** Mulberry32: numbers from 0 to 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
