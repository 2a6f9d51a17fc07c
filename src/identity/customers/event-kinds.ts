import { kindOf, noData } from '../../event-log/kind.ts'
import { boolean, object, oneOf, string } from '../../http/representation/json-schema.ts'
import { EXCLUSION_KINDS } from '../exclusions/exclusion.ts'

const ofCustomer = kindOf('customer')

export const customerKinds = {
  'customer.changed': ofCustomer(
    'The customer was registered or changed.',
    object({
      status: string({ examples: ['active'] }),
      verified: boolean({ examples: [true] }),
    }),
  ),
  'customer.excluded': ofCustomer(
    'The customer has begun a time-out or a self-exclusion.',
    object({
      kind: oneOf(EXCLUSION_KINDS, { examples: ['time-out'] }),
      until: string({ description: 'Nothing ends it before.', examples: ['2027-05-15T09:30:00.000Z'] }),
    }),
  ),
  'customer.erased': ofCustomer('The customer’s personal data was erased.', noData),
}
