import { anyObject, named, object, orNull, string, type ValueOf } from '../../representation/json-schema.ts'
import { id, page, time } from '../frame/fields.ts'

const auditEntry = named(
  'AuditEntry',
  object({
    id: id('42'),
    at: time(),
    actor: string({ description: 'The name of the token, or the person who signed in.', examples: ['ann'] }),
    role: string({ examples: ['accounts'] }),
    address: orNull(string({ examples: ['127.0.0.1'] }), { description: 'Where the request came from.' }),
    action: string({ description: 'The operation.', examples: ['putCustomer'] }),
    subject: string({ description: 'The ids in the path.', examples: ['21'] }),
    detail: anyObject({
      description: 'What was sent, without secrets, and what has changed.',
      examples: [{ body: { currency: 'EUR' }, changes: { currency: { from: 'GBP', to: 'EUR' } } }],
    }),
    previousHash: orNull(string(), {
      description: 'The hash of the entry before, by which changes to the trail are found.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  }),
)
export type AuditEntry = ValueOf<typeof auditEntry>
export const auditEntries = page(auditEntry)
