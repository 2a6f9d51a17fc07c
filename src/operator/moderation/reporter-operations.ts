// Reporters, and what moderators see beside a subject.

import type { SubjectKind } from '../../flags/store.ts'
import { weightText } from '../../moderation/decisions/subjects.ts'
import { readContext, verdictOf } from '../../moderation/queue/subject-context.ts'
import type { FlagRow } from '../../moderation/queue/subject-context-store.ts'
import type { ReporterRow } from '../../moderation/reporters/reporter-store.ts'
import * as reporters from '../../moderation/reporters/reporters.ts'
import { defaultName } from '../../profiles/profile-view.ts'
import { REVIEWED_TIP_STATES } from '../../record/tip-state.ts'
import type { OperatorContext } from '../context.ts'
import { record } from '../record/operations.ts'
import * as s from '../server/fields.ts'
import { type AuditedCall, operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { shown } from '../server/shown.ts'
import { decisionColumns, decisionReasons, profileSubject, reason } from './review-schemas.ts'

export const marked = s.withDefault(
  s.oneOf(['all', 'muted', 'trusted'], 'all', 'Which reporters: all, only muted ones, or only trusted ones.'),
  'all',
)

const figures = {
  flags: s.count(2, 'All flags ever made, withdrawn ones too.'),
  upheld: s.count(0, 'Flags that a decision confirmed: removed, deactivated or reset.'),
  rejected: s.count(0, 'Flags that a decision did not confirm: kept or featured.'),
  weight: s.fromColumn(
    s.figure(
      '0.50',
      'What a flag weighs: (upheld + 1) / (upheld + rejected + 2). The flag of a muted reporter weighs nothing.',
    ),
    weightText,
  ),
  muted: s.boolean(false, 'Their flags weigh nothing.'),
  trusted: s.boolean(false, 'What they flag is in the lane of trusted reporters.'),
  note: s.string('', 'The operator’s note.'),
}

/** As the export of personal data has them. */
export const reporterFigures = s.object(figures)

export const reporter = s.namedObject('Reporter', {
  profileId: s.id('2'),
  customerId: s.id('2'),
  name: s.string('Bob Both Teams'),
  ...figures,
})
export type Reporter = s.ValueOf<typeof reporter>
const reporterOf = shown(reporter)

export const reporterMarks = s.allOptional({
  muted: s.boolean(false),
  trusted: s.boolean(true),
  note: s.stringOf({ maxLength: 1000, pattern: s.LINES }, 'Works for the league', 'Why the reporter is marked.'),
})
export type ReporterMarks = s.ValueOf<typeof reporterMarks>

// ---- Beside a subject

const flag = s.object({
  reason: s.orNull(reason, 'null: none was given.'),
  note: s.string('', 'What the reporter wrote.'),
  at: s.time(),
  verdict: s.oneOf(
    ['open', 'upheld', 'rejected', 'neither'],
    'open',
    'The result of the decision on it; open: there is none yet.',
  ),
  reporter,
})

const tip = s.object({
  id: s.id('24'),
  text: s.string('Bigger at the off, you will see'),
  state: s.oneOf(REVIEWED_TIP_STATES, 'live'),
  createdAt: s.time(),
  likes: s.count(4),
  event: s.string('Ascot race 4'),
  startsAt: s.time('When the event starts.'),
  outcome: s.string('Tin Soldier'),
})

export const subjectContext = s.namedObject('SubjectContext', {
  author: profileSubject,
  record,
  tips: s.object({
    count: s.count(1, 'How many tips the author has in any state, counted up to 1000.'),
    latest: s.list(tip, 'The latest 5 tips, in any state.'),
  }),
  thread: s.list(
    tip,
    'Of a comment: the latest 20 tips of its author on the same event, this one among them, oldest first.',
  ),
  decisionsOnTips: s.list(
    s.object({ commentId: s.id('24'), ...decisionColumns }, decisionReasons),
    'The latest 10 decisions on the author’s latest 500 tips. The newest comes first.',
    [],
  ),
  flags: s.list(flag, 'The latest 20 flags of the subject. Open ones come first.'),
})
export type SubjectContext = s.ValueOf<typeof subjectContext>

const flagOf = shown(flag)
const tipOf = shown(tip)

const CONTEXT =
  'The answer has the author with the record, tips and decisions on them, and those who flagged the subject.'

export const reporterOperations = [
  operatorOperation({
    name: 'getProfileContext',
    summary: 'Read what helps to decide on a profile',
    description: CONTEXT,
    route: 'GET /moderation/profiles/{id}/context',
    role: 'moderator',
    audit: 'read the context of profile {id}',
    answer: { 200: subjectContext },
    example: { path: { id: '15' } },
    handle: (context, { path }) => showContext(context, 'profile', path.id),
  }),
  operatorOperation({
    name: 'getCommentContext',
    summary: 'Read what helps to decide on a comment',
    description: CONTEXT,
    route: 'GET /moderation/comments/{id}/context',
    role: 'moderator',
    audit: 'read the context of comment {id}',
    answer: { 200: subjectContext },
    example: { path: { id: '24' } },
    handle: (context, { path }) => showContext(context, 'comment', path.id),
  }),
  operatorOperation({
    name: 'listReporters',
    summary: 'List those who flag',
    description: 'The reporter with the most flags comes first.',
    route: 'GET /reporters',
    role: 'moderator',
    audit: 'listed the reporters',
    query: s.allOptional({ marked, ...paging }),
    answer: { 200: s.page(reporter) },
    example: { query: { marked: 'all', limit: 20 } },
    async handle({ database }, { query }) {
      const start = [reporters.REPORTERS_START.flags, reporters.REPORTERS_START.profileId]
      const [flags, profileId] = positionOf(query.cursor, start) as [number, number]
      const read = await reporters.listReporters(database, query.marked, { flags, profileId, limit: query.limit + 1 })
      const { rows, cursor } = pageOf(read, query.limit, (row) => [row.flags, row.profile_id])
      return { items: rows.map(showReporter), cursor }
    },
  }),
  operatorOperation({
    name: 'getReporter',
    summary: 'Read how often a reporter was right',
    description: 'A profile that has never flagged has zeros.',
    route: 'GET /reporters/{profileId}',
    role: 'moderator',
    audit: 'read reporter {profileId}',
    answer: { 200: reporter },
    problems: { 404: 'There is no such profile.' },
    example: { path: { profileId: '2' } },
    handle: async ({ database }, { path }) => showReporter(await reporters.readReporter(database, path.profileId)),
  }),
  operatorOperation({
    name: 'markReporter',
    summary: 'Mute or trust a reporter',
    description:
      'What is absent stays as it is. The flags of a muted reporter are stored and shown, but weigh nothing: alone they ' +
      'put nothing into the queue. The weights of open flags follow within some seconds.',
    route: 'PUT /reporters/{profileId}',
    role: 'moderator',
    audit: markSentence,
    body: reporterMarks,
    answer: { 200: reporter },
    problems: { 404: 'There is no such profile.', 422: 'The reporter would be both muted and trusted.' },
    example: {
      path: { profileId: '2' },
      body: { trusted: true, note: 'Works for the league' },
      answer: { trusted: true, note: 'Works for the league' },
    },
    async handle({ database }, { path, body }) {
      return showReporter(await reporters.markReporter(database, path.profileId, body as reporters.MarkChange))
    },
  }),
]

async function showContext(context: OperatorContext, kind: SubjectKind, id: number): Promise<SubjectContext> {
  const { tips, thread, flags, ...same } = await readContext(context, kind, id)
  const shownTips = { count: tips[0]?.tips ?? 0, latest: tips.map((row) => tipOf(row)) }
  return { ...same, tips: shownTips, thread: thread.map((row) => tipOf(row)), flags: flags.map(showFlag) }
}

function showFlag(row: FlagRow) {
  return flagOf(row, { note: row.flag_note, verdict: verdictOf(row), reporter: showReporter(row) })
}

function showReporter(row: ReporterRow): Reporter {
  return reporterOf(row, { name: row.name ?? defaultName(row.profile_id) })
}

/** "muted reporter 2". */
function markSentence({ path, body }: AuditedCall): string {
  const marks = [
    ...(body.muted === undefined ? [] : [body.muted ? 'muted' : 'unmuted']),
    ...(body.trusted === undefined ? [] : [body.trusted ? 'trusted' : 'stopped trusting']),
  ]
  return `${marks.length === 0 ? 'changed the note on' : marks.join(' and ')} reporter ${path.profileId}`
}
