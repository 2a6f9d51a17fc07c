import { newCredentials } from '../../identity/applications/application.ts'
import { returnAddressProblem } from '../../identity/applications/return-addresses.ts'
import { type ApplicationRow, allApplications, replaceReturnAddresses } from '../../identity/applications/store.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { notFound, notValid } from '../server/problem.ts'
import { shown } from '../server/shown.ts'

const apiKey = s.string('5f0c7d1e9a3b4c62', 'Sent as `who-apiKey` to the public API.')
const secret = s.string(
  'q1f0S3kq0w3n5t6Yb8u2cV4xZ7mA9dLe',
  'Sent as `who-secret`. Shown this once: the service stores a hash of it.',
)
const requests = s.integer(0, 1_000_000, 100, 'How many requests; 0: no limit.')

const returnAddresses = s.list(s.text(1, 500, 'https://shop.example/cashier'), {
  description:
    'Where issuers may send customers back to after a 3-D Secure challenge: a `returnUrl` must begin with one of them. HTTPS, or HTTP on localhost with any port.',
  maxItems: 20,
})

export const returnAddressesBody = s.namedObject('ReturnAddresses', { returnAddresses })

export const applicationBody = s.namedObject(
  'NewApplication',
  { name: s.text(1, 100, 'Mobile app') },
  { rateLimit: s.allOptional({ perSecond: requests, perMinute: requests }) },
)

export const createdApplication = s.namedObject('CreatedApplication', { apiKey, secret, name: s.string('Mobile app') })

const ownLimit = s.orNull(requests, 'null: the limit of the service.')

const application = s.namedObject('Application', {
  apiKey,
  name: s.string('Mobile app'),
  rateLimit: s.object({ perSecond: ownLimit, perMinute: ownLimit }),
  returnAddresses,
  createdAt: s.time(),
  revokedAt: s.orNull(s.time(), undefined, null),
})
export type Application = s.ValueOf<typeof application>
const applicationOf = shown(application)
export const applications = s.page(application)

export const secretBody = s.allOptional({
  graceSeconds: s.withDefault(s.integer(0, 30 * 86_400, 3600, 'How long the old secret stays valid.'), 86_400),
})

export const newSecret = s.namedObject('NewSecret', { apiKey, secret })
export type NewSecret = s.ValueOf<typeof newSecret>

const NO_APPLICATION = 'There is no application with this key, or it is revoked.'

export const applicationOperations = [
  operatorOperation({
    name: 'createApplication',
    summary: 'Create an application',
    description: 'Its secret is shown this once.',
    route: 'POST /applications',
    role: 'admin',
    audit: 'created application {body.name}',
    body: applicationBody,
    answer: { 201: createdApplication },
    example: { body: { name: 'Mobile app', rateLimit: { perSecond: 100 } }, answer: { name: 'Mobile app' } },
    async handle({ applications, database }, { body, trail }) {
      const { name, rateLimit } = body
      const credentials = newCredentials()
      trail.note(credentials.apiKey)
      const application = {
        name,
        perSecond: rateLimit?.perSecond ?? null,
        perMinute: rateLimit?.perMinute ?? null,
        fixed: credentials,
      }
      await applications.create(application, database)
      return { ...credentials, name }
    },
  }),
  operatorOperation({
    name: 'listApplications',
    summary: 'List all applications',
    description: 'Revoked ones too, all without their secrets.',
    route: 'GET /applications',
    role: 'admin',
    answer: { 200: applications },
    handle: async ({ database }) => singlePage((await database.query(allApplications, {})).map(showApplication)),
  }),
  operatorOperation({
    name: 'revokeApplication',
    summary: 'Revoke the key of an application',
    description:
      'It is refused by every process within 5 seconds; while the primary is away, with STALE_READS_UP_TO_SECONDS, on other machines within its limit and 3 seconds.',
    route: 'DELETE /applications/{apiKey}',
    role: 'admin',
    audit: 'revoked application {apiKey}',
    answer: { 204: null },
    problems: { 404: NO_APPLICATION },
    example: { path: { apiKey: '5f0c7d1e9a3b4c62' } },
    async handle({ applications, database }, { path }) {
      if (!(await applications.revoke(path.apiKey, database))) throw notFound('live application with this key')
    },
  }),
  operatorOperation({
    name: 'replaceApplicationSecret',
    summary: 'Give an application a new secret',
    description: 'The old one stays valid for the grace period.',
    route: 'POST /applications/{apiKey}/secret',
    role: 'admin',
    audit: 'replaced the secret of application {apiKey}',
    body: secretBody,
    answer: { 201: newSecret },
    problems: { 404: NO_APPLICATION },
    example: { path: { apiKey: '5f0c7d1e9a3b4c62' }, body: { graceSeconds: 3600 } },
    async handle({ applications, database }, { path: { apiKey }, body }) {
      const secret = await applications.newSecret(apiKey, body.graceSeconds, database)
      if (secret === undefined) throw notFound('live application with this key')
      return { apiKey, secret }
    },
  }),
  operatorOperation({
    name: 'putReturnAddresses',
    summary: 'Replace the return addresses of an application',
    description:
      'For deposits with 3-D Secure: a `returnUrl` must begin with one of them, in its scheme, host, port and whole parts of the path.',
    route: 'PUT /applications/{apiKey}/return-addresses',
    role: 'admin',
    audit: 'set the return addresses of application {apiKey}',
    body: returnAddressesBody,
    answer: { 200: returnAddressesBody },
    problems: { 404: NO_APPLICATION, 422: 'An address is not one that customers may be sent to.' },
    example: {
      path: { apiKey: 'sandbox-key' },
      body: { returnAddresses: ['https://shop.example/cashier', 'http://localhost/app/'] },
    },
    async handle({ database }, { path: { apiKey }, body }) {
      const addresses = body.returnAddresses.map(parseAddress)
      const changed = await database.run(replaceReturnAddresses, { apiKey, addresses: JSON.stringify(addresses) })
      if (changed === 0) throw notFound('live application with this key')
      return { returnAddresses: addresses }
    },
  }),
]

/** As it is compared: without a query, which would not be. */
function parseAddress(address: string, index: number): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const problem = url === null ? 'must be an absolute address' : returnAddressProblem(url)
  if (url === null || problem !== null)
    throw notValid([{ pointer: `/returnAddresses/${index}`, detail: problem ?? '' }])
  return url.origin + url.pathname
}

function showApplication(row: ApplicationRow): Application {
  return applicationOf(row, {
    rateLimit: { perSecond: row.rate_per_second, perMinute: row.rate_per_minute },
    returnAddresses: JSON.parse(row.return_addresses) as string[],
  })
}
