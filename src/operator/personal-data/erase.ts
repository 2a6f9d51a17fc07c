import { eraseFlagTexts } from '../../flags/store.ts'
import { eraseReporterNote } from '../../flags/weight-store.ts'
import { eraseCustomer, lockCustomer } from '../../identity/customers/store.ts'
import { deleteSessionsOf } from '../../identity/sessions/store.ts'
import { eraseAppealsOf } from '../../moderation/appeals/appeal-store.ts'
import { eraseLabelsAndNotes } from '../../moderation/assignments/assignment-store.ts'
import {
  eraseReasonsOnComments,
  eraseReasonsOnProfile,
  formerPicturesOf,
} from '../../moderation/decisions/decision-store.ts'
import { eraseMutesAndBlocks } from '../../mutes/mute.ts'
import { eraseNotifications } from '../../notifications/write-batch.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { removeStoredPicture } from '../../profiles/picture.ts'
import { lockPicture, profileOfCustomer, resetBiography, resetName, setPicture } from '../../profiles/store.ts'
import { eraseLoggedTexts } from '../../tip-log/erase.ts'
import { eraseMethodsOf } from '../../wallets/cards/store.ts'
import type { WalletsContext } from '../../wallets/context.ts'
import { erasePendingLimits } from '../../wallets/limits/store.ts'
import { inTheWayOfErasure } from '../../wallets/reviews/erasure.ts'
import { CLEAR_WRITE_AHEAD_LOG, eraseComments, lockCommentsOf } from './store.ts'

type ErasureContext = ProfilesContext & WalletsContext

/**
 * Erases the log-in, the name on record, the sessions, the cards, what the customer wrote or uploaded (tips, appeals, why they flagged), moderators'
 * notes, statements and labels, the customer's mutes and blocks, and notifications to the customer or about what they did. Ids,
 * follows, flags, the blocks of others, deposits and the ledger stay. So do bets: they are the sportsbook's numbers, and a
 * deleted bet could be tipped again. Nobody is erased while money stands open. A process that has cached a session ends it some seconds later, as any session
 * (tickets.ts); it writes no text or picture meanwhile (OWNER_NOT_ERASED). false: there is no such customer.
 */
export async function erasePersonalData(context: ErasureContext, customerId: number): Promise<boolean> {
  const { database, now } = context
  const erased = await database.transaction(async (transaction) => {
    if ((await transaction.one(lockCustomer, { id: customerId })) === undefined) return null
    refuseWhileOpen(await inTheWayOfErasure(context, transaction, customerId))
    await transaction.run(eraseCustomer, { id: customerId, now: now() })
    await transaction.run(deleteSessionsOf, { customerId })
    await transaction.run(erasePendingLimits, { customerId })
    await transaction.run(eraseMethodsOf, { customerId, now: now() })
    const profile = await transaction.one(profileOfCustomer, { customerId })
    return { pictures: profile === undefined ? [] : await eraseProfile(transaction, profile.id) }
  })
  if (erased === null) return false
  for (const picture of erased.pictures) await removeStoredPicture(context, picture)
  if (database.engine === 'sqlite') await database.script(CLEAR_WRITE_AHEAD_LOG)
  return true
}

function refuseWhileOpen(inTheWay: readonly string[]): void {
  if (inTheWay.length === 0) return
  const text = `The customer still has ${inTheWay.join(', ')}. Pay, settle or write off what stands open, then erase.`
  throw new Refused('conflict', text, { inTheWay })
}

/**
 * Returns the keys of the pictures that the profile had: its own, and those that were reset and could be put back. In the order
 * of locks (docs/invariants.md). Nobody adds a comment meanwhile: that needs the customer's row, which is locked.
 */
async function eraseProfile(transaction: Database, id: number): Promise<string[]> {
  await transaction.query(lockCommentsOf, { profileId: id })
  const before = await transaction.one(lockPicture, { id })
  const former = await transaction.query(formerPicturesOf, { profileId: id })
  await transaction.run(resetName, { id })
  await transaction.run(resetBiography, { id })
  await transaction.run(setPicture, { id, picture: null })
  await eraseLoggedTexts(transaction, id)
  await transaction.run(eraseComments, { profileId: id })
  await eraseMutesAndBlocks(transaction, id)
  await transaction.run(eraseReporterNote, { profileId: id })
  await transaction.run(eraseFlagTexts, { profileId: id })
  await transaction.run(eraseReasonsOnProfile, { profileId: id })
  await transaction.run(eraseReasonsOnComments, { profileId: id })
  await transaction.run(eraseAppealsOf, { profileId: id })
  for (const statement of Object.values(eraseLabelsAndNotes)) await transaction.run(statement, { profileId: id })
  await eraseNotifications(transaction, id)
  return [...(before?.picture ? [before.picture] : []), ...former.map((row) => row.former)]
}
