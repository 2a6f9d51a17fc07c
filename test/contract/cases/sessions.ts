import type { TestService } from '../../harness/service.ts'
import type { Cases } from './case.ts'

let logins = 0

async function login(service: TestService) {
  const username = `user-${++logins}`
  await service.customer({ username, password: 'correct horse' })
  return { username, body: `username=${username}&password=correct+horse` }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export const sessionCases: Cases = {
  createTicket: {
    success: async (service) => ({ path: '/v1/sessions/tickets', headers: FORM, body: (await login(service)).body }),
    faults: {
      credentialsMissing: async () => ({ path: '/v1/sessions/tickets?username=x', faultName: 'password' }),
      invalid: async (service) => ({
        path: `/v1/sessions/tickets?username=${(await login(service)).username}&password=x&extended=maybe`,
        faultName: 'extended',
      }),
      credentialsWrong: async (service) => ({
        path: `/v1/sessions/tickets?username=${(await login(service)).username}&password=wrong`,
        faultName: '',
      }),
    },
  },
  checkTicket: {
    success: async (service) => ({ path: `/v1/sessions/tickets/${(await service.customer()).ticket}` }),
    // A HEAD answer has no body to read a fault from: the flow tests check its statuses.
    faults: {},
  },
  endTicket: {
    success: async (service) => ({ path: `/v1/sessions/tickets/${(await service.customer()).ticket}` }),
    faults: {
      missing: async () => ({ path: '/v1/sessions/tickets/', faultName: 'ticket' }),
      invalid: async () => ({ path: '/v1/sessions/tickets/a%00b', faultName: 'ticket' }),
    },
  },
}
