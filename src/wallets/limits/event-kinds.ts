import { kindOf } from '../../event-log/kind.ts'
import { object, oneOf, orNull } from '../../http/representation/json-schema.ts'
import { money, period } from '../event-fields.ts'

export const limitKinds = {
  'limit.changed': kindOf('customer')(
    'The customer has set, requested or confirmed a limit for their deposits.',
    object({
      period,
      change: oneOf(['set', 'requested', 'confirmed'], 'requested'),
      amount: orNull(money, 'The limit in force; null: none.'),
      requested: orNull(money, 'The requested limit; null, where one was requested: none.'),
    }),
  ),
}
