// Terminology. The *queue* is what has flags that no moderator has decided on; a *subject* is one profile or comment in
// it. Every action is a decision: the subject leaves the queue until new flags come.

import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { type Database, idParameters, type Statement } from '../database/database.ts'
import { recordDecision } from '../moderation/flag.ts'
import { decisionsOn, type Kind } from '../moderation/store.ts'
import { removeStoredPicture } from '../profiles/picture.ts'
import { setProfileStatus } from '../profiles/status.ts'
import { resetBiography, resetName, setPicture } from '../profiles/store.ts'
import {
  commentQueue,
  decisionsOnPage,
  lockModerated,
  MOST_ON_PAGE,
  profileForReview,
  profileQueue,
  type QueuePage,
  queueLength,
  type ReviewRow,
} from '../review/store.ts'
import { refuseIfChanged } from '../review/subject-version.ts'
import {
  PROFILE_ACTIONS,
  type ProfileAction,
  type Shown,
  showComment,
  showProfile,
  toDecision,
  toSubject,
} from '../review/subjects.ts'
import { note, type OperatorOperation, object, operatorOperation, version } from './frame/operation.ts'
import { type Page, type Paging, pageOf, paging, placeOf } from './frame/pages.ts'
import { notFound } from './frame/problem.ts'

/** How one kind of subject is queued and shown. */
type Reviewed<Row extends ReviewRow> = {
  queue: Statement<QueuePage, Row>
  show: (config: Config, row: Row) => Shown
}

/** Checks that a kind shows what its queue reads, and forgets the details. */
function reviewed<Row extends ReviewRow>(kind: Reviewed<Row>): Reviewed<ReviewRow> {
  return kind as unknown as Reviewed<ReviewRow>
}

const kinds = {
  profile: reviewed({ queue: profileQueue, show: showProfile }),
  comment: reviewed({ queue: commentQueue, show: (_config, row) => showComment(row) }),
} satisfies Record<Kind, Reviewed<ReviewRow>>

export const moderationOperations: OperatorOperation[] = [
  operatorOperation<undefined, Paging & { kind: keyof typeof kinds }>({
    name: 'readModerationQueue',
    summary:
      'What is flagged and not yet decided, most flags first, with its earlier decisions; how many wait, counted up to 1000',
    method: 'GET',
    path: '/moderation/queue',
    role: 'moderator',
    personalData: true,
    query: { kind: { type: 'string', enum: Object.keys(kinds), default: 'profile' }, ...paging },
    handle: async (context, { query }) => ({ status: 200, body: await readQueue(context, query.kind, query) }),
  }),
  operatorOperation({
    name: 'getModeratedProfile',
    summary: 'A profile, active or not, with its flags and all decisions on it',
    method: 'GET',
    path: '/moderation/profiles/{id}',
    role: 'moderator',
    personalData: true,
    handle: async ({ config, database }, { path }) => ({
      status: 200,
      body: await readProfile(config, database, Number(path.id)),
    }),
  }),
  operatorOperation<{ action: ProfileAction; note: string; version?: string }>({
    name: 'moderateProfile',
    summary: 'Decide on a profile: answers what it is now',
    method: 'POST',
    path: '/moderation/profiles/{id}',
    role: 'moderator',
    body: object({ action: { type: 'string', enum: PROFILE_ACTIONS }, note, version }, ['action']),
    async handle(context, { operator, path, body }) {
      const decision = { ...body, actor: operator.name, now: context.now() }
      return { status: 200, body: await moderateProfile(context, Number(path.id), decision) }
    },
  }),
]

const NO_FLAGS_YET = Number.MAX_SAFE_INTEGER

async function readQueue(
  { config, database }: Context,
  kind: keyof typeof kinds,
  paging: Paging,
): Promise<Page<object> & { waiting: number }> {
  const { queue, show } = kinds[kind]
  const [flags, subjectId] = placeOf(paging.cursor, [NO_FLAGS_YET, 0]) as [number, number]
  const read = await database.query(queue, { flags, subjectId, limit: paging.limit + 1 })
  const { rows, cursor } = pageOf(read, paging.limit, (row) => [row.flags, row.subject_id])
  const decisions = await decisionsBySubject(database, kind, rows)
  const items = rows.map((row) => toSubject(kind, row, show(config, row), decisions.get(row.subject_id) ?? []))
  return { items, cursor, waiting: (await database.one(queueLength, { kind }))?.waiting ?? 0 }
}

async function decisionsBySubject(database: Database, kind: Kind, rows: ReviewRow[]) {
  const ids = rows.map((row) => row.subject_id)
  const listed = idParameters(MOST_ON_PAGE, ids)
  const found = ids.length === 0 ? [] : await database.query(decisionsOnPage, { kind, ...listed })
  const grouped = Map.groupBy(found, (row) => row.subject_id)
  return new Map([...grouped].map(([id, decisions]) => [id, decisions.map(toDecision)]))
}

/** `as`: shown with this status instead of its own. */
async function readProfile(config: Config, database: Database, id: number, as?: 'A' | 'I') {
  const row = await database.one(profileForReview, { id })
  if (row === undefined) throw notFound(`profile ${id}`)
  const decisions = await database.query(decisionsOn, { kind: 'profile', subjectId: id })
  const shown = showProfile(config, { ...row, status: as ?? row.status })
  return { ...toSubject('profile', row, shown, decisions.map(toDecision)), flagsEver: row.flags_ever }
}

type ProfileDecision = { action: ProfileAction; note: string; version?: string; actor: string; now: number }

async function moderateProfile(context: Context, id: number, decision: ProfileDecision): Promise<object> {
  const { action } = decision
  const status = STATUSES[action]
  const { after, removed } = await context.database.transaction(async (transaction) => {
    // Status first: such changes take turns, and whoever waits for a turn must not hold a profile meanwhile.
    const isChanged = status !== undefined && (await setProfileStatus(transaction, id, status))
    // From here flags of this profile wait, and queue it again afterwards.
    const before = await transaction.one(lockModerated, { id })
    if (before === undefined) throw notFound(`profile ${id}`)
    const statusBefore = isChanged ? OPPOSITE[status] : undefined
    refuseIfChanged(await readProfile(context.config, transaction, id, statusBefore), decision.version)
    await RESETS[action]?.(transaction, id)
    await recordDecision(transaction, { kind: 'profile', subjectId: id, ...decision })
    const after = await readProfile(context.config, transaction, id)
    return { after, removed: action === 'reset-picture' ? before.picture : null }
  })
  if (removed !== null) await removeStoredPicture(context, removed)
  return after
}

const STATUSES: Partial<Record<ProfileAction, 'A' | 'I'>> = { deactivate: 'I', reactivate: 'A' }
const OPPOSITE = { A: 'I', I: 'A' } as const

const RESETS: Partial<Record<ProfileAction, (transaction: Database, id: number) => Promise<unknown>>> = {
  'reset-name': (transaction, id) => transaction.run(resetName, { id }),
  'reset-biography': (transaction, id) => transaction.run(resetBiography, { id }),
  'reset-picture': (transaction, id) => transaction.run(setPicture, { id, picture: null }),
}
