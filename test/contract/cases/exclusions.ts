import type { TestService } from '../../harness/service.ts'
import type { Cases } from './case.ts'

const calling = (path: string, faultName?: string) => async (service: TestService) => ({
  path: `/v1/wallets/me/${path}`,
  ticket: (await service.customer()).ticket,
  faultName,
})

export const exclusionCases: Cases = {
  takeTimeOut: {
    success: calling('time-out?hours=24'),
    faults: { walletMissing: calling('time-out', 'hours'), walletInvalid: calling('time-out?hours=23', 'hours') },
  },
  excludeMyself: {
    success: calling('exclusion?months=6'),
    faults: { walletMissing: calling('exclusion', 'months'), walletInvalid: calling('exclusion?months=61', 'months') },
  },
}
