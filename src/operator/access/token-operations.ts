import type { TokenRow } from '../../identity/operators/token-store.ts'
import { createToken, listTokens, revokeToken } from '../../identity/operators/tokens.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { conflict, notFound, notValid } from '../server/problem.ts'
import { createdToken, type Token, tokenBody, tokens } from './schemas.ts'

export const tokenOperations = [
  operatorOperation({
    name: 'createToken',
    summary: 'Create an operator token',
    description: 'The token is shown this once.',
    route: 'POST /tokens',
    role: 'admin',
    audit: 'created token {body.name} with the role {body.role}',
    body: tokenBody,
    answer: { 201: createdToken },
    problems: {
      409: 'A token that is not revoked has the name, or the name is reserved.',
      422: '`expiresAt` is not in the future.',
    },
    example: {
      body: { name: 'ann', role: 'moderator', owner: 'Ann Archer' },
      answer: { name: 'ann', role: 'moderator', owner: 'Ann Archer', expiresAt: null },
    },
    async handle({ database, now }, { body, trail }) {
      const { name, role, owner = null } = body
      const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt)
      if (expiresAt !== null && expiresAt <= now()) {
        throw notValid([{ pointer: '/expiresAt', detail: 'must be in the future' }])
      }
      const created = await createToken(database, { name, role, owner, expiresAt }, now(), trail.note)
      if (created === 'taken') {
        throw conflict(`The name "${name}" is taken, and the audit trail identifies operators by name: use another.`)
      }
      const { id, token } = created
      return { id, name, role, owner, expiresAt: isoTimeOrNull(expiresAt), token }
    },
  }),
  operatorOperation({
    name: 'listTokens',
    summary: 'List all operator tokens',
    description: 'Expired and revoked ones too, without the tokens themselves. The bootstrap token is not listed.',
    route: 'GET /tokens',
    role: 'admin',
    answer: { 200: tokens },
    handle: async ({ database }) => singlePage((await listTokens(database)).map(toToken)),
  }),
  operatorOperation({
    name: 'revokeToken',
    summary: 'Revoke an operator token at once',
    route: 'DELETE /tokens/{id}',
    role: 'admin',
    audit: 'revoked token {id}',
    answer: { 204: null },
    problems: { 404: 'There is no token with this id, or it is revoked.' },
    async handle({ database, now }, { path }) {
      if (!(await revokeToken(database, path.id, now()))) throw notFound('live token with this id')
    },
  }),
]

function toToken(row: TokenRow): Token {
  return {
    id: String(row.id),
    name: row.name,
    role: row.role,
    owner: row.owner,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTimeOrNull(row.expires_at),
    lastUsedAt: isoTimeOrNull(row.last_used_at),
    revokedAt: isoTimeOrNull(row.revoked_at),
  }
}
