// Terminology. A *profile* is a customer's public face; it is made the first time it is needed. The *viewer* is the
// profile of the customer who asks.

import type { Context } from '../context.ts'
import { type Database, UniqueViolation } from '../database/database.ts'
import { Fault } from '../faults.ts'
import type { TextRules } from '../moderation/text.ts'
import { andThen, type MaybePromise } from '../runtime/maybe-promise.ts'
import { defaultName, toFace, toProfile } from './profile-view.ts'
import type { Profile } from './shapes.ts'
import {
  insertProfile,
  insertProfileCount,
  type ProfileRow,
  profileById,
  profileOfCustomer,
  profileStanding,
  shownProfile,
  updateProfile,
} from './store.ts'

export const NOBODY = 0

export function getProfile(context: Context, id: number, customerId: number | null, communities: boolean) {
  const { database, config } = context
  const requester = customerId !== null
  return andThen(viewerOf(context, customerId), (viewer): MaybePromise<Profile[]> => {
    if (!communities) {
      const face = database.one(shownProfile, { id, viewer })
      return andThen(face, (row) => [toFace(config, id, found(row), { requester, tips: undefined })])
    }
    const whole = database.one(profileById, { id, viewer })
    return andThen(whole, (row) => [toProfile(config, shown(found(row)), { requester, communities })])
  })
}

function found<R>(row: R | undefined): R {
  if (row === undefined) throw new Fault('noProfile', 'id')
  return row
}

function shown(row: ProfileRow): ProfileRow {
  if (row.status !== 'A') throw new Fault('noProfile', 'id')
  return row
}

/** The caller's own profile as its owner sees it, whatever its status. */
export async function getOwnProfile(context: Context, id: number, communities: boolean): Promise<Profile> {
  const row = await context.database.one(profileById, { id, viewer: NOBODY })
  return toProfile(context.config, row as ProfileRow, { requester: false, communities })
}

export async function updateOwnProfile(context: Context, customerId: number, change: ProfileChange): Promise<Profile> {
  for (const parameter of ['name', 'biography'] as const) {
    const text = change[parameter]
    if (text !== null && text !== '') refuseBadText(context.textRules, parameter, text)
  }
  const id = await changedProfile(context, customerId, change)
  return getOwnProfile(context, id, false)
}

/** A profile that is made for the change is made with it, so that a name which is taken leaves none behind. */
async function changedProfile(context: Context, customerId: number, change: ProfileChange): Promise<number> {
  const existing = await existingProfile(context, customerId)
  const write = async (database: Database, id: number) => {
    await writeChange(database, id, change)
    return id
  }
  try {
    return await (existing === undefined
      ? withOwnProfile(context, customerId, write)
      : write(context.database, existing))
  } catch (error) {
    if (error instanceof UniqueViolation) throw new Fault('nameTaken', 'name')
    throw error
  }
}

export type ProfileChange = { name: string | null; biography: string | null }

async function writeChange(database: Database, id: number, { name, biography }: ProfileChange): Promise<void> {
  if (name === null && biography === null) return
  const key = name === null ? null : nameKey(name)
  if (key !== null && DEFAULT_NAME_KEY.test(key) && key !== nameKey(defaultName(id)))
    throw new Fault('nameTaken', 'name')
  const written = await database.run(updateProfile, { id, name, nameKey: key, biography })
  if (written === 0) throw sessionOver()
}

/** The customer was erased while the ticket was still known: answered as any ticket that is over. */
export function sessionOver(): Fault {
  return new Fault('ticketInvalid', 'who-ticket')
}

export function refuseBadText(rules: TextRules, parameter: string, text: string, names?: readonly string[]): void {
  const verdict = rules(text, names)
  if (verdict.verdict === 'ancillary') throw new Fault('ancillary', parameter)
  if (verdict.verdict === 'inappropriate') throw new Fault('inappropriate', parameter, { solution: verdict.solution })
}

// ---- Names

const DEFAULT_NAME_KEY = /^PLAYER-[0-9]+$/

/** Two names are the same when their keys are: case, width and invisible characters make no difference. */
export function nameKey(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
}

// ---- Whose profile

/** The id of the asking customer's profile; NOBODY when there is no ticket, or no profile yet. At once when known. */
export function viewerOf(context: Context, customerId: number | null): MaybePromise<number> {
  if (customerId === null) return NOBODY
  return context.profileIds.get(customerId) ?? existingProfile(context, customerId).then((id) => id ?? NOBODY)
}

export type OwnProfile = { id: number; created: boolean }

/** The caller's profile, made now if it is absent. Two first requests at once make one profile. */
export async function ensureProfile(context: Context, customerId: number): Promise<OwnProfile> {
  const existing = await existingProfile(context, customerId)
  if (existing !== undefined) return { id: existing, created: false }
  return context.database.transaction((transaction) => makeProfile(transaction, customerId, context.now()))
}

/**
 * Runs `work` with the caller's profile in one transaction, so that a fault found in it also takes back a profile
 * that was made for it.
 */
export async function withOwnProfile<T>(
  context: Context,
  customerId: number,
  work: (transaction: Database, ownId: number) => Promise<T>,
): Promise<T> {
  const existing = await existingProfile(context, customerId)
  return context.database.transaction(async (transaction) => {
    const own = existing ?? (await makeProfile(transaction, customerId, context.now())).id
    return work(transaction, own)
  })
}

async function makeProfile(transaction: Database, customerId: number, now: number): Promise<OwnProfile> {
  const made = await transaction.one(insertProfile, { customerId, now })
  if (made === undefined) {
    const existing = await transaction.one(profileOfCustomer, { customerId })
    if (existing === undefined) throw sessionOver()
    return { id: existing.id, created: false }
  }
  await transaction.run(insertProfileCount, { profileId: made.id })
  return { id: made.id, created: true }
}

/** A customer's profile id never changes once it is committed, so it is remembered. */
async function existingProfile(context: Context, customerId: number): Promise<number | undefined> {
  const remembered = context.profileIds.get(customerId)
  if (remembered !== undefined) return remembered
  const row = await context.database.one(profileOfCustomer, { customerId })
  if (row !== undefined) context.profileIds.set(customerId, row.id)
  return row?.id
}

/** For other areas: a profile's status and how many it follows; undefined when there is no such profile. */
export function statusAndCountsOf(database: Database, id: number) {
  return database.one(profileStanding, { id })
}
