import { Fault } from '../faults.ts'
import type { ProfilesContext } from './context.ts'
import { ensureProfile, getOwnProfile, sessionOver } from './profile.ts'
import type { Profile } from './shapes.ts'
import { lockOwnPicture, setPicture } from './store.ts'

export async function setOwnPicture(context: ProfilesContext, customerId: number, upload: Buffer): Promise<Profile> {
  // Loaded with the first picture: the encoder takes memory, and as long to load as the rest of the service.
  const { encodePicture } = await import('./pictures/encode.ts')
  const encoded = await encodePicture(upload)
  if (encoded === null) throw new Fault('notAnImage')
  const key = await context.pictures.put(encoded)
  return replacePicture(context, customerId, key)
}

export function removeOwnPicture(context: ProfilesContext, customerId: number): Promise<Profile> {
  return replacePicture(context, customerId, null)
}

/** Store the new picture, then update the profile, then remove the old one: no profile ever refers to a missing file. */
async function replacePicture(context: ProfilesContext, customerId: number, key: string | null): Promise<Profile> {
  const { id } = await ensureProfile(context, customerId)
  const before = await context.database.transaction(async (transaction) => {
    const row = await transaction.one(lockOwnPicture, { id })
    if (row !== undefined) await transaction.run(setPicture, { id, picture: key })
    return row
  })
  if (before === undefined) {
    if (key !== null) await removeStoredPicture(context, key)
    throw sessionOver()
  }
  if (before.picture !== null) await removeStoredPicture(context, before.picture)
  return getOwnProfile(context, id, false)
}

/** A failure is only logged: a file left behind costs a few kilobytes, a failed request more. */
export async function removeStoredPicture(context: ProfilesContext, key: string): Promise<void> {
  try {
    await context.pictures.remove(key)
  } catch (error) {
    context.log.warn(
      { err: error, picture: key },
      'a replaced picture could not be removed from the store; remove it by hand',
    )
  }
}
