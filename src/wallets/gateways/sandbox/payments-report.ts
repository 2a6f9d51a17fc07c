// What `paddock gateway` answers at /payments or /payouts: JSON, all payments or all payouts of the bank.

import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { formatMoney } from '../../../platform/runtime/money.ts'
import type { ReportedPayment } from '../gateway.ts'
import type { BankPayment } from './bank-store.ts'
import type { BankPayout } from './payout-store.ts'
import type { BankRefund } from './refund-store.ts'

/** In all other states no money has moved. */
const STATES: Readonly<Partial<Record<Reported['state'], ReportedPayment['state']>>> = {
  captured: 'settled',
  held: 'held',
  paid: 'paid out',
}

type Reported = Pick<BankPayment | BankPayout, 'reference' | 'amount' | 'currency' | 'state'> & {
  readonly refunds?: readonly Pick<BankRefund, 'reference' | 'amount'>[]
}

export async function* readPayments(report: Readable): AsyncGenerator<ReportedPayment> {
  const payments = await json(report)
  if (!Array.isArray(payments)) throw new Error('the report is no list of payments')
  for (const { reference, amount, currency, state, refunds = [] } of payments as Reported[]) {
    const reported = STATES[state]
    if (reported !== undefined) yield { reference, amount: formatMoney(BigInt(amount)), currency, state: reported }
    for (const refund of refunds) {
      const amount = formatMoney(BigInt(refund.amount))
      yield { reference, returnReferences: [refund.reference], amount, currency, state: 'refunded' }
    }
  }
}
