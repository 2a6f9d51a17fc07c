import { FLAG_REASONS } from '../../flags/reasons.ts'
import {
  boolean,
  count,
  list,
  named,
  number,
  object,
  oneOf,
  orNull,
  string,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { GROUNDS } from '../../moderation/grounds.ts'
import { time } from '../server/fields.ts'

const day = (description: string, example: string) =>
  string({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: [example] })

export const periodQuery = object(
  {},
  {
    from: day('The first day (UTC). Without it: 29 days before the last one.', '2026-03-01'),
    to: day('The last day (UTC). Without it: today.', '2026-03-14'),
  },
)
export type PeriodQuery = ValueOf<typeof periodQuery>

const hours = (description: string, example: number) =>
  orNull(number(0, Number.MAX_SAFE_INTEGER), { description, examples: [example] })

const date = (example: string) => string({ format: 'date', examples: [example] })

export const transparency = named(
  'Transparency',
  object({
    from: date('2026-03-01'),
    to: date('2026-03-14'),
    decisions: list(
      object({
        kind: oneOf(['profile', 'comment'], { examples: ['comment'] }),
        action: string({ examples: ['remove'] }),
        ground: orNull(oneOf(GROUNDS), { description: 'null: it restricted nothing.', examples: ['terms'] }),
        clause: orNull(string(), { examples: ['spam'] }),
        automated: boolean({ description: 'Made without a person.', examples: [false] }),
        count: count({ examples: [12] }),
        overturned: count({ description: 'How many of them were overturned by now.', examples: [1] }),
      }),
    ),
    medianHoursToDecision: hours('From the first flag to the decision; null: nothing flagged was decided.', 3.5),
    flags: list(
      object({
        reason: orNull(oneOf(FLAG_REASONS), { description: 'null: none was given.', examples: ['spam'] }),
        count: count({ examples: [31] }),
      }),
      { description: 'Flags that came in. A flag that was withdrawn is not counted.' },
    ),
    appeals: object(
      {
        made: count({ examples: [2] }),
        byAuthors: count({ examples: [1] }),
        byReporters: count({ examples: [1] }),
        open: count({ examples: [0] }),
        upheld: count({ examples: [1] }),
        overturned: count({ examples: [1] }),
        medianHours: hours('From the appeal to its decision; null: none was decided.', 20),
      },
      {},
      { description: 'Those made in the period, as they are by now.' },
    ),
  }),
)
export type Transparency = ValueOf<typeof transparency>

/** The columns of the file, in this order. */
export const statementColumns = object({
  decisionId: string({ examples: ['7'] }),
  decidedAt: time(),
  kind: string({ examples: ['comment'] }),
  action: string({ examples: ['remove'] }),
  ground: string({ examples: ['terms'] }),
  clause: string({ examples: ['spam'] }),
  title: string({ description: 'The title of the clause.', examples: ['Spam and advertising'] }),
  statement: string({
    description:
      'If it is the template of the clause. One that a moderator has worded may be about a person, and is left out.',
    examples: ['This content advertises or repeats itself.'],
  }),
  automated: string({ examples: ['no'] }),
  flaggedAt: string({ examples: ['2026-03-14T12:09:26.535Z'] }),
  overturned: string({ examples: ['no'] }),
})
