import { readdirSync, readFileSync } from 'node:fs'
import { setOwnPicture } from '../../profiles/picture.ts'
import { PicturesUnavailable } from '../../profiles/pictures/store.ts'
import { ensureProfile, getOwnProfile } from '../../profiles/profile.ts'
import { pictureAddress } from '../../profiles/profile-view.ts'
import type { SandboxContext } from '../context.ts'
import { at } from './tips.ts'

/** By the customer's id: 101.png. */
const PORTRAITS = new URL('../../../assets/sandbox/portraits/', import.meta.url)

/** As customers would upload them. Every step can be repeated. Without a store for pictures everybody keeps the default. */
export async function seedPortraits(context: SandboxContext, time: number): Promise<void> {
  try {
    for (const file of readdirSync(PORTRAITS)) {
      const customerId = Number.parseInt(file, 10)
      const { id } = await ensureProfile(context, customerId)
      const { picture } = await getOwnProfile(context, id, false)
      if (picture !== pictureAddress(context.config, null)) continue
      await setOwnPicture(at(context, time), customerId, readFileSync(new URL(file, PORTRAITS)))
    }
  } catch (error) {
    if (!(error instanceof PicturesUnavailable)) throw error
    context.log.warn({ err: error }, 'the sandbox’s portraits could not be stored')
  }
}
