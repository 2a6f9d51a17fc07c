import {
  integer,
  named,
  object,
  orNull,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { page, text, time } from '../server/fields.ts'

const apiKey = string({ description: 'Sent as `who-apiKey` to the public API.', examples: ['5f0c7d1e9a3b4c62'] })
const secret = string({
  description: 'Sent as `who-secret`. Shown this once: the service stores a hash of it.',
  examples: ['q1f0S3kq0w3n5t6Yb8u2cV4xZ7mA9dLe'],
})
const requests = integer(0, 1_000_000, { description: 'How many requests; 0: no limit.', examples: [100] })

export const applicationBody = named(
  'NewApplication',
  object(
    { name: text(1, 100, { examples: ['Mobile app'] }) },
    { rateLimit: object({}, { perSecond: requests, perMinute: requests }) },
  ),
)

export const createdApplication = named(
  'CreatedApplication',
  object({ apiKey, secret, name: string({ examples: ['Mobile app'] }) }),
)

const ownLimit = orNull(requests, { description: 'null: the limit of the service.' })

const application = named(
  'Application',
  object({
    apiKey,
    name: string({ examples: ['Mobile app'] }),
    rateLimit: object({ perSecond: ownLimit, perMinute: ownLimit }),
    createdAt: time(),
    revokedAt: orNull(time(), { examples: [null] }),
  }),
)
export type Application = ValueOf<typeof application>
export const applications = page(application)

export const secretBody = object(
  {},
  {
    graceSeconds: withDefault(
      integer(0, 30 * 86_400, { description: 'How long the old secret stays valid.', examples: [3600] }),
      86_400,
    ),
  },
)

export const newSecret = named('NewSecret', object({ apiKey, secret }))
export type NewSecret = ValueOf<typeof newSecret>
