// One working call of every row of the operator's API. The suites that walk all rows fail for a row without one.

import type { OperatorOperation } from '../../src/operator/operation.ts'
import type { Json, TestService } from '../harness/service.ts'

export type Case = {
  path: string
  body?: unknown
  status: number
  /** What must not be found in the audit trail afterwards, beside what the answer shows once. */
  secrets?: string[]
}

let counter = 0

export const cases: Record<string, (service: TestService) => Promise<Case>> = {
  createApplication: async () => ({ path: '/applications', body: { name: 'An app' }, status: 201 }),
  listApplications: async () => ({ path: '/applications', status: 200 }),
  revokeApplication: async (service) => ({ path: `/applications/${await newApplication(service)}`, status: 204 }),
  replaceApplicationSecret: async (service) => ({
    path: `/applications/${await newApplication(service)}/secret`,
    body: { graceSeconds: 5 },
    status: 201,
  }),
  putCustomer: async () => ({
    path: `/customers/${70_000 + ++counter}`,
    body: { username: `known-only-to-us-${counter}`, password: `open-sesame-${counter}` },
    status: 201,
    secrets: [`known-only-to-us-${counter}`, `open-sesame-${counter}`],
  }),
  getCustomer: async (service) => ({ path: `/customers/${(await service.customer()).id}`, status: 200 }),
  issueTicket: async (service) => ({
    path: `/customers/${(await service.customer()).id}/tickets`,
    body: { ttlSeconds: 60 },
    status: 201,
  }),
  exportPersonalData: async (service) => ({
    path: `/customers/${(await service.customer()).id}/personal-data`,
    status: 200,
  }),
  erasePersonalData: async (service) => ({
    path: `/customers/${(await service.customer()).id}/personal-data`,
    status: 204,
  }),
  createToken: async () => ({ path: '/tokens', body: { name: `t${++counter}`, role: 'feed' }, status: 201 }),
  listTokens: async () => ({ path: '/tokens', status: 200 }),
  revokeToken: async (service) => ({ path: `/tokens/${(await newToken(service, 'feed')).id}`, status: 204 }),
  readModerationQueue: async () => ({ path: '/moderation/queue?kind=profile', status: 200 }),
  getModeratedProfile: async (service) => ({
    path: `/moderation/profiles/${(await service.member()).profileId}`,
    status: 200,
  }),
  moderateProfile: async (service) => ({
    path: `/moderation/profiles/${(await service.member()).profileId}`,
    body: { action: 'keep', note: 'fine' },
    status: 200,
  }),
  readStatistics: async () => ({ path: '/statistics?days=7', status: 200 }),
  readMe: async () => ({ path: '/me', status: 200 }),
  listAudit: async () => ({ path: '/audit', status: 200 }),
}

export async function caseOf(service: TestService, { name }: OperatorOperation): Promise<Case> {
  const make = cases[name]
  if (make === undefined) throw new Error(`add a case for ${name} to test/operator/cases.ts`)
  const made = await make(service)
  return { ...made, path: `/operator/v1${made.path}` }
}

export async function newToken(service: TestService, role: string, name = `t${++counter}`): Promise<Json> {
  return (await service.operator('POST', '/operator/v1/tokens', { name, role })).body
}

async function newApplication(service: TestService): Promise<string> {
  return (await service.operator('POST', '/operator/v1/applications', { name: 'An app' })).body.apiKey
}
