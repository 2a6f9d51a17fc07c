// What `paddock gateway` answers at /payments: JSON, all payments of the bank.

import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { formatMoney } from '../../../platform/runtime/money.ts'
import type { ReportedPayment } from '../gateway.ts'
import type { BankPayment, BankRefund } from './bank-store.ts'

export type ReportedBankPayment = BankPayment & { readonly refunds?: readonly BankRefund[] }

const STATES = { captured: 'settled', held: 'held', cancelled: null } as const

export async function* readPayments(report: Readable): AsyncGenerator<ReportedPayment> {
  const payments = await json(report)
  if (!Array.isArray(payments)) throw new Error('the report is no list of payments')
  for (const { reference, amount, currency, state, refunds = [] } of payments as ReportedBankPayment[]) {
    const reported = STATES[state]
    if (reported !== null) yield { reference, amount: formatMoney(BigInt(amount)), currency, state: reported }
    for (const refund of refunds) {
      yield { reference, amount: formatMoney(BigInt(refund.amount)), currency, state: 'refunded' }
    }
  }
}
