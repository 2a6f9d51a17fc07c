import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { inTextList } from '../platform/database/row-list-store.ts'
import { bigint, orNull, type RowOf, table, text } from '../platform/database/table-store.ts'

export const audit = table('audit', {
  id: bigint,
  at: bigint,
  actor: text,
  role: text,
  action: text,
  subject: text,
  detail: text,
  /** Null in entries from before the chain began, as is the hash. */
  address: orNull(text),
  previous_hash: orNull(text),
})
export type AuditRow = RowOf<typeof audit>
const COLUMNS = audit.columns()

// ---- Filtered lists, newest first: those before a time, and before an id among entries of that time. Each has an index.

type AuditPage = { from: number; beforeAt: number; beforeId: number; limit: number }

const PAGE = 'at >= :from and (at, id) < (:beforeAt, :beforeId) order by at desc, id desc limit :limit'

/** The first id of the path. Written so that both engines have it in an index (audit_by_subject). */
const SUBJECT_ID = `substr(subject, 1, length(subject)
  - length(ltrim(subject, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_')))`

export const auditBefore = reading<AuditPage, AuditRow>('auditBefore')`select ${COLUMNS} from audit where ${PAGE}`

export const auditOfActor = reading<AuditPage & { actor: string }, AuditRow>('auditOfActor')`
  select ${COLUMNS} from audit where actor = :actor and ${PAGE}`

export const auditOfAction = reading<AuditPage & { action: string }, AuditRow>('auditOfAction')`
  select ${COLUMNS} from audit where action = :action and ${PAGE}`

export const auditOfActorAndAction = reading<AuditPage & { actor: string; action: string }, AuditRow>(
  'auditOfActorAndAction',
)`
  select ${COLUMNS} from audit where actor = :actor and action = :action and ${PAGE}`

/** `actions`: the actions on subjects of its kind, as a list (textListOf). `actor` null: anybody. */
export const auditOfSubject = reading<
  AuditPage & { subjectId: string; actions: string; actor: string | null },
  AuditRow
>('auditOfSubject')`
  select ${COLUMNS} from audit where ${SUBJECT_ID} = :subjectId and action ${inTextList('actions')}
    and (cast(:actor as text) is null or actor = :actor) and ${PAGE}`

/** As `auditOfSubject`, without what was refused: JSON text has this key nowhere else, quotes in values being escaped. */
export const changesOfSubject = reading<AuditPage & { subjectId: string; actions: string }, AuditRow>(
  'changesOfSubject',
)`
  select ${COLUMNS} from audit where ${SUBJECT_ID} = :subjectId and action ${inTextList('actions')}
    and detail not like '%"refused":%' and ${PAGE}`

/** Oldest first, for the check of the chain. */
export const auditAfter = reading<{ after: number; upTo: number; limit: number }, AuditRow>('auditAfter')`
  select ${COLUMNS} from audit where id > :after and id <= :upTo order by id limit :limit`

type AuditHead = { last_id: number | null; last_hash: string | null }

export const lockAuditHead = locking<NoParameters, AuditHead>('lockAuditHead')`
  select last_id, last_hash from audit_head where id = 1 for update`

export const auditHead = reading<NoParameters, AuditHead>('auditHead')`
  select last_id, last_hash from audit_head where id = 1`

/** In one statement, so that an entry appended meanwhile is not taken for one beyond the head. */
export const firstBeyondHead = reading<NoParameters, { id: number | null }>('firstBeyondHead')`
  select (select min(a.id) from audit a where a.id > h.last_id) as id from audit_head h where h.id = 1`

export type NewAuditRow = { [Column in keyof AuditRow]: NonNullable<AuditRow[Column]> }
export const insertAudit = writing<NewAuditRow>('insertAudit', audit.insert())

export const moveAuditHead = writing<{ id: number; hash: string }>('moveAuditHead')`
  update audit_head set last_id = :id, last_hash = :hash where id = 1`
