// Which interleavings of two operations are played: all with one switch, then such as seeds choose.

import type { Judge, Violation } from './judge.ts'
import { randomNumbers, seeded, switching } from './orders.ts'
import { endsBlock, type Played } from './schedule.ts'

/** `without`: the statement that loses its lock. */
type Controlled = { readonly without?: string | null }

/**
 * Begins with each process and switches once, after every number of steps; `all`: also where that can only lead to what another one has
 * led to. Ends with the first violation.
 */
export async function playSwitches(
  judge: Judge,
  { all = false, without = null }: Controlled & { readonly all?: boolean } = {},
): Promise<Violation | null> {
  for (const first of [0, 1] as const) {
    for (let after = 1; after < judge.steps[first]; ) {
      const { played, violation } = await judge.play(switching(first, [after]), without)
      if (violation !== null) return violation
      after = all ? after + 1 : Math.max(after + 1, sameUntil(played, first))
    }
  }
  return null
}

/** Ends with the first violation. */
export async function playSeeds(
  judge: Judge,
  { seed, count, without = null }: Controlled & { readonly seed: number; readonly count: number },
): Promise<Violation | null> {
  const random = randomNumbers(seed)
  for (let i = 0; i < count; i++) {
    const { violation } = await judge.play(seeded(Math.floor(random() * 2 ** 32)), without)
    if (violation !== null) return violation
  }
  return null
}

/**
 * A switch after fewer steps of the process `first` leads to the same: the other one waits for the transaction of the first at once, or
 * only reads, and sees nothing of what is not committed. 0: it may lead to something else.
 */
function sameUntil({ trace }: Played, first: 0 | 1): number {
  const switched = trace.findIndex(({ process }) => process !== first)
  const rest = trace.slice(switched)
  const back = rest.findIndex(({ process }) => process === first)
  const others = rest.slice(0, back)
  const hasWaited = rest.slice(back).some(({ process }) => process !== first)
  const isReading = others.every(({ step }) => step.kind === 'reads')
  const isInside = trace[switched - 1]?.step.transaction !== null
  if (!hasWaited && !(isReading && isInside)) return 0
  const released = trace.findIndex((choice, at) => at >= switched && choice.process === first && endsBlock(choice))
  return trace.slice(0, released + 1).filter(({ process }) => process === first).length
}
