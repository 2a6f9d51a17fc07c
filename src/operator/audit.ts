import { type AuditRow, auditBefore } from '../audit/store.ts'
import { object } from '../representation/json-schema.ts'
import { isoTime } from '../runtime/iso-time.ts'
import { type OperatorOperation, operatorOperation } from './frame/operation.ts'
import { pageOf, paging, positionOf } from './frame/pages.ts'
import { type AuditEntry, auditEntries } from './schemas/audit.ts'

export const auditOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'listAudit',
    summary: 'List the audit trail, newest first',
    description: 'Changes, reads of personal data and refusals: who did what, when and from where.',
    method: 'GET',
    path: '/audit',
    role: 'admin',
    query: object({}, paging),
    answer: { 200: auditEntries },
    example: { query: { limit: 20 } },
    async handle({ database }, { query: { cursor, limit } }) {
      const [before] = positionOf(cursor, [Number.MAX_SAFE_INTEGER]) as [number]
      const read = await database.query(auditBefore, { before, limit: limit + 1 })
      const page = pageOf(read, limit, (row) => [row.id])
      return { status: 200, body: { items: page.rows.map(toEntry), cursor: page.cursor } }
    },
  }),
]

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: String(row.id),
    at: isoTime(row.at),
    actor: row.actor,
    role: row.role,
    address: row.address,
    action: row.action,
    subject: row.subject,
    detail: JSON.parse(row.detail),
    previousHash: row.previous_hash,
  }
}
