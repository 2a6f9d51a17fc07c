import { kindOf, noData } from '../../event-log/kind.ts'
import { boolean, object, oneOf, string } from '../../http/representation/json-schema.ts'
import { EXCLUSION_KINDS } from '../exclusions/exclusion.ts'

const ofCustomer = kindOf('customer')

export const customerKinds = {
  'customer.changed': ofCustomer(
    'The customer was registered or changed.',
    object({
      status: string('active'),
      verified: boolean(true),
    }),
  ),
  'customer.excluded': ofCustomer(
    'The customer has begun a time-out or a self-exclusion.',
    object({
      kind: oneOf(EXCLUSION_KINDS, 'time-out'),
      until: string('2027-05-15T09:30:00.000Z', 'Nothing ends it before.'),
    }),
  ),
  'customer.erased': ofCustomer('The customer’s personal data was erased.', noData),
}
