// Withdrawals of a customer, by themselves or by an operator, and what persons decide about them.

import type { Actor } from '../../src/identity/operators/person.ts'
import { resolveWithdrawal } from '../../src/wallets/reviews/withdrawals.ts'
import {
  approveWithdrawal,
  holdWithdrawal,
  refuseWithdrawal,
  releaseWithdrawal,
} from '../../src/wallets/withdrawals/decisions.ts'
import { recordOutsidePayment } from '../../src/wallets/withdrawals/outside.ts'
import { requestWithdrawal } from '../../src/wallets/withdrawals/withdrawal.ts'
import { ask } from './ask.ts'
import type { Customer, Withdrawal } from './model/customer.ts'
import * as model from './model/withdrawals.ts'
import type { Played, Player } from './played.ts'
import type { Process } from './process.ts'
import { API_KEY, type CardName, cardId } from './world.ts'

export type WithdrawalPlan = {
  readonly key: string
  readonly card: CardName
  readonly amount: number
  readonly by: Actor | null
}

export function playWithdrawal(
  process: Process,
  played: Played,
  player: Player,
  plan: WithdrawalPlan,
): Promise<string> {
  const { key, card, amount, by } = plan
  const terms = { customerId: player.id, methodId: cardId(player.id, card), amount: BigInt(amount) }
  const order = { ...terms, idempotencyKey: key, ...(by === null ? { apiKey: API_KEY } : { by }) }
  return ask(process, played, player, {
    what: `withdrawal ${key} of ${amount} to card ${card}${by === null ? '' : ` by ${by.name}`}`,
    work: async (context) => (await requestWithdrawal(context, order)).withdrawal.state,
    predict: (customer) => model.askWithdrawal(customer, { key, card, amount, by }),
  })
}

export type WithdrawalDecision = 'approves' | 'refuses' | 'holds' | 'releases' | 'says paid' | 'says returned'

/** `part`: null, or which one is decided. */
type Decided = {
  readonly name: string
  readonly decision: WithdrawalDecision
  readonly by: Actor
  readonly part?: string | null
}

export function decideWithdrawal(
  process: Process,
  played: Played,
  player: Player,
  { name, decision, by, part = null }: Decided,
) {
  const id = player.stored.ids.get(name) ?? -1
  const partId = part === null ? null : (player.stored.ids.get(part) ?? -1)
  const note = { reason: 'a reason', by }
  return ask(process, played, player, {
    what: `${by.name} ${decision} ${part ?? name}`,
    async work(context) {
      if (decision === 'says paid' || decision === 'says returned') {
        const outcome = decision === 'says paid' ? 'paid' : 'returned'
        const terms = { outcome, note: 'looked up', by, partId } as const
        return (await resolveWithdrawal(context, id, terms)).proposal === null ? 'decided' : 'proposed'
      }
      if (decision === 'approves') await approveWithdrawal(context, id, by)
      else if (decision === 'refuses') await refuseWithdrawal(context, id, note)
      else if (decision === 'holds') await holdWithdrawal(context, id, note)
      else await releaseWithdrawal(context, id, by)
      return 'accepted'
    },
    predict: (customer) =>
      predicted(customer, decision, { withdrawal: withdrawalIn(customer, name), part, person: by.person }),
  })
}

type Subject = { readonly withdrawal: Withdrawal; readonly part: string | null; readonly person: string }

function predicted(
  customer: Customer,
  decision: WithdrawalDecision,
  { withdrawal, part, person: by }: Subject,
): string {
  if (decision === 'says paid') return model.resolvePart(customer, withdrawal, { outcome: 'paid', by, part })
  if (decision === 'says returned') return model.resolvePart(customer, withdrawal, { outcome: 'returned', by, part })
  const decide = {
    approves: () => model.approve(customer, withdrawal, by),
    refuses: () => model.refuse(customer, withdrawal),
    holds: () => model.hold(customer, withdrawal),
    releases: () => model.release(customer, withdrawal),
  }
  return decide[decision]() ? 'accepted' : 'refused'
}

function withdrawalIn({ withdrawals }: Customer, name: string): Withdrawal {
  const withdrawal = withdrawals.find(({ id }) => id === name)
  if (withdrawal === undefined) throw new Error(`the model has no ${name}`)
  return withdrawal
}

type Outside = { readonly amount: number; readonly reference: string; readonly by: Actor }

export function playOutside(process: Process, played: Played, player: Player, { amount, reference, by }: Outside) {
  const order = { customerId: player.id, amount: BigInt(amount), bankReference: reference, note: 'a statement', by }
  return ask(process, played, player, {
    what: `${by.name} pays ${amount} outside`,
    work: async (context) => ((await recordOutsidePayment(context, order)) === null ? 'proposed' : 'decided'),
    predict: (customer) => model.payOutside(customer, { amount, reference, by: by.person }),
  })
}
