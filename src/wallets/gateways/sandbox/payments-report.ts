// What `paddock gateway` answers at /payments or /payouts: JSON, all payments or all payouts of the bank.

import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { formatMoney } from '../../../platform/runtime/money.ts'
import type { ReportedPayment } from '../gateway.ts'
import type { BankPayment, BankRefund } from './bank-store.ts'
import type { BankPayout } from './payout-store.ts'

/** null: no money has moved. */
const STATES = {
  captured: 'settled',
  held: 'held',
  cancelled: null,
  paid: 'paid out',
  open: null,
  declined: null,
} as const

type Reported = Pick<BankPayment | BankPayout, 'reference' | 'amount' | 'currency' | 'state'> & {
  readonly refunds?: readonly BankRefund[]
}

export async function* readPayments(report: Readable): AsyncGenerator<ReportedPayment> {
  const payments = await json(report)
  if (!Array.isArray(payments)) throw new Error('the report is no list of payments')
  for (const { reference, amount, currency, state, refunds = [] } of payments as Reported[]) {
    const reported = STATES[state]
    if (reported !== null) yield { reference, amount: formatMoney(BigInt(amount)), currency, state: reported }
    for (const refund of refunds) {
      yield { reference, amount: formatMoney(BigInt(refund.amount)), currency, state: 'refunded' }
    }
  }
}
