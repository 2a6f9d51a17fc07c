import { id, kindOf } from '../event-log/kind.ts'
import { object, oneOf } from '../http/representation/json-schema.ts'
import { RESULTS } from './figures.ts'

const ofTip = kindOf('comment')
const outcomeId = id('1103', 'The outcome of the tip.')
const outcome = object({ outcomeId })
const result = object({ outcomeId, result: oneOf(RESULTS, 'win') })

/** The kinds about tips; records are projected from them. */
export const tipKinds = {
  'tip.created': ofTip('A tip was written.', object({ outcomeId, sportId: id('1', 'The sport of the tip.') })),
  'tip.deactivated': ofTip('The author has taken the tip back.', outcome),
  'tip.removed': ofTip('A moderator has removed the tip, or a rule holds it.', outcome),
  'tip.restored': ofTip('A moderator has restored or published the tip.', outcome),
  'tip.settled': ofTip('The outcome of the tip has a result.', result),
  'tip.corrected': ofTip('The outcome of the tip has another result than before.', result),
}
