import { countTipsOfProfile } from '../../communities/tip-status.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { removeStoredPicture } from '../../profiles/picture.ts'
import { setProfileStatus } from '../../profiles/status.ts'
import { type ProfileStatus, resetBiography, resetName, setPicture } from '../../profiles/store.ts'
import type { ProfileAction } from './actions.ts'
import { type Effect, type NewDecision, readDecisions, recordDecision } from './decisions.ts'
import { copyPicture, type PictureCopy } from './former-values.ts'
import { lockReviewedProfile, profileForReview, type ReviewedProfile } from './store.ts'
import { DecisionConflict, profileView, refuseIfChanged, reviewSubject } from './subjects.ts'

export function readProfileForReview({ config, database }: ProfilesContext, id: number) {
  return readProfile(config, database, id)
}

/** `status`: shown instead of the profile's own. */
export async function readProfile(config: Config, database: Database, id: number, status?: ProfileStatus) {
  const row = await database.one(profileForReview, { id })
  if (row === undefined) throw noProfile(id)
  const view = profileView(config, status === undefined ? row : { ...row, status })
  const decisions = await readDecisions(database, 'profile', id)
  return { ...reviewSubject(row, view, decisions), flagsEver: row.flags_ever }
}

/** Returns the profile as it is afterwards. */
export function decideOnProfile(context: ProfilesContext, id: number, decision: NewDecision<ProfileAction>) {
  return withPictureCopied(context, id, decision.action, (copy) =>
    context.database.transaction((transaction) =>
      decideOnProfileIn(transaction, context.config, { id, copy }, decision),
    ),
  )
}

/**
 * Runs `work`, whose transaction decides on the profile, with a copy of the picture that it resets. Then removes the picture
 * itself; or the copy, if the work failed.
 */
export async function withPictureCopied<T>(
  context: ProfilesContext,
  id: number,
  action: string,
  work: (copy: PictureCopy | null) => Promise<T>,
): Promise<T> {
  if (action !== 'reset-picture') return work(null)
  const picture = (await context.database.one(profileForReview, { id }))?.picture ?? null
  const copy = picture === null ? null : await copyPicture(context, picture)
  try {
    const result = await work(copy)
    if (copy !== null) await removeStoredPicture(context, copy.from)
    return result
  } catch (error) {
    if (copy?.to) await removeStoredPicture(context, copy.to)
    throw error
  }
}

type ProfileToDecide = { id: number; copy: PictureCopy | null }

export async function decideOnProfileIn(
  transaction: Database,
  config: Config,
  { id, copy }: ProfileToDecide,
  decision: NewDecision<ProfileAction>,
) {
  const { action, version } = decision
  const status = STATUS_AFTER[action]
  // Status first: changes of it wait for each other, and whoever waits must not hold a lock on a profile meanwhile.
  const isStatusChanged = status !== undefined && (await setProfileStatus(transaction, id, status))
  if (isStatusChanged) await countTipsOfProfile(transaction, id, status === 'A' ? 1 : -1)
  // From here on new flags of this profile wait, and queue it again afterwards.
  const before = await transaction.one(lockReviewedProfile, { id })
  if (before === undefined) throw noProfile(id)
  const statusBefore = isStatusChanged ? OPPOSITE[status] : undefined
  const current = await readProfile(config, transaction, id, statusBefore)
  refuseIfChanged(current, version)
  if (action === 'reset-picture' && before.picture !== (copy?.from ?? null))
    throw new DecisionConflict('The author has just changed the picture: look at it again.', current)
  await RESETS[action]?.(transaction, id)
  const replaced = FORMER[action]?.(before) ?? null
  const former = action === 'reset-picture' ? (copy?.to ?? null) : replaced
  const effect: Effect = { changed: isStatusChanged || replaced !== null, former }
  await recordDecision(transaction, { kind: 'profile', subjectId: id }, decision, effect)
  return readProfile(config, transaction, id)
}

export function noProfile(id: number): Refused {
  return new Refused('unknown', `There is no profile ${id}.`)
}

const STATUS_AFTER: Partial<Record<ProfileAction, ProfileStatus>> = { deactivate: 'I', reactivate: 'A' }
const OPPOSITE = { A: 'I', I: 'A' } as const

const RESETS: Partial<Record<ProfileAction, (transaction: Database, id: number) => Promise<unknown>>> = {
  'reset-name': (transaction, id) => transaction.run(resetName, { id }),
  'reset-biography': (transaction, id) => transaction.run(resetBiography, { id }),
  'reset-picture': (transaction, id) => transaction.run(setPicture, { id, picture: null }),
}

/** What a reset replaces; null: there was nothing. */
const FORMER: Partial<Record<ProfileAction, (before: ReviewedProfile) => string | null>> = {
  'reset-name': ({ name }) => name,
  'reset-biography': ({ biography }) => biography || null,
  'reset-picture': ({ picture }) => picture,
}
