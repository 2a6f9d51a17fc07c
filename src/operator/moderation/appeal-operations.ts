// Deciding appeals, and the texts that decisions start from.

import { APPEAL_OUTCOMES } from '../../moderation/appeals/appeal-store.ts'
import {
  APPEALS_START,
  countAppeals,
  readAppeal,
  readAppealPage,
  withSubjects,
} from '../../moderation/appeals/appeals.ts'
import { decideAppeal } from '../../moderation/appeals/decide-appeal.ts'
import { GROUNDS, RESTRICTING_ACTIONS } from '../../moderation/decisions/actions.ts'
import { readTexts, replaceTexts } from '../../moderation/decisions/reasons.ts'
import type { OperatorContext } from '../context.ts'
import * as s from '../server/fields.ts'
import { note, version } from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { type Paging, pageOf, positionOf } from '../server/pages.ts'
import { conflict, notFound } from '../server/problem.ts'
import { problemFields } from '../server/problem-schema.ts'
import { appeal, clauseKey, ground, statement } from './review-schemas.ts'

export { appeal } from './review-schemas.ts'

export const appealConflict = s.namedObject('AppealConflict', { ...problemFields, current: appeal })

export const appealBody = s.object(
  {
    outcome: s.oneOf(APPEAL_OUTCOMES, 'upheld', 'upheld: the decision stays; overturned: it does not.'),
    reply: s.stringOf(
      { maxLength: 1000, pattern: s.WORDS },
      'We have read it again, and the rules are clear.',
      'The answer to whoever appealed.',
    ),
  },
  {
    note,
    version,
    action: s.oneOf(
      RESTRICTING_ACTIONS,
      undefined,
      'What is done now, if the rejection of a flag is overturned; with its ground, clause and statement.',
    ),
    ground,
    clause: clauseKey,
    statement,
    putBack: s.withDefault(
      s.boolean(true, 'false: the decision is overturned, but the content is not put back.'),
      true,
    ),
  },
)
export type NewAppealDecision = s.SentOf<typeof appealBody>

const clause = s.object({
  key: s.stringOf({ pattern: s.CLAUSE_KEY }, 'spam', 'Stored with decisions.'),
  ground: s.oneOf(GROUNDS, 'terms'),
  title: s.text(1, 100, 'Spam and advertising'),
  template: s.stringOf(
    { maxLength: 1000, pattern: s.WORDS },
    'This content advertises or repeats itself.',
    'The statement to the author that a moderator starts from.',
  ),
})
const clauses = s.list(clause, { minItems: 1, maxItems: 100 })
const notes = s.list(s.text(1, 200, 'Seen and fine'), {
  maxItems: 100,
  description: 'Texts that moderators choose from for their notes.',
})

export const moderationTexts = s.namedObject('ModerationTexts', {
  version: s.count(0, 'Counts the replacements.'),
  clauses,
  notes,
})
export type ModerationTexts = s.ValueOf<typeof moderationTexts>

export const moderationTextsBody = s.object(
  { clauses, notes },
  {
    version: s.integer(
      0,
      Number.MAX_SAFE_INTEGER,
      0,
      'The version that was read. If another person has replaced the texts since, the call is refused with 409.',
    ),
  },
)
export type ModerationTextsBody = s.SentOf<typeof moderationTextsBody>

export const appealOperatorOperations = [
  operatorOperation({
    name: 'getAppeal',
    summary: 'Read an appeal with its decision and subject',
    description: 'Decided or not.',
    route: 'GET /moderation/appeals/{id}',
    role: 'moderator',
    audit: 'read appeal {id}',
    answer: { 200: appeal },
    async handle(context, { path }) {
      const found = await readAppeal(context, path.id)
      if (found === undefined) throw notFound(`appeal ${path.id}`)
      return found.appeal
    },
  }),
  operatorOperation({
    name: 'decideAppeal',
    summary: 'Decide an appeal',
    description:
      'The answer is the appeal afterwards. An overturned decision on an author’s content is undone; to overturn the rejection of a flag, send ' +
      'the action to take now. Whoever made the decision may decide the appeal only if there is no other token or person with the role moderator or admin.',
    route: 'POST /moderation/appeals/{id}',
    role: 'moderator',
    audit: ({ body }) => `${body.outcome === 'overturned' ? 'overturned' : 'upheld'} the decision of appeal {id}`,
    body: appealBody,
    answer: { 200: appeal },
    problems: {
      409: {
        when: 'The appeal is decided, or has changed since the `version` that was sent; or the caller made the decision, and another person can decide the appeal.',
        schema: appealConflict,
      },
      422: 'The action is missing, impossible or superfluous, or there is no such clause.',
    },
    example: {
      path: { id: '1' },
      body: { outcome: 'upheld', reply: 'We have read it again, and the rules are clear.' },
    },
    async handle(context, { operator, path, body }) {
      const decision = { ...body, actor: operator.name, now: context.now() }
      return decideAppeal(context, path.id, decision)
    },
  }),
  operatorOperation({
    name: 'readModerationTexts',
    summary: 'Read the clauses with their templates, and the texts for notes',
    route: 'GET /moderation/clauses',
    role: 'moderator',
    answer: { 200: moderationTexts },
    handle: ({ database }) => readTexts(database),
  }),
  operatorOperation({
    name: 'replaceModerationTexts',
    summary: 'Replace the clauses, their templates and the texts for notes',
    description: 'The clause `general` must stay. Decisions so far keep their statements.',
    route: 'PUT /moderation/clauses',
    role: 'admin',
    audit: 'replaced the clauses of decisions',
    body: moderationTextsBody,
    answer: { 200: moderationTexts },
    problems: {
      409: 'Another person has replaced the texts since the `version` that was sent.',
      422: 'The clause `general` is missing, or two clauses have the same key.',
    },
    example: {
      body: {
        clauses: [
          {
            key: 'general',
            ground: 'terms',
            title: 'Community rules',
            template: 'Our moderators found that this content breaks our community rules.',
          },
        ],
        notes: ['Seen and fine'],
      },
    },
    async handle({ database }, { body }) {
      if (!(await replaceTexts(database, body)))
        throw conflict('Another person has saved the clauses since you read them: read them again.')
      return readTexts(database)
    },
  }),
]

/** The page of the queue with the open appeals, from a time on. */
export async function appealPage(context: OperatorContext, { cursor: after, limit }: Paging, from: number) {
  const [madeAt, id] = positionOf(after, [Math.max(from, APPEALS_START.madeAt), APPEALS_START.id]) as [number, number]
  const read = await readAppealPage(context.database, { madeAt, id, limit: limit + 1 })
  const { rows, cursor } = pageOf(read, limit, (row) => [row.made_at, row.appeal_id])
  const items = await withSubjects(context, rows)
  return { items, cursor, waiting: await countAppeals(context.database) }
}
