// What a decision replaced is stored with it, so that an overturned decision can put it back, and deleted when no appeal can
// bring it back any more. A picture that was reset is stored under a new key that nobody knows: its old address is public.

import type { Database } from '../../platform/database/database.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { removeStoredPicture } from '../../profiles/picture.ts'
import { APPEAL_MS } from './actions.ts'
import { expiredFormers, lockFormer, setFormer } from './decision-store.ts'

/** `to` is null where the picture could not be copied: then it cannot be put back. */
export type PictureCopy = { readonly from: string; readonly to: string | null }

export async function copyPicture(context: ProfilesContext, key: string): Promise<PictureCopy> {
  try {
    const stored = await context.pictures.get(key)
    if (stored === null) return { from: key, to: null }
    const kind = key.endsWith('.png')
      ? ({ mediaType: 'image/png', extension: 'png' } as const)
      : ({ mediaType: 'image/jpeg', extension: 'jpg' } as const)
    return { from: key, to: await context.pictures.put({ bytes: stored.bytes, ...kind }) }
  } catch (error) {
    context.log.warn({ err: error, picture: key }, 'a picture that is reset could not be stored for an appeal')
    return { from: key, to: null }
  }
}

/** Deletes the stored value, and returns it. The caller removes a picture when the transaction is committed. */
export async function takeFormer(transaction: Database, decisionId: number): Promise<string | null> {
  const former = (await transaction.one(lockFormer, { id: decisionId }))?.former ?? null
  if (former !== null) await transaction.run(setFormer, { id: decisionId, former: null, before: former })
  return former
}

/**
 * Deletes former values past the appeal period with no open appeal. Files are removed after their rows: one that is
 * left behind is only logged.
 */
export async function deleteExpiredFormers(context: ProfilesContext): Promise<void> {
  const { database, now } = context
  for (;;) {
    const expired = await database.query(expiredFormers, { before: now() - APPEAL_MS })
    if (expired.length === 0) return
    for (const { id, action, former } of expired) {
      const isDeleted = (await database.run(setFormer, { id, former: null, before: former })) === 1
      if (isDeleted && action === 'reset-picture') await removeStoredPicture(context, former)
    }
  }
}
