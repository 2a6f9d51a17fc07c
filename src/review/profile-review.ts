import { countTipsOfProfile } from '../communities/tip-status.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { removeStoredPicture } from '../profiles/picture.ts'
import { setProfileStatus } from '../profiles/status.ts'
import { resetBiography, resetName, setPicture } from '../profiles/store.ts'
import { Refused } from '../runtime/refused.ts'
import type { ProfileAction } from './actions.ts'
import { type NewDecision, readDecisions, recordDecision } from './decisions.ts'
import { lockReviewedProfile, profileForReview } from './store.ts'
import { refuseIfChanged } from './subject-version.ts'
import { profileView, reviewSubject } from './subjects.ts'

export function readProfileForReview({ config, database }: Context, id: number) {
  return readProfile(config, database, id)
}

/** `status`: shown instead of the profile's own. */
async function readProfile(config: Config, database: Database, id: number, status?: ProfileStatus) {
  const row = await database.one(profileForReview, { id })
  if (row === undefined) throw noProfile(id)
  const view = profileView(config, status === undefined ? row : { ...row, status })
  const decisions = await readDecisions(database, 'profile', id)
  return { ...reviewSubject(row, view, decisions), flagsEver: row.flags_ever }
}

/** Returns the profile as it is afterwards. */
export async function decideOnProfile(context: Context, id: number, decision: NewDecision<ProfileAction>) {
  const { config, database } = context
  const { action, version } = decision
  const status = STATUS_AFTER[action]
  const { after, removedPicture } = await database.transaction(async (transaction) => {
    // Status first: changes of it wait for each other, and whoever waits must not hold a lock on a profile meanwhile.
    const isStatusChanged = status !== undefined && (await setProfileStatus(transaction, id, status))
    if (isStatusChanged) await countTipsOfProfile(transaction, id, status === 'A' ? 1 : -1)
    // From here on new flags of this profile wait, and queue it again afterwards.
    const before = await transaction.one(lockReviewedProfile, { id })
    if (before === undefined) throw noProfile(id)
    const statusBefore = isStatusChanged ? OPPOSITE[status] : undefined
    refuseIfChanged(await readProfile(config, transaction, id, statusBefore), version)
    await RESETS[action]?.(transaction, id)
    await recordDecision(transaction, { kind: 'profile', subjectId: id }, decision)
    const after = await readProfile(config, transaction, id)
    return { after, removedPicture: action === 'reset-picture' ? before.picture : null }
  })
  if (removedPicture !== null) await removeStoredPicture(context, removedPicture)
  return after
}

function noProfile(id: number): Refused {
  return new Refused('unknown', `There is no profile ${id}.`)
}

/** Active or inactive. */
type ProfileStatus = 'A' | 'I'

const STATUS_AFTER: Partial<Record<ProfileAction, ProfileStatus>> = { deactivate: 'I', reactivate: 'A' }
const OPPOSITE = { A: 'I', I: 'A' } as const

const RESETS: Partial<Record<ProfileAction, (transaction: Database, id: number) => Promise<unknown>>> = {
  'reset-name': (transaction, id) => transaction.run(resetName, { id }),
  'reset-biography': (transaction, id) => transaction.run(resetBiography, { id }),
  'reset-picture': (transaction, id) => transaction.run(setPicture, { id, picture: null }),
}
