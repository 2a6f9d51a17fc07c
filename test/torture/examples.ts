// Deposits, refunds, disputes and withdrawals that the tests of the torture run's checks vary.

import type { Deposit } from './invariants.ts'
import { refundsAtBank } from './refund-violations.ts'
import type { Refund } from './refunds.ts'
import type { Line } from './statements.ts'
import type { Part, Withdrawal } from './withdrawal-decisions.ts'
import { withdrawalViolations } from './withdrawal-violations.ts'

export const line = (type: string, amount: bigint, balance: bigint, more: Partial<Line> = {}): Line => ({
  ...{ type, at: 1_000, amount, balance },
  ...more,
})

export const captured = { reference: 'p', amount: '1000', state: 'captured' }

export const withRefund = new Map([['p', { ...captured, refunds: [{ reference: 'r', amount: '700' }] }]])

export const deposit: Deposit & { paymentMethodId: string } = {
  paymentId: 'p',
  customerId: '1',
  paymentMethodId: '101',
  idempotencyKey: 'key',
  amount: '10.00',
  state: 'CAPTURED',
  createdAt: '2026-05-01T11:00:00.000Z',
}

export const done: Refund = {
  id: '5',
  paymentId: 'p',
  customerId: '1',
  amount: '7.00',
  paid: '7.00',
  returned: '0.00',
  origin: 'operator',
  state: 'DONE',
  requestedBy: 'operator 0',
  needsApproval: false,
  approvedBy: 'operator 1',
  reference: 'r',
  gatewayReference: 'sandbox-r',
  createdAt: '2026-05-01T12:00:00.000Z',
}

export const failed = { ...done, state: 'FAILED', paid: '0.00', returned: '7.00' }

export const dispute = {
  ...{ id: '3', paymentId: 'p', customerId: '1', gatewayReference: 'd', endedAt: null },
  ...{ charged: '7.00', debited: '7.00', house: '0.00' },
}

export const step = (event: string, amount: bigint, reference = 'd') => ({ reference, event, amount })

export const part: Part = {
  ...{ id: '7', kind: 'return', paymentId: 'p', freed: false, amount: '6.00', paid: '6.00', returned: '0.00' },
  ...{ state: 'PAID', review: null, reference: 'w', gatewayReference: 'sandbox-w' },
}

export const backPart: Part = { ...part, paid: '0.00', returned: '6.00', state: 'RETURNED' }

export const paid: Withdrawal = {
  id: '9',
  reference: 'of the customer',
  customerId: '1',
  paymentMethodId: '101',
  amount: '6.00',
  paid: '6.00',
  returned: '0.00',
  state: 'PAID',
  needsApproval: false,
  requestedBy: null,
  approvedBy: ['operator 0', 'operator 1'],
  hold: null,
  heldBy: null,
  parts: [part],
  createdAt: '2026-05-01T12:00:01.000Z',
}

export const back: Withdrawal = { ...paid, state: 'RETURNED', paid: '0.00', returned: '6.00', parts: [backPart] }

export const atBank = refundsAtBank(new Map([['p', { ...captured, refunds: [{ reference: 'w', amount: '600' }] }]]))

export const taken = line('withdrawal', -600n, 0n, { reference: '9' })

export const returned = line('part-back', 600n, 600n, { reference: '9' })

export const answer = { key: 'k', customerId: 1, amount: '6.00', card: '101', id: '9' }

export const ofWithdrawals = {
  ...{ withdrawals: [paid], payouts: [], returns: atBank, refunds: new Set<string>(), answers: [answer] },
  ...{ refused: new Map(), touched: new Map(), outside: new Map(), byRule: 30_000n },
}

export const checkWithdrawals = (more: Partial<Parameters<typeof withdrawalViolations>[0]>, ...lines: Line[]) =>
  withdrawalViolations({ ...ofWithdrawals, lines: new Map([[1, lines.length === 0 ? [taken] : lines]]), ...more })
