import { type OperatorOperation, operatorOperation } from './operation.ts'
import { type Paging, pageOf, paging, placeOf } from './pages.ts'
import { type AuditRow, auditBefore } from './store.ts'

export const auditOperations: OperatorOperation[] = [
  operatorOperation<undefined, Paging>({
    name: 'listAudit',
    summary: 'Every write of operators, newest first: who did what and when',
    method: 'GET',
    path: '/audit',
    role: 'admin',
    query: paging,
    async handle({ database }, { query: { cursor, limit } }) {
      const [before] = placeOf(cursor, [Number.MAX_SAFE_INTEGER]) as [number]
      const read = await database.query(auditBefore, [before, limit + 1])
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
    action: row.action,
    subject: row.subject,
    detail: JSON.parse(row.detail),
  }
}
