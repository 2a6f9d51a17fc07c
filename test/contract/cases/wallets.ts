import type { CustomerInput } from '../../../src/identity/customers/customer.ts'
import { changeLimit } from '../../../src/wallets/limits/limits.ts'
import type { Period } from '../../../src/wallets/periods.ts'
import type { TestService } from '../../harness/service.ts'
import { addCard, type CardOptions, depositStates } from '../../harness/wallets.ts'
import type { Cases } from './case.ts'

type Options = { card?: CardOptions; customer?: CustomerInput; change?: Record<string, string | null> }

/** A deposit by a new customer with a new card, with some parameters changed or left out. */
async function depositing(service: TestService, { card: options, customer: input, change = {} }: Options = {}) {
  const customer = await service.customer(input)
  const method = await addCard(service, customer, options)
  const given = { transactionType: 'deposit', amount: '10.00', id: `${method}`, cv2: '123', ...change }
  const pairs = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== null)
  return { customer, path: `/v1/wallets/me?${new URLSearchParams(pairs)}`, ticket: customer.ticket }
}

function refused(faultName: string | undefined, options: Options) {
  return async (service: TestService) => {
    const { path, ticket } = await depositing(service, options)
    return { path, ticket, faultName }
  }
}

const methods: Cases[string] = {
  success: async (service) => {
    const customer = await service.customer()
    await addCard(service, customer)
    return { path: '/v1/wallets/me/methods', ticket: customer.ticket }
  },
  faults: {
    noMethods: async (service) => ({
      path: '/v1/wallets/me/methods',
      ticket: (await service.customer()).ticket,
      faultName: undefined,
    }),
  },
}

export const walletCases: Cases = {
  getPaymentMethods: methods,
  getPaymentMethodsByGet: methods,
  makeTransaction: {
    success: async (service) => {
      const { path, ticket } = await depositing(service)
      return { path, ticket }
    },
    faults: {
      walletMissing: refused('amount', { change: { amount: null } }),
      walletInvalid: refused('id', { change: { id: 'x' } }),
      methodInvalid: refused('transactionType', { change: { id: '77' } }),
      belowMinimum: refused('amount', { change: { amount: '4.99' } }),
      aboveMaximum: refused('amount', { change: { amount: '1000.01' } }),
      notPermitted: refused(undefined, { customer: { status: 'self-excluded' } }),
      authorisationFailed: refused(undefined, { card: { token: 'sandbox:decline' } }),
      cardNumberInvalid: refused(undefined, { card: { token: 'sandbox:invalid-card' } }),
      insufficientFunds: refused(undefined, { card: { token: 'sandbox:insufficient-funds' } }),
      dailyLimitExceeded: refused(undefined, { customer: { dailyDepositLimit: 999n } }),
      ownLimitExceeded: ['day', 'week', 'month'].map((period) => async (service: TestService) => {
        const { customer, path, ticket } = await depositing(service)
        await changeLimit(service.context, customer.id, period as Period, 999n)
        return { path, ticket, faultName: period }
      }),
      cv2Invalid: refused('cv2', { card: { token: 'sandbox:wrong-cv2' } }),
      expiryInvalid: refused(undefined, { card: { expiryDate: '01/20' } }),
      fundsStatementNotAccepted: refused(undefined, { customer: { fundsStatementVersion: 0 } }),
      stillProcessing: async (service) => {
        const { customer, path, ticket } = await depositing(service, { card: { token: 'sandbox:slow-1000' } })
        void service.call('POST', path, { ticket })
        while ((await depositStates(service, customer.id)).length === 0) {
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        return { path, ticket, faultName: undefined }
      },
    },
  },
}
