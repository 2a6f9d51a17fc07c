import { locking, type NoParameters, reading, writing } from '../database/database.ts'

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
export const auditBefore = reading<{ before: number; limit: number }, AuditRow>(
  'auditBefore',
  `select ${COLUMNS} from audit where id < :before order by id desc limit :limit`,
)

/** Oldest first, for the check of the chain. */
export const auditAfter = reading<{ after: number; upTo: number; limit: number }, AuditRow>(
  'auditAfter',
  `select ${COLUMNS} from audit where id > :after and id <= :upTo order by id limit :limit`,
)

type AuditHead = { last_id: number | null; last_hash: string | null }

export const lockAuditHead = locking<NoParameters, AuditHead>(
  'lockAuditHead',
  'select last_id, last_hash from audit_head where id = 1 for update',
)

export const auditHead = reading<NoParameters, AuditHead>(
  'auditHead',
  'select last_id, last_hash from audit_head where id = 1',
)

/** In one statement, so that an entry appended meanwhile is not taken for one beyond the head. */
export const firstBeyondHead = reading<NoParameters, { id: number | null }>(
  'firstBeyondHead',
  `select (select min(a.id) from audit a where a.id > h.last_id) as id from audit_head h where h.id = 1`,
)

export const insertAudit = writing<{
  id: number
  at: number
  actor: string
  role: string
  action: string
  subject: string
  detail: string
  address: string
  previousHash: string
}>(
  'insertAudit',
  `insert into audit (${COLUMNS}) values (:id, :at, :actor, :role, :action, :subject, :detail, :address, :previousHash)`,
)

export const moveAuditHead = writing<{ id: number; hash: string }>(
  'moveAuditHead',
  'update audit_head set last_id = :id, last_hash = :hash where id = 1',
)
