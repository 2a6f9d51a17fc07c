// Refunds that operators request, and what persons decide about them and about deposits in review.

import type { Actor } from '../../src/identity/operators/person.ts'
import { approveRefund, refuseApproval, requestRefund } from '../../src/wallets/refunds/refund.ts'
import { resolveDeposit } from '../../src/wallets/reviews/deposits.ts'
import { resolveRefund } from '../../src/wallets/reviews/refunds.ts'
import { ask } from './ask.ts'
import * as deposits from './model/deposits.ts'
import * as model from './model/refunds.ts'
import { depositIn, outflowOf } from './moves.ts'
import { type Played, type Player, referenceOf } from './played.ts'
import type { Process } from './process.ts'

export type RefundPlan = {
  readonly deposit: string
  readonly amount: number
  readonly by: Actor
  readonly key: string | null
  /** What had gone back when the operator looked; null: they do not say. */
  readonly seen: number | null
}

export function playRefund(process: Process, played: Played, player: Player, plan: RefundPlan): Promise<string> {
  const { deposit, amount, by, key, seen } = plan
  const terms = { paymentId: referenceOf(player, deposit), amount: BigInt(amount), reason: 'requested', by }
  // A key means one refund, whoever the operator and the customer are.
  const idempotencyKey = key === null ? null : `${player.id} ${key}`
  const order = { ...terms, idempotencyKey, returned: seen === null ? undefined : BigInt(seen) }
  return ask(process, played, player, {
    what: `${by.name} refunds ${amount} of ${deposit}`,
    async work(context) {
      await requestRefund(context, order)
      return 'accepted'
    },
    predict: (customer) => model.askRefund(customer, { ...plan, by }),
  })
}

export type RefundDecision = 'approves' | 'refuses' | 'says paid' | 'says returned'

export type RefundDecided = { readonly name: string; readonly decision: RefundDecision; readonly by: Actor }

export function decideRefund(process: Process, played: Played, player: Player, { name, decision, by }: RefundDecided) {
  const id = player.stored.ids.get(name) ?? -1
  const outcome = decision === 'says paid' ? 'paid' : 'returned'
  return ask(process, played, player, {
    what: `${by.name} ${decision} ${name}`,
    async work(context) {
      if (decision === 'approves') await approveRefund(context, id, by)
      else if (decision === 'refuses') await refuseApproval(context, id, 'no')
      else {
        const terms = { outcome: outcome === 'paid' ? 'done' : 'failed', note: 'looked up', by } as const
        return (await resolveRefund(context, id, terms)).proposal === null ? 'decided' : 'proposed'
      }
      return 'accepted'
    },
    predict(customer) {
      const refund = outflowOf(customer, name)
      if (decision === 'approves') return model.approveRefund(refund, by.person)
      if (decision === 'refuses') return model.refuseRefund(customer, refund)
      return model.resolveRefund(customer, refund, { outcome, by: by.person })
    },
  })
}

type Resolved = { readonly deposit: string; readonly outcome: 'captured' | 'voided'; readonly by: Actor }

export function decideDeposit(process: Process, played: Played, player: Player, { deposit, outcome, by }: Resolved) {
  return ask(process, played, player, {
    what: `${by.name} says that deposit ${deposit} was ${outcome}`,
    async work(context) {
      const answer = await resolveDeposit(context, referenceOf(player, deposit), { outcome, by, note: 'looked up' })
      return typeof answer === 'string' ? answer : (FAULTS[answer.fault] ?? answer.fault)
    },
    predict: (customer) => deposits.resolveDeposit(customer, depositIn(customer, deposit), { outcome, by: by.person }),
  })
}

const FAULTS: Readonly<Record<string, string>> = {
  methodInvalid: '24001',
  notPermitted: '24004',
  dailyLimitExceeded: '24008',
  expiryInvalid: '24010',
}
