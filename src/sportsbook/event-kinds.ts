import { kindOf } from '../event-log/kind.ts'
import { count, object } from '../http/representation/json-schema.ts'

const outcomes = count(1, 'How many outcomes.')

export const marketKinds = {
  'market.settled': kindOf('market')(
    'Outcomes of the market have new results. Events of the tips on them follow.',
    object({ settled: outcomes, corrected: outcomes }),
  ),
}
