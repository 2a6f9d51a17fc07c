import { type AuditRow, auditBefore } from '../audit/store.ts'
import { type OperatorOperation, operatorOperation } from './frame/operation.ts'
import { type Paging, pageOf, paging, placeOf } from './frame/pages.ts'

export const auditOperations: OperatorOperation[] = [
  operatorOperation<undefined, Paging>({
    name: 'listAudit',
    summary: 'Changes, reads of personal data and refusals, newest first: who did what, when and from where',
    method: 'GET',
    path: '/audit',
    role: 'admin',
    query: paging,
    async handle({ database }, { query: { cursor, limit } }) {
      const [before] = placeOf(cursor, [Number.MAX_SAFE_INTEGER]) as [number]
      const read = await database.query(auditBefore, { before, limit: limit + 1 })
      const page = pageOf(read, limit, (row) => [row.id])
      return { status: 200, body: { items: page.rows.map(toEntry), cursor: page.cursor } }
    },
  }),
]

function toEntry(row: AuditRow) {
  return {
    id: String(row.id),
    at: new Date(row.at).toISOString(),
    actor: row.actor,
    role: row.role,
    address: row.address,
    action: row.action,
    subject: row.subject,
    detail: JSON.parse(row.detail),
    previousHash: row.previous_hash,
  }
}
