import { statement } from '../database/database.ts'

export type TokenRow = { id: number; name: string; role: string; created_at: number; revoked_at: number | null }

export const liveTokenByHash = statement<[tokenHash: string], TokenRow>(
  'liveTokenByHash',
  'select id, name, role, created_at, revoked_at from operator_token where token_hash = $1 and revoked_at is null',
)

/** Bounded: tokens are made by operators, one by one. */
export const allTokens = statement<[], TokenRow>(
  'allTokens',
  'select id, name, role, created_at, revoked_at from operator_token order by id',
)

export const insertToken = statement<[name: string, role: string, tokenHash: string, now: number], { id: number }>(
  'insertToken',
  'insert into operator_token (name, role, token_hash, created_at) values ($1, $2, $3, $4) returning id',
)

export const revokeToken = statement<[id: number, now: number]>(
  'revokeToken',
  'update operator_token set revoked_at = $2 where id = $1 and revoked_at is null',
)

export const insertAudit = statement<
  [now: number, actor: string, role: string, action: string, subject: string, detail: string]
>('insertAudit', 'insert into audit (at, actor, role, action, subject, detail) values ($1, $2, $3, $4, $5, $6)')

export type AuditRow = {
  id: number
  at: number
  actor: string
  role: string
  action: string
  subject: string
  detail: string
}

/** Newest first, before the id of the last row seen. */
export const auditBefore = statement<[before: number, limit: number], AuditRow>(
  'auditBefore',
  'select id, at, actor, role, action, subject, detail from audit where id < $1 order by id desc limit $2',
)
