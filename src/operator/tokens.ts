import { ROLES, type Role } from '../config/roles.ts'
import type { TokenRow } from '../operator-access/token-store.ts'
import { createToken, listTokens, revokeToken } from '../operator-access/tokens.ts'
import { type OperatorOperation, object, operatorOperation, text } from './frame/operation.ts'
import { wholeList } from './frame/pages.ts'
import { conflict, notFound, notValid } from './frame/problem.ts'

type TokenBody = { name: string; role: Role; owner?: string; expiresAt?: string }

export const tokenOperations: OperatorOperation[] = [
  operatorOperation<TokenBody>({
    name: 'createToken',
    summary: 'Create an operator token, shown only once; without expiresAt it is valid until revoked',
    method: 'POST',
    path: '/tokens',
    role: 'admin',
    body: object(
      {
        name: text(1, 100),
        role: { type: 'string', enum: ROLES },
        owner: { ...text(1, 100), description: 'who is responsible for it' },
        expiresAt: { type: 'string', format: 'date-time' },
      },
      ['name', 'role'],
    ),
    async handle({ database, now }, { body, trail }) {
      const { name, role, owner = null } = body
      const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt)
      if (expiresAt !== null && expiresAt <= now()) {
        throw notValid([{ pointer: '/expiresAt', detail: 'must be in the future' }])
      }
      const created = await createToken(database, { name, role, owner, expiresAt }, now(), trail.note)
      if (created === 'taken') {
        throw conflict(`The name "${name}" is taken, and the audit trail tells operators apart by name: use another.`)
      }
      return {
        status: 201,
        body: { id: created.id, name, role, owner, expiresAt: isoTime(expiresAt), token: created.token },
      }
    },
  }),
  operatorOperation({
    name: 'listTokens',
    summary:
      'All operator tokens, also expired and revoked ones, without their secrets; the bootstrap token is not among them',
    method: 'GET',
    path: '/tokens',
    role: 'admin',
    handle: async ({ database }) => ({
      status: 200,
      body: wholeList((await listTokens(database)).map(toToken)),
    }),
  }),
  operatorOperation({
    name: 'revokeToken',
    summary: 'Revoke a token; takes effect at once',
    method: 'DELETE',
    path: '/tokens/{id}',
    role: 'admin',
    async handle({ database, now }, { path }) {
      if (!(await revokeToken(database, Number(path.id), now()))) throw notFound('live token with this id')
      return { status: 204 }
    },
  }),
]

function toToken(row: TokenRow) {
  return {
    id: String(row.id),
    name: row.name,
    role: row.role,
    owner: row.owner,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
    lastUsedAt: isoTime(row.last_used_at),
    revokedAt: isoTime(row.revoked_at),
  }
}

function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}
