import { changeLimit } from '../../../src/wallets/limits/limits.ts'
import type { TestService } from '../../harness/service.ts'
import type { Cases } from './case.ts'

const calling = (path: string) => async (service: TestService) => ({
  path: `/v1/wallets/me/${path}`,
  ticket: (await service.customer()).ticket,
})

const refused = (path: string, faultName: string) => async (service: TestService) => ({
  ...(await calling(path)(service)),
  faultName,
})

const missing = { walletMissing: refused('limits/', 'period') }

export const limitCases: Cases = {
  getMyLimits: { success: calling('limits'), faults: {} },
  markLimitsPrompted: {
    success: calling('limits?prompted=Y'),
    faults: { walletMissing: refused('limits', 'prompted'), walletInvalid: refused('limits?prompted=N', 'prompted') },
  },
  setMyLimit: {
    success: calling('limits/day?amount=10.00'),
    faults: {
      walletMissing: [refused('limits/day', 'amount'), refused('limits/?amount=1.00', 'period')],
      walletInvalid: [refused('limits/day?amount=x', 'amount'), refused('limits/year?amount=1.00', 'period')],
    },
  },
  removeMyLimit: {
    success: calling('limits/day'),
    faults: { ...missing, walletInvalid: refused('limits/year', 'period') },
  },
  confirmMyLimit: {
    success: async (service) => {
      const { id, ticket } = await service.customer()
      await changeLimit(service.context, id, 'day', 1_000n)
      await changeLimit({ ...service.context, now: () => service.clock.now() - 25 * 3_600_000 }, id, 'day', 2_000n)
      return { path: '/v1/wallets/me/limits/day/confirmation', ticket }
    },
    faults: {
      walletMissing: refused('limits//confirmation', 'period'),
      walletInvalid: refused('limits/week/confirmation', 'period'),
    },
  },
}
