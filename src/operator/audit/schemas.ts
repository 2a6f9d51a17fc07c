import {
  anyObject,
  named,
  object,
  oneOf,
  orNull,
  type SentOf,
  string,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { id, page, text, time } from '../server/fields.ts'
import { paging } from '../server/pages.ts'

/** What operations are on: the last collection before the first id of their paths. A test compares. */
export const SUBJECT_KINDS = [
  'appeal',
  'application',
  'bet',
  'comment',
  'console-session',
  'customer',
  'deposit',
  'event',
  'market',
  'outcome',
  'profile',
  'reporter',
  'sport',
  'token',
  'webhook',
] as const

const filters = {
  actor: text(1, 200, { description: 'Only what this operator did.', examples: ['ann'] }),
  operation: text(1, 100, { description: 'Only this operation.', examples: ['putCustomer'] }),
  subjectKind: oneOf(SUBJECT_KINDS, { description: 'Together with subjectId.', examples: ['customer'] }),
  subjectId: text(1, 200, { description: 'Only what was done to this subject.', examples: ['21'] }),
  from: time({ description: 'Not before this time.' }),
  to: time({ description: 'Before this time.' }),
}

export const auditFilters = object({}, filters)
export type AuditFilters = ValueOf<typeof auditFilters>
export type AuditQuery = SentOf<typeof auditFilters>
export const auditQuery = object({}, { ...filters, ...paging })

const subjectKind = orNull(oneOf(SUBJECT_KINDS), {
  description: 'null: the operation is on no single subject.',
  examples: ['customer'],
})

const auditEntry = named(
  'AuditEntry',
  object({
    id: id('42'),
    at: time(),
    sentence: string({ description: 'Who did what to which subject.', examples: ['ann changed customer 21'] }),
    actor: string({ description: 'The name of the token, or the person who signed in.', examples: ['ann'] }),
    role: string({ examples: ['accounts'] }),
    address: orNull(string({ examples: ['127.0.0.1'] }), { description: 'Where the request came from.' }),
    action: string({ description: 'The operation.', examples: ['putCustomer'] }),
    subjectKind,
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

/** The columns of the file. What is null in an entry is empty. */
export const auditFile = object({
  time: time(),
  actor: string({ examples: ['ann'] }),
  role: string({ examples: ['accounts'] }),
  address: string({ examples: ['127.0.0.1'] }),
  sentence: string({ examples: ['ann changed customer 21'] }),
  operation: string({ examples: ['putCustomer'] }),
  subjectKind: string({ examples: ['customer'] }),
  subject: string({ examples: ['21'] }),
  detail: string({ description: 'JSON: what was sent and what has changed.', examples: ['{}'] }),
})
export type AuditLine = ValueOf<typeof auditFile>
