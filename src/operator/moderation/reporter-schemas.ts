// Reporters, and what moderators see beside a subject.

import {
  boolean,
  count,
  list,
  named,
  object,
  oneOf,
  orNull,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { TIP_STATES } from '../../record/tip-state.ts'
import { figure, id, LINES, page, time } from '../server/fields.ts'
import { record } from '../sportsbook/record-schemas.ts'
import { decisionColumns, decisionReasons, profileSubject, reason } from './review-schemas.ts'

export const marked = withDefault(
  oneOf(['all', 'muted', 'trusted'], { description: 'Only muted or only trusted ones.', examples: ['all'] }),
  'all',
)

const figures = {
  flags: count({ description: 'All flags ever made, withdrawn ones too.', examples: [2] }),
  upheld: count({ description: 'Flags that a decision confirmed: removed, deactivated or reset.', examples: [0] }),
  rejected: count({ description: 'Flags that a decision did not confirm: kept or featured.', examples: [0] }),
  weight: figure('0.50', { description: 'Of a flag: (upheld + 1) / (upheld + rejected + 2); muted: nothing.' }),
  muted: boolean({ description: 'Their flags weigh nothing.', examples: [false] }),
  trusted: boolean({ description: 'What they flag is in the lane of trusted reporters.', examples: [false] }),
  note: string({ description: 'The operator’s note.', examples: [''] }),
}

/** As the export of personal data has them. */
export const reporterFigures = object(figures)

export const reporter = named(
  'Reporter',
  object({ profileId: id('2'), customerId: id('2'), name: string({ examples: ['Bob Both Teams'] }), ...figures }),
)
export type Reporter = ValueOf<typeof reporter>

export const reporterPage = page(reporter)

export const reporterMarks = object(
  {},
  {
    muted: boolean({ examples: [false] }),
    trusted: boolean({ examples: [true] }),
    note: string({ maxLength: 1000, pattern: LINES, description: 'Why.', examples: ['Works for the league'] }),
  },
)
export type ReporterMarks = ValueOf<typeof reporterMarks>

// ---- Beside a subject

const flag = object({
  reason: orNull(reason, { description: 'null: none was given.' }),
  note: string({ description: 'What the reporter wrote.', examples: [''] }),
  at: time(),
  verdict: oneOf(['open', 'upheld', 'rejected', 'neither'], {
    description: 'What a decision said of it; open: there is none yet.',
    examples: ['open'],
  }),
  reporter,
})

const tip = object({
  id: id('24'),
  text: string({ examples: ['Bigger at the off, you will see'] }),
  state: oneOf(TIP_STATES, { examples: ['live'] }),
  createdAt: time(),
  likes: count({ examples: [4] }),
  event: string({ examples: ['Ascot 14:30'] }),
  outcome: string({ examples: ['Tin Soldier'] }),
})

export const subjectContext = named(
  'SubjectContext',
  object({
    author: profileSubject,
    record,
    tips: object({
      count: count({ description: 'In any state, counted up to 1000.', examples: [1] }),
      latest: list(tip, { description: 'The latest 5 in any state.' }),
    }),
    decisionsOnTips: list(object({ commentId: id('24'), ...decisionColumns }, decisionReasons), {
      description: 'The latest 10 on the author’s latest 500 tips, newest first.',
      examples: [[]],
    }),
    flags: list(flag, { description: 'The latest 20 of the subject, open ones first.' }),
  }),
)
export type SubjectContext = ValueOf<typeof subjectContext>
