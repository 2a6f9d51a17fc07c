// Who operates the service: tokens, people signed in to the console, and who a caller is.

import { endConsoleSession, listConsoleSessions } from '../../identity/operators/console-sessions.ts'
import { personNamed } from '../../identity/operators/person.ts'
import { createToken, listTokens, revokeToken } from '../../identity/operators/tokens.ts'
import { ROLES } from '../../platform/config/roles.ts'
import { isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { mayCall } from '../server/call-roles.ts'
import * as s from '../server/fields.ts'
import { type OperatorOperation, operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { conflict, notFound, notValid } from '../server/problem.ts'
import { shown } from '../server/shown.ts'

const role = s.oneOf(ROLES, 'moderator')
const name = s.string('ann')
const owner = s.orNull(
  s.string('Ann Archer'),
  'Who is responsible for it, and whom it counts as where two persons decide.',
)
const expiresAt = s.orNull(s.time(), 'null: valid until it is revoked.', null)

export const tokenBody = s.namedObject(
  'NewToken',
  { name: s.text(1, 100, 'ann', 'Names the operator in the audit trail.'), role },
  {
    owner: s.text(
      1,
      100,
      'Ann Archer',
      'Who is responsible for it. Where two persons decide about money, it counts as this person if OPERATOR_TOKEN or a command on the ' +
        'server has created it, else as whoever created it; tokens without an owner count as one person.',
    ),
    expiresAt: s.time('Without it, the token is valid until it is revoked.'),
  },
)
export type NewToken = s.SentOf<typeof tokenBody>

export const createdToken = s.namedObject('CreatedToken', {
  id: s.id('1'),
  name,
  role,
  owner,
  expiresAt,
  token: s.string('q1f0S3kq0w3n5t6Yb8u2cV4xZ7mA9dLe', 'Shown this once: the service stores a hash of it.'),
})
export type CreatedToken = s.ValueOf<typeof createdToken>

const token = s.namedObject('Token', {
  id: s.id('1'),
  name,
  role: s.string('moderator', 'Old tokens may have the role `feed and accounts`.'),
  owner,
  createdBy: s.orNull(s.string('openid:ann'), 'null: by an earlier version.', 'bootstrap'),
  createdAt: s.time(),
  expiresAt,
  lastUsedAt: s.orNull(s.time(), 'To the minute.', null),
  revokedAt: s.orNull(s.time(), undefined, null),
})
export type Token = s.ValueOf<typeof token>
export const tokens = s.page(token)

const consoleSession = s.namedObject('ConsoleSession', {
  id: s.id('1'),
  name: s.string('openid:ann'),
  role: s.string('moderator'),
  subject: s.string('248289761001', 'The person’s id at the OpenID provider.'),
  createdAt: s.time(),
  usedAt: s.time(),
  expiresAt: s.time(),
})
export const consoleSessions = s.page(consoleSession)

export const me = s.namedObject('Me', {
  name,
  role: s.string('moderator'),
  calls: s.list(s.string(), 'Method and path of each call that the role may make.', [
    'GET /moderation/queue',
    'GET /moderation/words',
  ]),
})

const tokenOf = shown(token)
const sessionOf = shown(consoleSession)

export const accessOperations = [
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
      422: '`expiresAt` is not in the future, or `owner` has no visible character.',
    },
    example: {
      body: { name: 'ann', role: 'moderator', owner: 'Ann Archer' },
      answer: { name: 'ann', role: 'moderator', owner: 'Ann Archer', expiresAt: null },
    },
    async handle({ database, now }, { body, trail, operator }) {
      const { name, role, owner = null } = body
      if (owner !== null && personNamed(owner) === '') {
        throw notValid([{ pointer: '/owner', detail: 'must have a visible character' }])
      }
      const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt)
      if (expiresAt !== null && expiresAt <= now()) {
        throw notValid([{ pointer: '/expiresAt', detail: 'must be in the future' }])
      }
      const created = await createToken(database, { name, role, owner, expiresAt, by: operator }, now(), trail.note)
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
    handle: async ({ database }) => singlePage((await listTokens(database)).map((row) => tokenOf(row))),
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
  operatorOperation({
    name: 'listConsoleSessions',
    summary: 'List who is signed in to the console',
    description: 'Operators who signed in through the OpenID provider.',
    route: 'GET /console-sessions',
    role: 'admin',
    answer: { 200: consoleSessions },
    async handle({ database, now }) {
      return singlePage((await listConsoleSessions(database, now())).map((row) => sessionOf(row)))
    },
  }),
  operatorOperation({
    name: 'endConsoleSession',
    summary: 'Sign a person out of the console at once',
    route: 'DELETE /console-sessions/{id}',
    role: 'admin',
    audit: 'ended console session {id}',
    answer: { 204: null },
    problems: { 404: 'There is no such session.' },
    async handle({ database }, { path }) {
      if (!(await endConsoleSession(database, path.id))) throw notFound('session with this id')
    },
  }),
]

/** So that a client of any role offers exactly the calls that it may make on this server. */
export function meOperation(others: readonly OperatorOperation[]) {
  return operatorOperation({
    name: 'readMe',
    summary: 'Read who I am and which calls I may make',
    route: 'GET /me',
    role: 'any',
    answer: { 200: me },
    handle: (_context, { operator }) => ({
      name: operator.name,
      role: operator.role,
      calls: others.filter((row) => mayCall(operator, row)).map((row) => `${row.method} ${row.path}`),
    }),
  })
}
