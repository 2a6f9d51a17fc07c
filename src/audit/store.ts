import { statement } from '../database/database.ts'

/** `address` and `previous_hash` are null in entries from before the chain began. */
export type AuditRow = {
  id: number
  at: number
  actor: string
  role: string
  action: string
  subject: string
  detail: string
  address: string | null
  previous_hash: string | null
}

const COLUMNS = 'id, at, actor, role, action, subject, detail, address, previous_hash'

/** Newest first, before the id of the last row seen. */
export const auditBefore = statement<[before: number, limit: number], AuditRow>(
  'auditBefore',
  `select ${COLUMNS} from audit where id < $1 order by id desc limit $2`,
)

/** Oldest first, for the check of the chain. */
export const auditAfter = statement<[after: number, upTo: number, limit: number], AuditRow>(
  'auditAfter',
  `select ${COLUMNS} from audit where id > $1 and id <= $2 order by id limit $3`,
)

export type AuditHead = { last_id: number | null; last_hash: string | null }

export const lockAuditHead = statement<[], AuditHead>(
  'lockAuditHead',
  'select last_id, last_hash from audit_head where id = 1 for update',
)

export const auditHead = statement<[], AuditHead>('auditHead', 'select last_id, last_hash from audit_head where id = 1')

/** In one statement, so that an entry appended meanwhile is not taken for one beyond the head. */
export const firstBeyondHead = statement<[], { id: number | null }>(
  'firstBeyondHead',
  `select (select min(a.id) from audit a where a.id > h.last_id) as id from audit_head h where h.id = 1`,
)

export const insertAudit = statement<
  [
    id: number,
    at: number,
    actor: string,
    role: string,
    action: string,
    subject: string,
    detail: string,
    address: string,
    previousHash: string,
  ]
>('insertAudit', `insert into audit (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`)

export const moveAuditHead = statement<[id: number, hash: string]>(
  'moveAuditHead',
  'update audit_head set last_id = $1, last_hash = $2 where id = 1',
)
