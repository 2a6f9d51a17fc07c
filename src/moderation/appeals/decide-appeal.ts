// Deciding an appeal. *Upheld*: the decision stays. *Overturned*: for the author, what the decision changed is put back; for a
// reporter, the moderator takes the action that was missing. Either is a decision of its own in the history.

import { lockComment } from '../../communities/store.ts'
import { countTipsOfProfile } from '../../communities/tip-status.ts'
import { overturnVerdicts } from '../../flags/weights.ts'
import { type Database, UniqueViolation } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { storedWords } from '../../platform/runtime/search-words.ts'
import type { ProfilesContext } from '../../profiles/context.ts'
import { removeStoredPicture } from '../../profiles/picture.ts'
import { keysOf } from '../../profiles/profile.ts'
import { setProfileStatus } from '../../profiles/status.ts'
import { lockStatusChanges } from '../../profiles/status-store.ts'
import { putBackBiography, putBackName, putBackPicture } from '../../profiles/store.ts'
import {
  type CommentAction,
  isRestricting,
  OVERTURN,
  type ProfileAction,
  type RestrictingAction,
} from '../decisions/actions.ts'
import { decideOnCommentIn, restore } from '../decisions/comment-review.ts'
import { setOverturned } from '../decisions/decision-store.ts'
import { writeDecision } from '../decisions/decisions.ts'
import { type PictureCopy, takeFormer } from '../decisions/former-values.ts'
import { decideOnProfileIn, withPictureCopied } from '../decisions/profile-review.ts'
import type { GivenReasons } from '../decisions/reasons.ts'
import { lockReviewedProfile } from '../decisions/store.ts'
import { DecisionConflict, refuseIfChanged } from '../decisions/subjects.ts'
import * as sql from './appeal-store.ts'
import { type Appeal, canPutBack, readAppeal, withSubjects } from './appeals.ts'

/** `action` and its reasons: what is done now for a reporter. `putBack` false: overturned, but the content stays as it is. */
export type AppealDecision = GivenReasons & {
  outcome: sql.AppealOutcome
  reply: string
  note: string
  putBack: boolean
  action?: string
  version?: string
  actor: string
  now: number
}

/** Returns the appeal as it is afterwards. */
export async function decideAppeal(context: ProfilesContext, id: number, decision: AppealDecision): Promise<Appeal> {
  const found = await readAppeal(context, id)
  if (found === undefined) throw new Refused('unknown', `There is no appeal ${id}.`)
  const { row, appeal } = found
  if (decision.version !== undefined && decision.version !== appeal.version) {
    throw conflict(
      'Since you saw it, the appeal or its subject has changed. Your answer was not saved: look at it again.',
      appeal,
    )
  }
  if (row.state !== 'open') throw conflict(`The appeal was decided already: ${row.state}.`, appeal)
  await refuseFirstModerator(context, appeal, decision)
  const action = actionOf(appeal, decision)
  const unused = await withPictureCopied(context, row.subject_id, action ?? '', (copy) =>
    context.database.transaction((transaction) => {
      const work: Work = { transaction, context, row, appeal, decision }
      if (decision.outcome === 'upheld') return uphold(work)
      return action === null ? overturnForAuthor(work) : overturnForReporter(work, action, copy)
    }),
  ).catch(async (error) => {
    // The conflict is about the subject; the answer shows the appeal, with the subject in it.
    if (error instanceof DecisionConflict) {
      throw conflict(error.message, (await readAppeal(context, id))?.appeal as Appeal)
    }
    if (!(error instanceof UniqueViolation)) throw error
    const advice = 'Send putBack: false to overturn the decision without the name.'
    throw conflict(`Another profile has the name by now. ${advice}`, appeal)
  })
  if (unused !== null && row.action === 'reset-picture') await removeStoredPicture(context, unused)
  return (await readAppeal(context, id))?.appeal as Appeal
}

type Work = {
  transaction: Database
  context: ProfilesContext
  row: sql.AppealRow
  appeal: Appeal
  decision: AppealDecision
}

function conflict(message: string, current: Appeal): Refused {
  return new Refused('conflict', message, { current })
}

/** Nobody judges their own decision where somebody else can. */
async function refuseFirstModerator({ database }: ProfilesContext, appeal: Appeal, { actor, now }: AppealDecision) {
  if (appeal.decision.actor !== actor) return
  const other = await database.one(sql.otherModerator, { name: actor, now })
  if (other === undefined) return
  throw conflict(
    `You made the decision that is appealed. Somebody else must decide the appeal, such as ${other.name}.`,
    appeal,
  )
}

/** The action that a reporter's appeal leads to; null: none is taken. */
function actionOf({ party, subject }: Appeal, { outcome, action }: AppealDecision): RestrictingAction | null {
  if (party === 'author' || outcome === 'upheld') {
    if (action === undefined) return null
    throw new Refused('invalid', 'Only a reporter’s appeal that is overturned has an action: leave it out.')
  }
  if (action === undefined || !isRestricting(action) || !(subject.actions as readonly string[]).includes(action)) {
    const possible = subject.actions.filter(isRestricting).join(', ') || 'none'
    throw new Refused(
      'invalid',
      `To overturn the rejection of a flag, send the action to take now. Possible: ${possible}.`,
    )
  }
  return action
}

/** Returns the former value, which nobody needs any more. */
async function uphold({ transaction, row, appeal, decision }: Work): Promise<string | null> {
  const former = await takeFormer(transaction, row.id)
  await decideRow(transaction, appeal, decision)
  return former
}

/** Returns the former value if it was not put back. */
async function overturnForAuthor(work: Work): Promise<string | null> {
  const { transaction, context, row, appeal, decision } = work
  await lockSubject(transaction, row)
  // What was read before the locks may have changed. Of the decision only with the subject's version: its history is in it.
  const [current] = (await withSubjects({ ...context, database: transaction }, [row])) as [Appeal]
  refuseIfChanged(current.subject, appeal.subject.version)
  const former = await takeFormer(transaction, row.id)
  const { action } = row
  const changed = decision.putBack && isRestricting(action) && canPutBack({ ...row, former }, current.subject)
  if (changed) await PUT_BACK[action](work, former ?? '')
  const made = { action: OVERTURN, note: decision.note, actor: decision.actor, now: decision.now, overturns: row.id }
  const subject = { kind: row.kind, subjectId: row.subject_id }
  const by = await writeDecision(transaction, subject, made, { reasons: null, changed })
  await answer(work, by)
  return changed ? null : former
}

async function overturnForReporter(work: Work, action: RestrictingAction, copy: PictureCopy | null): Promise<null> {
  const { transaction, context, row, appeal, decision } = work
  const made = { ...decision, version: appeal.subject.version, overturns: row.id }
  const { decisions } =
    row.kind === 'comment'
      ? (await decideOnCommentIn(transaction, row.subject_id, { ...made, action: action as CommentAction })).after
      : await decideOnProfileIn(
          transaction,
          context.config,
          { id: row.subject_id, copy },
          { ...made, action: action as ProfileAction },
        )
  await answer(work, Number(decisions.at(-1)?.id))
  return null
}

/** Status changes first, as in decideOnProfileIn. */
async function lockSubject(transaction: Database, { kind, subject_id, action }: sql.AppealRow): Promise<void> {
  if (kind === 'comment') await transaction.one(lockComment, { id: subject_id })
  else {
    if (action === 'deactivate') await transaction.one(lockStatusChanges, {})
    await transaction.one(lockReviewedProfile, { id: subject_id })
  }
}

type PutBack = (work: Work, former: string) => Promise<unknown>

const PUT_BACK: Record<RestrictingAction, PutBack> = {
  async remove({ transaction, row }) {
    const comment = await transaction.one(lockComment, { id: row.subject_id })
    if (comment !== undefined) await restore(transaction, row.subject_id, comment)
  },
  async deactivate({ transaction, row }) {
    await setProfileStatus(transaction, row.subject_id, 'A')
    await countTipsOfProfile(transaction, row.subject_id, 1)
  },
  // Throws UniqueViolation when another profile has the name by now.
  'reset-name': ({ transaction, row }, name) =>
    transaction.run(putBackName, { id: row.subject_id, name, ...keysOf(name), nameWords: storedWords(name) }),
  'reset-biography': ({ transaction, row }, biography) =>
    transaction.run(putBackBiography, { id: row.subject_id, biography, biographyWords: storedWords(biography) }),
  'reset-picture': ({ transaction, row }, picture) => transaction.run(putBackPicture, { id: row.subject_id, picture }),
}

/** The other parties with an open appeal against the same decision get the same answer. */
async function answer({ transaction, row, appeal, decision }: Work, by: number): Promise<void> {
  if ((await transaction.run(setOverturned, { id: row.id, by })) === 0) {
    throw conflict('The decision was overturned already.', appeal)
  }
  await overturnVerdicts(transaction, row.id)
  await decideRow(transaction, appeal, decision)
  await transaction.run(sql.decideOtherAppeals, { decisionId: row.id, ...writtenOf(decision) })
}

async function decideRow(transaction: Database, appeal: Appeal, decision: AppealDecision): Promise<void> {
  const decided = await transaction.run(sql.decideAppealRow, { id: Number(appeal.id), ...writtenOf(decision) })
  if (decided === 0) throw conflict('Somebody else has just decided the appeal.', appeal)
}

const writtenOf = ({ outcome: state, reply, actor, now }: AppealDecision) => ({ state, reply, actor, now })
