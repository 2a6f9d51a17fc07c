import { type CustomerInput, putCustomer } from '../../../src/identity/customers/customer.ts'
import { sandboxResult } from '../../../src/wallets/gateways/sandbox/challenges.ts'
import { changeLimit } from '../../../src/wallets/limits/limits.ts'
import type { Period } from '../../../src/wallets/periods.ts'
import { makeDeposit, RETURN_URL, registerReturnAddresses } from '../../harness/challenges.ts'
import type { TestService } from '../../harness/service.ts'
import { addCard, type CardOptions } from '../../harness/wallets.ts'
import type { Cases } from './case.ts'

type Change = Record<string, string | null>
type Options = { card?: CardOptions; customer?: CustomerInput; change?: Change }

/** A deposit by a new customer with a new card, with some parameters changed or left out. */
async function depositing(service: TestService, { card = {}, customer: input, change = {} }: Options = {}) {
  await registerReturnAddresses(service)
  const customer = await service.customer(input)
  const method = await addCard(service, customer, { token: 'sandbox:challenge', ...card })
  const given = { amount: '10.00', id: `${method}`, cv2: '123', returnUrl: RETURN_URL, ...change }
  const pairs = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== null)
  return { ...customer, path: `/v1/wallets/me/deposits?${new URLSearchParams(pairs)}` }
}

function refused(faultName: string | undefined, options: Options) {
  return async (service: TestService) => ({ ...(await depositing(service, options)), faultName })
}

/** A deposit that has begun, and the way to its state or its challenge. */
async function begun(service: TestService, token: string) {
  await registerReturnAddresses(service)
  const customer = await service.customer()
  const method = await addCard(service, customer, { token })
  await makeDeposit(service, { ticket: customer.ticket, method })
  const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${customer.id}`)).body
  return { ...customer, method, path: `/v1/wallets/me/deposits/${items[0].paymentId}`, paymentId: items[0].paymentId }
}

/** One that the gateway has not answered yet. */
async function undecided(service: TestService, suffix: string) {
  await registerReturnAddresses(service)
  const customer = await service.customer()
  const method = await addCard(service, customer, { token: 'sandbox:slow-1000' })
  void makeDeposit(service, { ticket: customer.ticket, method })
  for (;;) {
    const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${customer.id}`)).body
    if (items.length > 0) {
      const path = `/v1/wallets/me/deposits/${items[0].paymentId}${suffix}`
      return { path, ticket: customer.ticket, faultName: undefined }
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

type Begun = Awaited<ReturnType<typeof begun>>

/** An approved challenge; `meanwhile` happens before the customer comes back. */
function finishing(
  faultName: string | undefined,
  meanwhile: (service: TestService, deposit: Begun) => Promise<unknown>,
  decision: 'approve' | 'refuse' = 'approve',
) {
  return async (service: TestService) => {
    const deposit = await begun(service, 'sandbox:challenge')
    await meanwhile(service, deposit)
    const query = new URLSearchParams({ redirectResult: sandboxResult(deposit.paymentId, decision) })
    return { path: `${deposit.path}/challenge?${query}`, ticket: deposit.ticket, faultName }
  }
}

/** A deposit that was refused answers the same fault again. */
function alreadyRefused(faultName: string | undefined, token: string) {
  return async (service: TestService) => {
    const { path, ticket } = await begun(service, token)
    return { path: `${path}/challenge?redirectResult=any`, ticket, faultName }
  }
}

const changed =
  (input: CustomerInput) =>
  (service: TestService, { id }: Begun) =>
    putCustomer(service.context.database, id, input, service.context.now())
const cardChanged =
  (card: CardOptions) =>
  (service: TestService, { id, method }: Begun) =>
    addCard(service, { id }, { id: method, token: 'sandbox:challenge', ...card })

const unknownPayment = (path: string) => async (service: TestService) => ({
  path: path.replace('{paymentId}', '00000000-0000-8000-8000-000000000000'),
  ticket: (await service.customer()).ticket,
  faultName: 'paymentId',
})

const PERIODS: readonly Period[] = ['day', 'week', 'month']
const CHALLENGE = '/v1/wallets/me/deposits/{paymentId}/challenge'

export const challengeCases: Cases = {
  makeDeposit: {
    success: (service) => depositing(service),
    faults: {
      walletMissing: refused('amount', { change: { amount: null } }),
      walletInvalid: refused('returnUrl', { change: { returnUrl: 'https://shop.example.evil.com/cashier' } }),
      methodInvalid: refused('transactionType', { change: { id: '77' } }),
      belowMinimum: refused('amount', { change: { amount: '4.99' } }),
      aboveMaximum: refused('amount', { change: { amount: '1000.01' } }),
      notPermitted: refused(undefined, { customer: { status: 'self-excluded' } }),
      authorisationFailed: refused(undefined, { card: { token: 'sandbox:decline' } }),
      cardNumberInvalid: refused(undefined, { card: { token: 'sandbox:invalid-card' } }),
      insufficientFunds: refused(undefined, { card: { token: 'sandbox:insufficient-funds' } }),
      dailyLimitExceeded: refused(undefined, { customer: { dailyDepositLimit: 999n } }),
      ownLimitExceeded: PERIODS.map((period) => async (service: TestService) => {
        const { id, path, ticket } = await depositing(service)
        await changeLimit(service.context, id, period, 999n)
        return { path, ticket, faultName: period }
      }),
      cv2Invalid: refused('cv2', { card: { token: 'sandbox:wrong-cv2' } }),
      expiryInvalid: refused(undefined, { card: { expiryDate: '01/20' } }),
      fundsStatementNotAccepted: refused(undefined, { customer: { fundsStatementVersion: 0 } }),
      stillProcessing: async (service) => {
        const { ticket, method } = await begun(service, 'sandbox:challenge')
        const query = new URLSearchParams({ amount: '10.00', id: `${method}`, cv2: '123', returnUrl: RETURN_URL })
        return { path: `/v1/wallets/me/deposits?${query}`, ticket, faultName: undefined }
      },
    },
  },
  getMyDeposits: {
    success: async (service) => ({ ...(await begun(service, 'sandbox:challenge')), path: '/v1/wallets/me/deposits' }),
    faults: {
      walletInvalid: ['blockSize=101', 'blockNum=x'].map((query) => async (service: TestService) => ({
        path: `/v1/wallets/me/deposits?${query}`,
        ticket: (await service.customer()).ticket,
        faultName: 'blockSize|blockNum',
      })),
    },
  },
  getDeposit: {
    success: (service) => begun(service, 'sandbox:challenge'),
    faults: {
      walletMissing: async (service) => {
        const { ticket } = await service.customer()
        return { path: '/v1/wallets/me/deposits/', ticket, faultName: 'paymentId' }
      },
      walletInvalid: unknownPayment('/v1/wallets/me/deposits/{paymentId}'),
      stillProcessing: (service) => undecided(service, ''),
    },
  },
  cancelChallenge: {
    success: async (service) => {
      const deposit = await begun(service, 'sandbox:challenge')
      return { ...deposit, path: `${deposit.path}/challenge` }
    },
    faults: {
      walletMissing: async (service) => {
        const { ticket } = await service.customer()
        return { path: '/v1/wallets/me/deposits//challenge', ticket, faultName: 'paymentId' }
      },
      walletInvalid: unknownPayment(CHALLENGE),
      stillProcessing: (service) => undecided(service, '/challenge'),
    },
  },
  finishChallenge: {
    success: finishing(undefined, async () => {}),
    faults: {
      walletMissing: async (service) => {
        const { path, ticket } = await begun(service, 'sandbox:challenge')
        return { path: `${path}/challenge`, ticket, faultName: 'redirectResult' }
      },
      walletInvalid: [
        unknownPayment(`${CHALLENGE}?redirectResult=any`),
        async (service) => {
          const { path, ticket } = await begun(service, 'sandbox:challenge')
          return { path: `${path}/challenge?redirectResult=any`, ticket, faultName: 'redirectResult' }
        },
      ],
      methodInvalid: alreadyRefused('transactionType', 'sandbox:no-such-token'),
      belowMinimum: finishing('amount', cardChanged({ min: '10.01' })),
      aboveMaximum: finishing('amount', cardChanged({ max: '9.99' })),
      notPermitted: finishing(undefined, changed({ verified: false })),
      authorisationFailed: finishing(undefined, async () => {}, 'refuse'),
      cardNumberInvalid: alreadyRefused(undefined, 'sandbox:invalid-card'),
      insufficientFunds: alreadyRefused(undefined, 'sandbox:insufficient-funds'),
      dailyLimitExceeded: finishing(undefined, changed({ dailyDepositLimit: 999n })),
      ownLimitExceeded: PERIODS.map((period) =>
        finishing(period, (service, { id }) => changeLimit(service.context, id, period, 999n)),
      ),
      cv2Invalid: alreadyRefused('cv2', 'sandbox:wrong-cv2'),
      expiryInvalid: alreadyRefused(undefined, 'sandbox:expired'),
      fundsStatementNotAccepted: finishing(undefined, changed({ fundsStatementVersion: 0 })),
      stillProcessing: (service) => undecided(service, '/challenge?redirectResult=any'),
    },
  },
}
