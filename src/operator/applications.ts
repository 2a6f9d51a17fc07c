import { newCredentials } from '../applications/application.ts'
import { type ApplicationRow, allApplications } from '../applications/store.ts'
import { type OperatorOperation, object, operatorOperation, text } from './frame/operation.ts'
import { wholeList } from './frame/pages.ts'
import { notFound } from './frame/problem.ts'

const limit = { type: 'integer', minimum: 0, maximum: 1_000_000 }

export const applicationOperations: OperatorOperation[] = [
  operatorOperation<{ name: string; rateLimit?: { perSecond?: number; perMinute?: number } }>({
    name: 'createApplication',
    summary: 'A new application; its secret is shown this once',
    method: 'POST',
    path: '/applications',
    role: 'admin',
    body: object({ name: text(1, 100), rateLimit: object({ perSecond: limit, perMinute: limit }) }, ['name']),
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
      return { status: 201, body: { ...credentials, name } }
    },
  }),
  operatorOperation({
    name: 'listApplications',
    summary: 'All applications, without their secrets',
    method: 'GET',
    path: '/applications',
    role: 'admin',
    handle: async (context) => ({
      status: 200,
      body: wholeList((await context.database.query(allApplications, {})).map(toApplication)),
    }),
  }),
  operatorOperation({
    name: 'revokeApplication',
    summary: 'Revoke a key, on every process within 5 seconds',
    method: 'DELETE',
    path: '/applications/{apiKey}',
    role: 'admin',
    async handle({ applications, database }, { path }) {
      const revoked = await applications.revoke(path.apiKey ?? '', database)
      if (!revoked) throw notFound('live application with this key')
      return { status: 204 }
    },
  }),
  operatorOperation<{ graceSeconds: number }>({
    name: 'replaceApplicationSecret',
    summary: 'A new secret; the old one stays valid for the grace period',
    method: 'POST',
    path: '/applications/{apiKey}/secret',
    role: 'admin',
    body: object({ graceSeconds: { type: 'integer', minimum: 0, maximum: 30 * 86_400, default: 86_400 } }),
    async handle({ applications, database }, { path, body }) {
      const secret = await applications.newSecret(path.apiKey ?? '', body.graceSeconds, database)
      if (secret === undefined) throw notFound('live application with this key')
      return { status: 201, body: { apiKey: path.apiKey, secret } }
    },
  }),
]

function toApplication(row: ApplicationRow) {
  return {
    apiKey: row.api_key,
    name: row.name,
    rateLimit: { perSecond: row.rate_per_second, perMinute: row.rate_per_minute },
    createdAt: new Date(row.created_at).toISOString(),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at).toISOString(),
  }
}
