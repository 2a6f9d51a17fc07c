// Resolutions of reviews: what persons have found out at the gateway.

import type { Actor } from '../../identity/operators/person.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { beginOfDay, needsTwoPersons } from '../policy.ts'
import { decidedBefore, type Subject } from '../proposals.ts'
import { insertResolution, resolvedSince } from './store.ts'

type Resolution = {
  readonly subject: Subject
  readonly customerId: number
  readonly amount: bigint
  readonly currency: string
  readonly outcome: string
  readonly note: string
  readonly by: Actor
}

/**
 * The names of who has decided; null: it waits for a second person. By the sum of the customer and the day: parts of one withdrawal, or
 * several deposits, are not decided one by one by the same person. The customer is locked.
 */
export async function decideResolution(
  tx: Database,
  { config }: Context,
  { outcome: terms, amount, currency, by, ...resolution }: Resolution,
  now: number,
): Promise<string | null> {
  const { subject, customerId } = resolution
  const of = { customerId, currency }
  const { resolved } = (await tx.one(resolvedSince, { ...of, since: beginOfDay(now) })) as { resolved: string }
  let names = by.name
  if (needsTwoPersons(config, 'resolution', BigInt(resolved) + amount)) {
    const first = await decidedBefore(tx, { ...resolution, terms, by }, now)
    if (first === null) return null
    names = `${first.by.name}, ${names}`
  }
  await tx.run(insertResolution, { ...of, subject, amount, now })
  return names
}
