// Who operates the service: tokens, people signed in to the console, and who a caller is.

import {
  list,
  named,
  object,
  oneOf,
  orNull,
  type SentOf,
  string,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { ROLES } from '../../platform/config/roles.ts'
import { id, page, text, time } from '../server/fields.ts'

const role = oneOf(ROLES, { examples: ['moderator'] })
const name = string({ examples: ['ann'] })
const owner = orNull(string({ examples: ['Ann Archer'] }))
const expiresAt = orNull(time(), { description: 'null: valid until it is revoked.', examples: [null] })

export const tokenBody = named(
  'NewToken',
  object(
    { name: text(1, 100, { description: 'Names the operator in the audit trail.', examples: ['ann'] }), role },
    {
      owner: text(1, 100, { description: 'Who is responsible for it.', examples: ['Ann Archer'] }),
      expiresAt: time({ description: 'Without it, the token is valid until it is revoked.' }),
    },
  ),
)
export type NewToken = SentOf<typeof tokenBody>

export const createdToken = named(
  'CreatedToken',
  object({
    id: id('1'),
    name,
    role,
    owner,
    expiresAt,
    token: string({
      description: 'Shown this once: the service stores a hash of it.',
      examples: ['q1f0S3kq0w3n5t6Yb8u2cV4xZ7mA9dLe'],
    }),
  }),
)
export type CreatedToken = ValueOf<typeof createdToken>

const token = named(
  'Token',
  object({
    id: id('1'),
    name,
    role: string({ description: 'Old tokens may have the role `feed and accounts`.', examples: ['moderator'] }),
    owner,
    createdAt: time(),
    expiresAt,
    lastUsedAt: orNull(time(), { description: 'To the minute.', examples: [null] }),
    revokedAt: orNull(time(), { examples: [null] }),
  }),
)
export type Token = ValueOf<typeof token>
export const tokens = page(token)

const consoleSession = named(
  'ConsoleSession',
  object({
    id: id('1'),
    name: string({ examples: ['openid:ann'] }),
    role: string({ examples: ['moderator'] }),
    subject: string({ description: 'The person’s id at the OpenID provider.', examples: ['248289761001'] }),
    createdAt: time(),
    usedAt: time(),
    expiresAt: time(),
  }),
)
export const consoleSessions = page(consoleSession)

export const me = named(
  'Me',
  object({
    name,
    role: string({ examples: ['moderator'] }),
    calls: list(string(), {
      description: 'Method and path of each call that the role may make.',
      examples: [['GET /moderation/queue', 'GET /moderation/words']],
    }),
  }),
)
