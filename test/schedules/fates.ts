// What the bank does with the calls of a schedule, and what it tells of them.

import fc from 'fast-check'
import { CAPTURE_FATES, type CaptureFate, SEND_FATES, type SendFate } from './bank.ts'
import { type Telling, tellDeposit, tellings, tellSent } from './notifications.ts'
import type { Fates, Played } from './played.ts'

export type FatesPlan = {
  readonly sends: readonly SendFate[]
  readonly captures: readonly CaptureFate[]
  readonly tellings: readonly Telling[]
}

/** Those that are left out are the first of their kind. */
export const fatesPlans: fc.Arbitrary<FatesPlan> = fc.record({
  sends: fc.array(fc.constantFrom<SendFate[]>('done', 'done', 'received', ...SEND_FATES), {
    maxLength: 8,
    size: 'max',
  }),
  captures: fc.array(fc.constantFrom<CaptureFate[]>('captured', 'captured', 'captured', ...CAPTURE_FATES), {
    maxLength: 8,
    size: 'max',
  }),
  tellings,
})

export function fatesOf(played: () => Played, plan: FatesPlan): Fates {
  const [sends, captures, told] = [[...plan.sends], [...plan.captures], [...plan.tellings]]
  const known = new Set<string>()
  const once = (what: string, reference: string) => {
    const isNew = !known.has(`${what} ${reference}`)
    known.add(`${what} ${reference}`)
    return isNew
  }
  return {
    nextSend(name) {
      const fate = sends.shift() ?? 'done'
      // Only a return can be refused because of its deposit, only a payout for want of funds.
      if (name === 'payout' ? fate === 'deposit' : fate === 'unfunded') return 'card'
      return fate
    },
    nextCapture: () => captures.shift() ?? 'captured',
    approved(reference) {
      const amount = played().bank.payments.get(reference)?.amount ?? 0
      if (once('approved', reference)) tellDeposit(played(), { reference, meaning: 'approved', amount })
    },
    captured(reference) {
      const payment = played().bank.payments.get(reference)
      if (payment === undefined || payment.state !== 'captured' || !once('captured', reference)) return
      const telling = told.shift() ?? 'once'
      const amount = payment.taken
      if (telling !== 'never' || amount < payment.amount)
        tellDeposit(played(), { reference, meaning: 'captured', amount })
    },
    cancelled(reference, outcome) {
      if (outcome !== 'cancelled' || !once('cancelled', reference)) return
      const telling = told.shift() ?? 'once'
      const payment = played().bank.payments.get(reference)
      const terms = { reference, amount: payment?.amount ?? 1 }
      if (telling !== 'never') tellDeposit(played(), { ...terms, meaning: 'cancelled' })
      if (telling !== 'otherwise' || payment === undefined) return
      // It answered too soon: the money had been taken.
      payment.state = 'captured'
      payment.taken = payment.amount
      tellDeposit(played(), { ...terms, meaning: 'cancelFailed' })
    },
    sent(reference) {
      const sent = played().bank.outflows.get(reference)
      if (sent === undefined || sent.state === 'open' || sent.isTold) return
      tellSent(played(), reference, told.shift() ?? 'once')
    },
  }
}
