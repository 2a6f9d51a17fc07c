// What customers read of their options, at any moment: each answer is one view of their money, in which the principles hold.

import type { Json } from './calls.ts'
import { units } from './statements.ts'

type Option = { id: string; max: bigint; returns: bigint; freed: bigint; winnings: bigint; reason: string | undefined }
export type Options = { available: bigint; options: Option[] }

export function toOptions(wallets: Json): Options {
  const options = [wallets.options ?? []].flat().map((one: Json) => ({
    id: one.id,
    max: units(one.max),
    returns: units(one.returns),
    freed: units(one.freed),
    winnings: units(one.winnings),
    reason: one.reason,
  }))
  return { available: units(wallets.available), options }
}

/**
 * No card takes more than is available; what a card paid in goes back to it first, so that while another one still gets its own, a card
 * gets nothing but its own; and where something is available, a card takes some of it, or words say why not. `closed`: cards that an
 * operator has closed, for which nobody waits.
 */
export function optionViolations(
  customerId: number,
  { available, options }: Options,
  closed: ReadonlySet<string>,
): string[] {
  const found: string[] = []
  for (const { id, max, returns, freed, winnings } of options) {
    const name = `customer ${customerId}: card ${id}`
    if (max > available) found.push(`${name} takes ${max}, ${available} is available`)
    if (max > returns + freed + winnings)
      found.push(`${name} takes ${max}, made of ${returns}, ${freed} and ${winnings}`)
    const others = options.filter((other) => other.id !== id && other.returns > 0n && !closed.has(other.id))
    if (freed + winnings > 0n && others.length > 0)
      found.push(
        `${name} takes ${freed + winnings} beyond its own, while ${others[0]?.returns} goes back to ${others[0]?.id}`,
      )
  }
  const sum = options.reduce((total, { returns }) => total + returns, 0n)
  if (sum > available) found.push(`customer ${customerId}: ${sum} goes back to cards, ${available} is available`)
  const silent = options.every(({ max, reason }) => max === 0n && reason === undefined)
  if (available > 0n && options.length > 0 && silent)
    found.push(`customer ${customerId}: ${available} is available, no card takes it, and nothing says why`)
  return found
}
