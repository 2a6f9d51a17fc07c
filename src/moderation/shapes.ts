import {
  attribute,
  child,
  children,
  described,
  document,
  element,
  optional,
  record,
  type Value,
} from '../http/representation/shape.ts'

const appeal = record({
  id: attribute('integer'),
  text: element('text'),
  state: described(
    element('text'),
    'open; upheld: the decision stays; overturned: it does not; withdrawn: the appeal ended without an answer',
  ),
  createdDateTimeZoned: element('dateTime'),
  reply: optional(described(element('text'), 'The moderators’ answer.')),
  decidedDateTimeZoned: optional(element('dateTime')),
})

const decision = record({
  id: attribute('integer'),
  party: described(
    attribute('text'),
    'author: it is about the caller’s own content; reporter: about what the caller flagged',
  ),
  type: described(element('text'), 'comment or profile'),
  subjectId: described(element('integer'), 'The id of the comment or profile.'),
  createdDateTimeZoned: element('dateTime'),
  isAutomated: element('yesNo'),
  action: optional(described(element('text'), 'What was decided; for the author only.')),
  ground: optional(described(element('text'), 'terms or law: why the content was restricted; for the author only.')),
  clause: optional(described(element('text'), 'The key of the rule; for the author only.')),
  statement: optional(described(element('text'), 'The reasons, for the author only.')),
  text: optional(
    described(
      element('text'),
      'The text of the comment, or the name or biography that was reset (while an appeal can bring it back); for the author only.',
    ),
  ),
  isUpheld: optional(described(element('yesNo'), 'Whether the moderators agreed with the flag; for a reporter only.')),
  isOverturned: described(element('yesNo'), 'Whether a later decision has overturned it.'),
  isAppealable: described(element('yesNo'), 'Whether the caller may appeal now.'),
  appealUntilDateTimeZoned: optional(described(element('dateTime'), 'Until when, if the caller may.')),
  appeal: optional(described(child(appeal), 'The caller’s appeal.')),
})

export const decisionList = document('whoDecisions', record({ decision: children(decision) }))

export type OwnDecision = Value<typeof decision>
export type OwnDecisions = Value<(typeof decisionList)['node']>
