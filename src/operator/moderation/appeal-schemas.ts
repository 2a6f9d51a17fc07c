// Deciding appeals, and the texts that decisions start from.

import {
  boolean,
  count,
  integer,
  list,
  named,
  object,
  oneOf,
  type SentOf,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { RESTRICTING_ACTIONS } from '../../moderation/actions.ts'
import { GROUNDS } from '../../moderation/grounds.ts'
import { CLAUSE_KEY, note, text, version, WORDS } from '../server/fields.ts'
import { problemFields } from '../server/problem-schema.ts'
import { appeal, clauseKey, ground, statement } from './review-schemas.ts'

export { appeal } from './review-schemas.ts'

export const appealConflict = named('AppealConflict', object({ ...problemFields, current: appeal }))

export const appealBody = object(
  {
    outcome: oneOf(['upheld', 'overturned'], {
      description: 'upheld: the decision stays; overturned: it does not.',
      examples: ['upheld'],
    }),
    reply: string({
      maxLength: 1000,
      pattern: WORDS,
      description: 'The answer to whoever appealed.',
      examples: ['We have read it again, and the rules are clear.'],
    }),
  },
  {
    note,
    version,
    action: oneOf(RESTRICTING_ACTIONS, {
      description: 'What is done now, if the rejection of a flag is overturned; with its ground, clause and statement.',
    }),
    ground,
    clause: clauseKey,
    statement,
    putBack: withDefault(
      boolean({ description: 'false: the decision is overturned, but the content is not put back.', examples: [true] }),
      true,
    ),
  },
)
export type NewAppealDecision = SentOf<typeof appealBody>

const clause = object({
  key: string({ pattern: CLAUSE_KEY, description: 'Stored with decisions.', examples: ['spam'] }),
  ground: oneOf(GROUNDS, { examples: ['terms'] }),
  title: text(1, 100, { examples: ['Spam and advertising'] }),
  template: string({
    maxLength: 1000,
    pattern: WORDS,
    description: 'The statement to the author that a moderator starts from.',
    examples: ['This content advertises or repeats itself.'],
  }),
})
const clauses = list(clause, { minItems: 1, maxItems: 100 })
const notes = list(text(1, 200, { examples: ['Seen and fine'] }), {
  maxItems: 100,
  description: 'Texts that moderators choose from for their notes.',
})
const textsVersion = { description: 'Counts the replacements.', examples: [0] }

export const moderationTexts = named('ModerationTexts', object({ version: count(textsVersion), clauses, notes }))
export type ModerationTexts = ValueOf<typeof moderationTexts>

export const moderationTextsBody = object(
  { clauses, notes },
  {
    version: integer(0, Number.MAX_SAFE_INTEGER, {
      description: 'The version that was read. If somebody has replaced the texts since, the call is refused with 409.',
      examples: [0],
    }),
  },
)
export type ModerationTextsBody = SentOf<typeof moderationTextsBody>
