import { hashOf, randomSecret } from '../secrets.ts'
import { isPersonName } from './console-sessions.ts'
import { BOOTSTRAP } from './credentials.ts'
import { type OperatorOperation, object, operatorOperation, ROLES, type Role, text } from './operation.ts'
import { wholeList } from './pages.ts'
import { conflict, notFound } from './problem.ts'
import { allTokens, insertToken, revokeToken, type TokenRow } from './store.ts'

export const tokenOperations: OperatorOperation[] = [
  operatorOperation<{ name: string; role: Role }>({
    name: 'createToken',
    summary: 'A new operator token, shown this once',
    method: 'POST',
    path: '/tokens',
    role: 'admin',
    body: object({ name: text(1, 100), role: { type: 'string', enum: ROLES } }, ['name', 'role']),
    async handle({ database, now }, { body: { name, role } }) {
      const taken = (await database.query(allTokens, [])).some((row) => row.name === name && row.revoked_at === null)
      if (taken || name === BOOTSTRAP) {
        throw conflict(
          `A live token is named "${name}", and the audit trail tells operators apart by name: use another.`,
        )
      }
      if (isPersonName(name))
        throw conflict('Names that begin with "openid:" are those of people who sign in: use another.')
      const token = randomSecret()
      const row = await database.one(insertToken, [name, role, hashOf(token), now()])
      const id = String(row?.id)
      return { status: 201, body: { id, name, role, token }, note: id }
    },
  }),
  operatorOperation({
    name: 'listTokens',
    summary: 'All operator tokens ever made, without what they open with; the bootstrap token is in the settings',
    method: 'GET',
    path: '/tokens',
    role: 'admin',
    handle: async ({ database }) => ({
      status: 200,
      body: wholeList((await database.query(allTokens, [])).map(toToken)),
    }),
  }),
  operatorOperation({
    name: 'revokeToken',
    summary: 'Revoke a token, at once',
    method: 'DELETE',
    path: '/tokens/{id}',
    role: 'admin',
    async handle({ database, now }, { path }) {
      if ((await database.run(revokeToken, [Number(path.id), now()])) === 0) throw notFound('live token with this id')
      return { status: 204 }
    },
  }),
]

function toToken(row: TokenRow) {
  return {
    id: String(row.id),
    name: row.name,
    role: row.role,
    createdAt: new Date(row.created_at).toISOString(),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at).toISOString(),
  }
}
