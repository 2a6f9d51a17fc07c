import type { TestService } from '../../harness/service.ts'
import type { Cases } from './case.ts'

const calling = (path: string, faultName?: string) => async (service: TestService) => ({
  path: `/v1/wallets/me/${path}`,
  ticket: (await service.customer()).ticket,
  faultName,
})

export const accountCases: Cases = {
  getMyBalance: { success: calling('balance'), faults: {} },
}
