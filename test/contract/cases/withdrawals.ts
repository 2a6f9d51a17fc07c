import type { TestService } from '../../harness/service.ts'
import { player, withdrawn } from '../../harness/withdrawals.ts'
import type { Cases } from './case.ts'

const PATH = '/v1/wallets/me/withdrawals'

/** A customer with two cards, each with a captured deposit of 20.00; `query` is of the first card's id. */
function withdrawing(query: (card: number) => string, faultName?: string) {
  return async (service: TestService) => {
    const { ticket, cards } = await player(service, {}, {})
    return { path: `${PATH}?${query(cards[0] as number)}`, ticket, faultName }
  }
}

const asStranger = (path: string, faultName: string) => async (service: TestService) => ({
  path: `${PATH}${path}`,
  ticket: (await service.customer()).ticket,
  faultName,
})

export const withdrawalCases: Cases = {
  getWithdrawalOptions: {
    success: async (service) => ({ path: `${PATH}/options`, ticket: (await player(service, {}, {})).ticket }),
    faults: {},
  },
  makeWithdrawal: {
    success: withdrawing((card) => `amount=5.00&id=${card}`),
    faults: {
      walletMissing: [withdrawing((card) => `id=${card}`, 'amount'), withdrawing(() => 'amount=5.00', 'id')],
      walletInvalid: [
        withdrawing((card) => `amount=five&id=${card}`, 'amount'),
        withdrawing(() => 'amount=5.00&id=first', 'id'),
      ],
      notWithdrawable: withdrawing(() => 'amount=5.00&id=77', 'transactionType'),
      nothingWithdrawn: withdrawing((card) => `amount=0&id=${card}`, 'amount'),
      aboveOption: withdrawing((card) => `amount=20.01&id=${card}`, 'amount'),
      insufficientFunds: withdrawing((card) => `amount=40.01&id=${card}`),
    },
  },
  getMyWithdrawals: {
    success: async (service) => {
      const { ticket, cards } = await player(service, {})
      await withdrawn(service, { ticket, card: cards[0] as number })
      return { path: PATH, ticket }
    },
    faults: {
      walletInvalid: ['?blockSize=101', '?blockNum=x'].map((query) => asStranger(query, 'blockSize|blockNum')),
    },
  },
  getWithdrawal: {
    success: async (service) => {
      const { ticket, cards } = await player(service, {})
      return { path: `${PATH}/${await withdrawn(service, { ticket, card: cards[0] as number })}`, ticket }
    },
    faults: { walletMissing: asStranger('/', 'id'), walletInvalid: asStranger('/999999999', 'id') },
  },
}
