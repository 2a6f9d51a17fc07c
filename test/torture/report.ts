// What a torture run prints: progress, figures, and each violation with what led to it.

import type { Operator } from './calls.ts'
import type { Journal } from './journal.ts'

const SHOWN = 20

/** How many operations of each kind, by the first word of what the journal has of them. */
export function operationsOf({ counts }: Journal): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const [name, count] of counts) {
    const kind = name.split(' ')[0] as string
    if (kind !== 'killed' && kind !== 'started') kinds[kind] = (kinds[kind] ?? 0) + count
  }
  return kinds
}

export function inWords(figures: Record<string, number>): string {
  return Object.entries(figures)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

export function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of names.toSorted()) counts[one] = (counts[one] ?? 0) + 1
  return counts
}

/** With what the clients did and were answered, and the service's own trail. */
export async function printViolations(
  violations: readonly string[],
  journal: Journal,
  operator: Operator,
): Promise<void> {
  console.log(`violations: ${violations.length}`)
  for (const violation of violations.slice(0, SHOWN)) {
    console.log(`\n${violation}`)
    for (const line of journal.leadingTo(violation)) console.log(`    ${line}`)
    for (const line of await trailOf(violation, operator)) console.log(`    ${line}`)
  }
}

type Trail = { events: { at: string; event: string; detail: string }[] }

async function trailOf(violation: string, operator: Operator): Promise<string[]> {
  const withdrawal = /^withdrawal ([0-9]+):/.exec(violation)?.[1]
  const payment = /^([0-9a-f]{8}-[0-9a-f-]{27}):/.exec(violation)?.[1]
  if (withdrawal === undefined && payment === undefined) return []
  const path = withdrawal === undefined ? `/deposits/${payment}` : `/withdrawals/${withdrawal}`
  const trail = (await operator('GET', path).catch(() => undefined)) as Trail | undefined
  return trail?.events.map(({ at, event, detail }) => `${at.slice(11, 23)} the service: ${event} ${detail}`) ?? []
}
