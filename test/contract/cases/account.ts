import type { TestService } from '../../harness/service.ts'
import type { Cases } from './case.ts'

const calling = (path: string, faultName?: string) => async (service: TestService) => ({
  path: `/v1/wallets/me/${path}`,
  ticket: (await service.customer()).ticket,
  faultName,
})

export const accountCases: Cases = {
  getMyBalance: { success: calling('balance'), faults: {} },
  getMyStatement: {
    success: calling('statement?from=2026-01-01'),
    faults: {
      walletInvalid: [
        calling('statement?from=x', 'from'),
        calling('statement?to=2026-02-30', 'to'),
        calling('statement?from=2026-02-02&to=2026-02-01', 'from'),
        calling('statement?blockSize=0', 'blockSize|blockNum'),
      ],
    },
  },
}
