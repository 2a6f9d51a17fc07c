// Values of the fields of decisions and appeals, as in example.ts: the first item is an author's, the second a reporter's.

const DECIDED = Date.UTC(2026, 10, 15, 9, 30)

export const MODERATION_EXAMPLES = {
  'notification.decisionId': [undefined],
  'decision.id': [7, 5],
  party: ['author', 'reporter'],
  'decision.type': ['comment'],
  subjectId: [18, 24],
  isAutomated: [false],
  'decision.action': ['remove', undefined],
  ground: ['terms', undefined],
  clause: ['spam', undefined],
  statement: ['This content advertises or repeats itself. Our community rules do not allow spam.', undefined],
  isUpheld: [undefined, false],
  isOverturned: [false],
  isAppealable: [false],
  appealUntilDateTimeZoned: [undefined],
  'appeal.id': [3, 2],
  'appeal.text': ['It was a joke between friends.', 'It is in three other places too.'],
  'appeal.state': ['upheld', 'open'],
  reply: ['We have read it again, and the rules are clear.', undefined],
  decidedDateTimeZoned: [DECIDED, undefined],
} as const
