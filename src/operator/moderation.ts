import type { Context } from '../context.ts'
import type { SubjectKind } from '../moderation/store.ts'
import { decideOnProfile, readProfileForReview } from '../review/profile-review.ts'
import { countWaiting, QUEUE_START, readQueue, SUBJECT_KINDS, withDecisions } from '../review/queue.ts'
import { PROFILE_ACTIONS, type ProfileAction } from '../review/subjects.ts'
import { note, type OperatorOperation, object, operatorOperation, version } from './frame/operation.ts'
import { type Paging, pageOf, paging, placeOf } from './frame/pages.ts'

export const moderationOperations: OperatorOperation[] = [
  operatorOperation<undefined, Paging & { kind: SubjectKind }>({
    name: 'readModerationQueue',
    summary:
      'Flagged profiles or comments that await a decision, most flags first, with earlier decisions; `waiting` is counted up to 1000',
    method: 'GET',
    path: '/moderation/queue',
    role: 'moderator',
    personalData: true,
    query: { kind: { type: 'string', enum: SUBJECT_KINDS, default: 'profile' }, ...paging },
    handle: async (context, { query }) => ({ status: 200, body: await queuePage(context, query.kind, query) }),
  }),
  operatorOperation({
    name: 'getModeratedProfile',
    summary: 'A profile, active or not, with its flags and all decisions on it',
    method: 'GET',
    path: '/moderation/profiles/{id}',
    role: 'moderator',
    personalData: true,
    handle: async (context, { path }) => ({ status: 200, body: await readProfileForReview(context, Number(path.id)) }),
  }),
  operatorOperation<{ action: ProfileAction; note: string; version?: string }>({
    name: 'moderateProfile',
    summary: 'Decide on a profile; the response is the profile afterwards',
    method: 'POST',
    path: '/moderation/profiles/{id}',
    role: 'moderator',
    body: object({ action: { type: 'string', enum: PROFILE_ACTIONS }, note, version }, ['action']),
    async handle(context, { operator, path, body }) {
      const decision = { ...body, actor: operator.name, now: context.now() }
      return { status: 200, body: await decideOnProfile(context, Number(path.id), decision) }
    },
  }),
]

async function queuePage(context: Context, kind: SubjectKind, { cursor: after, limit }: Paging) {
  const [flags, subjectId] = placeOf(after, [QUEUE_START.flags, QUEUE_START.subjectId]) as [number, number]
  const read = await readQueue(context.database, kind, { flags, subjectId, limit: limit + 1 })
  const { rows, cursor } = pageOf(read, limit, (row) => [row.flags, row.subject_id])
  const items = await withDecisions(context, kind, rows)
  return { items, cursor, waiting: await countWaiting(context.database, kind) }
}
