import { DAY_MS } from '../platform/runtime/durations.ts'

const MORNING = Date.UTC(2026, 10, 15, 9, 30)

/** Of the example of makeDeposit: the id is derived from its Idempotency-Key, so that the examples after it find the deposit. */
export const EXAMPLE_DEPOSIT = { key: 'example-deposit', paymentId: 'e5d86962-62b5-82e4-8e5a-fb4b52d4c587' }

export const WALLET_EXAMPLES = {
  paymentId: ['03a438b8-b509-4b5a-b82a-a323f1111340'],
  paymentDateTime: ['2026-11-15 09:30:00'],
  'action.type': ['redirect'],
  'action.url': ['https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS2.shtml'],
  'action.method': ['POST'],
  'field.name': ['MD', 'PaReq'],
  'field.value': ['b2Zmc2V0', 'eNpVUtt'],
  'deposits.amount': ['25.00', '1000.00'],
  'deposits.status': ['authorised', 'refused'],
  'deposits.reason': [undefined, '24007'],
  'deposit.amount': ['25.00', '1000.00'],
  'deposit.status': ['authorised', 'refused'],
  'deposit.reason': [undefined, '24007'],
  currency: ['GBP'],
  methodId: [101, 102],
  isInReview: [false],
  limitPeriod: [undefined],
  'paymentMethods.id': ['101', '102'],
  'method.id': ['101', '102'],
  'paymentMethods.type': ['CARD'],
  'method.type': ['CARD'],
  minDeposit: ['5.00'],
  maxDeposit: ['1000.00'],
  number: ['411111******1111'],
  issueDate: ['01/24'],
  expiryDate: ['12/49'],
  country: ['GB'],
  scheme: ['VISA'],
  prompted: [true],
  'limits.period': ['day', 'week'],
  'limit.period': ['day', 'week'],
  'limits.amount': ['50.00', '200.00'],
  'limit.amount': ['50.00', '200.00'],
  used: ['20.00', '120.00'],
  left: ['30.00', '80.00'],
  resets: [Date.UTC(2026, 10, 16)],
  'pending.amount': ['100.00', undefined],
  notBefore: [MORNING + DAY_MS],
  excludedUntil: [Date.UTC(2027, 4, 15, 9, 30)],
  lapses: [MORNING + 7 * DAY_MS],
} as const
