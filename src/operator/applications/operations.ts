import { newCredentials } from '../../identity/applications/application.ts'
import { type ApplicationRow, allApplications } from '../../identity/applications/store.ts'
import { isoTime, isoTimeOrNull } from '../../platform/runtime/iso-time.ts'
import { operatorOperation } from '../server/operation.ts'
import { singlePage } from '../server/pages.ts'
import { notFound } from '../server/problem.ts'
import {
  type Application,
  applicationBody,
  applications,
  createdApplication,
  newSecret,
  secretBody,
} from './schemas.ts'

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
    handle: async ({ database }) => singlePage((await database.query(allApplications, {})).map(toApplication)),
  }),
  operatorOperation({
    name: 'revokeApplication',
    summary: 'Revoke the key of an application',
    description: 'It is refused by every process within 5 seconds.',
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
]

function toApplication(row: ApplicationRow): Application {
  return {
    apiKey: row.api_key,
    name: row.name,
    rateLimit: { perSecond: row.rate_per_second, perMinute: row.rate_per_minute },
    createdAt: isoTime(row.created_at),
    revokedAt: isoTimeOrNull(row.revoked_at),
  }
}
