import { byProfile, id, kindOf } from '../event-log/kind.ts'
import { object, oneOf, string } from '../http/representation/json-schema.ts'
import { APPEAL_OUTCOMES, PARTIES } from './appeals/appeal-store.ts'

const ofSubject = kindOf('comment', 'profile')
const appeal = {
  appealId: id('3', 'The appeal.'),
  decisionId: id('7', 'The decision.'),
  party: oneOf(PARTIES, 'author'),
}

export const moderationKinds = {
  'flag.created': ofSubject('The tip or profile was flagged for moderators.', byProfile),
  'decision.made': ofSubject(
    'A moderator has decided on the tip or profile, or a rule holds the tip.',
    object({ decisionId: id('7', 'The decision.'), action: string('remove') }),
  ),
  'appeal.made': ofSubject('The author or a reporter has appealed a decision on the tip or profile.', object(appeal)),
  'appeal.decided': ofSubject(
    'A moderator has decided an appeal.',
    object({ ...appeal, outcome: oneOf(APPEAL_OUTCOMES, 'upheld') }),
  ),
}
