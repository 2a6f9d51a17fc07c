// Compares withdrawals over HTTP with a small model of the closed loop: deposits on several cards, winnings, refunds, withdrawals that
// are paid, returned or wait, in any order.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestRefund } from '../../src/wallets/refund.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { useService } from '../harness/service.ts'
import { addCard, ledgerProblems } from '../harness/wallets.ts'
import { moneyOf, optionsOf, payIn, statusOrFault, win, withdraw } from '../harness/withdrawals.ts'

const service = useService({ WITHDRAWAL_APPROVED_UP_TO: '100000.00', GATEWAY_TIMEOUT_MS: '1000' })

type Step =
  | { do: 'deposit'; card: number; amount: number }
  | { do: 'win'; amount: number }
  | { do: 'refund'; card: number; amount: number }
  | { do: 'withdraw'; card: number; amount: number }
  | { do: 'withdraw all'; card: number }
  | { do: 'sweep' }

const amount = fc.integer({ min: 1, max: 40 })
const card = fc.nat(2)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('deposit' as const), card, amount: fc.integer({ min: 5, max: 40 }) }),
    fc.record({ do: fc.constant('win' as const), amount }),
    fc.record({ do: fc.constant('refund' as const), card, amount }),
    fc.record({ do: fc.constant('withdraw' as const), card, amount }),
    fc.record({ do: fc.constant('withdraw all' as const), card }),
    fc.record({ do: fc.constant('sweep' as const) }),
  ),
  { minLength: 3, maxLength: 12, size: 'max' },
)

// ---- The model, in whole pounds. The card with number 2 returns every payout.

const RETURNING = 2
type Out = { card: number; amount: number; ended: boolean }
type Model = { balance: number; used: { card: number; amount: number; refunded: number }[]; out: Out[] }

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

function openOf({ used, out }: Model, which: number): number {
  const paidIn = used.filter((one) => one.card === which).map((one) => one.amount - one.refunded)
  return sum(paidIn) - sum(out.filter((one) => one.card === which).map((one) => one.amount))
}

/** By the sentence of the documents, not by the way of the service: what may go to this card now. */
function mostTo(model: Model, which: number): number {
  const lastUsed = model.used.at(-1)?.card
  const others = [0, 1, 2].filter((one) => one !== which && openOf(model, one) > 0)
  const own = Math.max(0, openOf(model, which))
  if (others.length === 0 && lastUsed === which) return model.balance
  const firstUse = (one: number) => model.used.findIndex(({ card }) => card === one)
  const older = others.filter((one) => firstUse(one) < firstUse(which))
  const left = model.balance - sum(older.map((one) => openOf(model, one)))
  return Math.max(0, Math.min(own, left))
}

const money = (pounds: number) => `${pounds}.00`

test('what may go to each card is what the model says, and nothing more goes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const customer = await service.customer()
      const cards: number[] = []
      for (const token of ['approve', 'approve', 'payout-refused']) {
        cards.push(await addCard(service, customer, { token: `sandbox:${token}` }))
      }
      const model: Model = { balance: 0, used: [], out: [] }
      const { ticket } = customer
      for (const step of story) {
        if (step.do === 'deposit') {
          await payIn(service, customer, cards[step.card] as number, money(step.amount))
          // The sweep of the capture pays what waited.
          endPayouts(model)
          model.balance += step.amount
          model.used.push({ card: step.card, amount: step.amount, refunded: 0 })
        } else if (step.do === 'win') {
          await win(service, customer, BigInt(step.amount) * 100n)
          model.balance += step.amount
        } else if (step.do === 'refund') await refund(customer.id, model, step)
        else if (step.do === 'sweep') {
          await sweep(service.context)
          endPayouts(model)
        } else {
          const most = mostTo(model, step.card)
          const pounds = step.do === 'withdraw all' ? most : step.amount
          const order = { ticket, card: cards[step.card] as number, amount: money(pounds) }
          const answer = statusOrFault(await withdraw(service, order))
          const expected =
            pounds === 0 ? '24002' : pounds > model.balance ? '24007' : pounds > most ? '24003' : 'approved'
          expect(answer).toBe(expected)
          if (expected === 'approved') {
            model.balance -= pounds
            model.out.push({ card: step.card, amount: pounds, ended: false })
          }
        }
        const options = cards.flatMap((id, which): [number, string][] =>
          mostTo(model, which) > 0 ? [[id, money(mostTo(model, which))]] : [],
        )
        expect((await optionsOf(service, ticket)).sort()).toEqual(options.sort())
        expect((await moneyOf(service, ticket))[0]).toBe(money(model.balance))
      }
      expect(await ledgerProblems(service)).toEqual([])
    }),
    { numRuns: propertyRuns(12) },
  )
})

/** A sweep ends every payout: paid, or returned. */
function endPayouts(model: Model): void {
  for (const one of model.out.filter(({ ended }) => !ended)) {
    one.ended = true
    if (one.card === RETURNING) {
      model.balance += one.amount
      one.amount = 0
    }
  }
}

/** Of the oldest deposit of the card, as far as it and the balance go. A second one that is not sent yet is refused. */
async function refund(
  customerId: number,
  model: Model,
  { card, amount }: { card: number; amount: number },
): Promise<void> {
  const index = model.used.findIndex((one) => one.card === card)
  const paid = model.used[index]
  if (paid === undefined || amount > paid.amount - paid.refunded || amount > model.balance) return
  const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${customerId}`)).body
  const { paymentId } = items.toReversed()[index]
  const order = { paymentId, amount: BigInt(amount) * 100n, reason: 'asked', by: 'an operator' }
  await sweep(service.context)
  endPayouts(model)
  await requestRefund(service.context, order)
  paid.refunded += amount
  model.balance -= amount
}
