// A *profile* is a customer's public face, created the first time it is needed. The *viewer* is the profile of the
// customer who sends the request.

import { Fault } from '../faults.ts'
import { type Database, UniqueViolation } from '../platform/database/database.ts'
import { andThen, type MaybePromise } from '../platform/runtime/maybe-promise.ts'
import { storedWords } from '../platform/runtime/search-words.ts'
import { isReserved, nameLook } from '../text-rules/name-look.ts'
import { refuseBadText } from '../text-rules/text.ts'
import type { ProfilesContext } from './context.ts'
import { defaultName, toProfile, toPublicProfile } from './profile-view.ts'
import type { Profile } from './shapes.ts'
import type { ProfileRow } from './store.ts'
import * as sql from './store.ts'

export const NO_PROFILE = 0

export function getProfile(context: ProfilesContext, id: number, customerId: number | null, communities: boolean) {
  const { database, config } = context
  const requester = customerId !== null
  return andThen(viewerOf(context, customerId), (viewer): MaybePromise<Profile[]> => {
    if (!communities) {
      const found = database.one(sql.activeProfile, { id, viewer })
      return andThen(found, (row) => [toPublicProfile(config, id, orNoProfile(row), { requester, tips: undefined })])
    }
    const found = database.one(sql.profileById, { id, viewer })
    return andThen(found, (row) => [toProfile(config, activeOrNoProfile(orNoProfile(row)), { requester, communities })])
  })
}

function orNoProfile<R>(row: R | undefined): R {
  if (row === undefined) throw new Fault('noProfile', 'id')
  return row
}

function activeOrNoProfile(row: ProfileRow): ProfileRow {
  if (row.status !== 'A') throw new Fault('noProfile', 'id')
  return row
}

/** The profile as its owner sees it, whatever its status. */
export async function getOwnProfile(context: ProfilesContext, id: number, communities: boolean): Promise<Profile> {
  const row = await context.database.one(sql.profileById, { id, viewer: NO_PROFILE })
  return toProfile(context.config, row as ProfileRow, { requester: false, communities })
}

export async function updateOwnProfile(
  context: ProfilesContext,
  customerId: number,
  change: ProfileChange,
): Promise<Profile> {
  for (const parameter of ['name', 'biography'] as const) {
    const text = change[parameter]
    if (text !== null && text !== '') refuseBadText(context.textRules, parameter, text)
  }
  const id = await changedProfile(context, customerId, change)
  return getOwnProfile(context, id, false)
}

async function changedProfile(context: ProfilesContext, customerId: number, change: ProfileChange): Promise<number> {
  try {
    return await withOwnProfile(context, customerId, async (database, id) => {
      await writeChange(context, database, id, change)
      return id
    })
  } catch (error) {
    if (error instanceof UniqueViolation) throw new Fault('nameTaken', 'name')
    throw error
  }
}

type ProfileChange = { name: string | null; biography: string | null }

async function writeChange(
  { config }: ProfilesContext,
  database: Database,
  id: number,
  { name, biography }: ProfileChange,
): Promise<void> {
  if (name === null && biography === null) return
  const keys = name === null ? { nameKey: null, nameLook: null } : keysOf(name)
  if (keys.nameLook !== null && isNotForOwner(keys.nameLook, id, config.reservedNames)) {
    throw new Fault('nameTaken', 'name')
  }
  const words = {
    nameWords: name === null ? null : storedWords(name),
    biographyWords: biography === null ? null : storedWords(biography),
  }
  const written = await database.run(sql.updateProfile, { id, name, biography, ...keys, ...words })
  if (written === 0) throw sessionOver()
}

/** The customer was erased while the ticket was still cached: the same fault as for any ticket that has ended. */
export function sessionOver(): Fault {
  return new Fault('ticketInvalid', 'who-ticket')
}

// ---- Names

const DEFAULT_NAME = /^player-[0-9]+$/

/** A reserved name, or the default name of another profile. */
function isNotForOwner(look: string, id: number, reserved: readonly string[]): boolean {
  return (DEFAULT_NAME.test(look) && look !== nameLook(defaultName(id))) || isReserved(look, reserved)
}

/**
 * Two names are the same if either is equal. Both are needed: capital and small letters of another script may look like different
 * Latin ones (Greek Ν and ν like N and v).
 */
export function keysOf(name: string): { nameKey: string; nameLook: string } {
  return { nameKey: nameKey(name), nameLook: nameLook(name) }
}

/** Case, width and invisible characters do not count. */
function nameKey(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .normalize('NFKC')
}

// ---- The caller's profile

/** The id of the caller's profile; NO_PROFILE without a ticket or before the first use. Without a promise when cached. */
export function viewerOf(context: ProfilesContext, customerId: number | null): MaybePromise<number> {
  if (customerId === null) return NO_PROFILE
  return context.profileIds.get(customerId) ?? existingProfile(context, customerId).then((id) => id ?? NO_PROFILE)
}

export type OwnProfile = { id: number; created: boolean }

/** Creates the caller's profile if it is missing. Two first requests at once create one profile. */
export async function ensureProfile(context: ProfilesContext, customerId: number): Promise<OwnProfile> {
  const existing = await existingProfile(context, customerId)
  if (existing !== undefined) return { id: existing, created: false }
  return context.database.transaction((transaction) => createProfile(transaction, customerId, context.now()))
}

type WorkOfOwn<T> = (database: Database, ownId: number) => Promise<T>

/** Runs `work` with the caller's profile; `inTransaction`, if the profile has to be created, in the transaction that does. */
export async function withOwnProfile<T>(
  context: ProfilesContext,
  customerId: number,
  work: WorkOfOwn<T>,
  inTransaction = work,
): Promise<T> {
  const existing = await existingProfile(context, customerId)
  return existing === undefined ? withNewProfile(context, customerId, inTransaction) : work(context.database, existing)
}

/** The same for work that needs a transaction. */
export function transactionWithOwnProfile<T>(
  context: ProfilesContext,
  customerId: number,
  work: WorkOfOwn<T>,
): Promise<T> {
  const inItsOwn: WorkOfOwn<T> = (database, own) => database.transaction((transaction) => work(transaction, own))
  return withOwnProfile(context, customerId, inItsOwn, work)
}

/** Runs in one transaction, so that a fault leaves no profile behind. */
function withNewProfile<T>({ database, now }: ProfilesContext, customerId: number, work: WorkOfOwn<T>): Promise<T> {
  return database.transaction(async (transaction) =>
    work(transaction, (await createProfile(transaction, customerId, now())).id),
  )
}

async function createProfile(transaction: Database, customerId: number, now: number): Promise<OwnProfile> {
  const inserted = await transaction.one(sql.insertProfile, { customerId, now })
  if (inserted === undefined) {
    const existing = await transaction.one(sql.profileOfCustomer, { customerId })
    if (existing === undefined) throw sessionOver()
    return { id: existing.id, created: false }
  }
  return { id: inserted.id, created: true }
}

/** Cached: a customer's profile id never changes once it is committed. */
async function existingProfile(context: ProfilesContext, customerId: number): Promise<number | undefined> {
  const cached = context.profileIds.get(customerId)
  if (cached !== undefined) return cached
  const row = await context.database.one(sql.profileOfCustomer, { customerId })
  if (row !== undefined) context.profileIds.set(customerId, row.id)
  return row?.id
}

/** undefined: there is no such profile. */
export async function numFollowingsOf(database: Database, id: number): Promise<number | undefined> {
  return (await database.one(sql.numFollowings, { id }))?.num_followings
}
