import { object } from '../../http/representation/json-schema.ts'
import {
  listReporters,
  type MarkChange,
  markReporter,
  REPORTERS_START,
  readReporter,
  showReporters,
} from '../../moderation/reporters.ts'
import { readContext } from '../../moderation/subject-context.ts'
import { type AuditedCall, operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { marked, reporter, reporterMarks, reporterPage, subjectContext } from './reporter-schemas.ts'

const CONTEXT = 'Who the author is, with the record, tips and decisions on them, and who flagged it.'

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
    handle: (context, { path }) => readContext(context, 'profile', path.id),
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
    handle: (context, { path }) => readContext(context, 'comment', path.id),
  }),
  operatorOperation({
    name: 'listReporters',
    summary: 'List those who flag',
    description: 'Most flags first.',
    route: 'GET /reporters',
    role: 'moderator',
    audit: 'listed the reporters',
    query: object({}, { marked, ...paging }),
    answer: { 200: reporterPage },
    example: { query: { marked: 'all', limit: 20 } },
    async handle({ database }, { query }) {
      const start = [REPORTERS_START.flags, REPORTERS_START.profileId]
      const [flags, profileId] = positionOf(query.cursor, start) as [number, number]
      const read = await listReporters(database, query.marked, { flags, profileId, limit: query.limit + 1 })
      const { rows, cursor } = pageOf(read, query.limit, (row) => [row.flags, row.profile_id])
      return { items: showReporters(rows), cursor }
    },
  }),
  operatorOperation({
    name: 'getReporter',
    summary: 'Read how often a reporter was right',
    description: 'Also of a profile that has never flagged.',
    route: 'GET /reporters/{profileId}',
    role: 'moderator',
    audit: 'read reporter {profileId}',
    answer: { 200: reporter },
    problems: { 404: 'There is no such profile.' },
    example: { path: { profileId: '2' } },
    handle: ({ database }, { path }) => readReporter(database, path.profileId),
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
      return markReporter(database, path.profileId, body as MarkChange)
    },
  }),
]

/** "muted reporter 2". */
function markSentence({ path, body }: AuditedCall): string {
  const marks = [
    ...(body.muted === undefined ? [] : [body.muted ? 'muted' : 'unmuted']),
    ...(body.trusted === undefined ? [] : [body.trusted ? 'trusted' : 'stopped trusting']),
  ]
  return `${marks.length === 0 ? 'changed the note on' : marks.join(' and ')} reporter ${path.profileId}`
}
