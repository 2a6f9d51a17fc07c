import type { TestService } from '../../harness/service.ts'
import type { Cases } from './case.ts'

const path = '/v1/stream'
const ticketOf = async (service: TestService) => (await service.member()).ticket

export const streamCases: Cases = {
  openStream: {
    success: async (service) => ({ path: `${path}?outcomes=1,2&account=Y`, ticket: await ticketOf(service) }),
    faults: {
      invalid: [
        async (service) => ({
          path,
          ticket: await ticketOf(service),
          headers: { 'last-event-id': 'x' },
          faultName: 'Last-Event-ID',
        }),
        async (service) => ({
          path: `${path}?lastEventId=-1`,
          ticket: await ticketOf(service),
          faultName: 'lastEventId',
        }),
        async (service) => ({
          path: `${path}?outcomes=1,x`,
          ticket: await ticketOf(service),
          faultName: 'outcomes',
        }),
        async (service) => ({ path: `${path}?account=y`, ticket: await ticketOf(service), faultName: 'account' }),
      ],
    },
  },
}
