// Movements that the sportsbook and operators report, debts that are written off, and what else is put of a customer.

import { putCustomer } from '../../src/identity/customers/customer.ts'
import type { Actor } from '../../src/identity/operators/person.ts'
import { Refused } from '../../src/platform/runtime/refused.ts'
import { applyMovements } from '../../src/wallets/account/movements.ts'
import { writeOffDebt } from '../../src/wallets/reviews/debts.ts'
import { endDisputeByPersons } from '../../src/wallets/reviews/disputes.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { ask } from './ask.ts'
import { DAY_MS } from './model/customer.ts'
import { voided } from './model/deposits.ts'
import { endDispute } from './model/disputes.ts'
import { type MovementOrder, move, writeOff } from './model/movements.ts'
import { decide } from './model/persons.ts'
import type { Played, Player } from './played.ts'
import type { Process } from './process.ts'

type MovementPlan = Omit<MovementOrder, 'by'> & { readonly by: Actor | null }

export function playMovement(process: Process, played: Played, player: Player, plan: MovementPlan): Promise<string> {
  const { reference, kind, amount, by } = plan
  const movement = {
    reference: `${player.id}/${reference}`,
    customerId: player.id,
    kind,
    amount: BigInt(amount),
    betId: null,
  }
  return ask(process, played, player, {
    what: `${kind} ${reference} of ${amount}`,
    async work({ database, now, config }) {
      const [result] = await database.transaction((tx) => applyMovements(tx, [movement], { config, now, by }))
      return result === undefined || result instanceof Refused ? 'refused' : result.outcome
    },
    predict: (customer) => move(customer, { ...plan, by: by?.person ?? null }),
  })
}

export function playWriteOff(
  process: Process,
  played: Played,
  player: Player,
  { amount, by }: { amount: number; by: Actor },
) {
  const order = { customerId: player.id, amount: BigInt(amount), note: 'never paid', by }
  return ask(process, played, player, {
    what: `${by.name} writes off ${amount}`,
    work: async (context) => ((await writeOffDebt(context, order)) === 'written off' ? 'decided' : 'proposed'),
    predict: (customer) => writeOff(customer, { amount, by: by.person }),
  })
}

export function playEnd(process: Process, played: Played, player: Player, { name, by }: { name: string; by: Actor }) {
  const id = player.stored.ids.get(`dispute ${name}`) ?? -1
  return ask(process, played, player, {
    what: `${by.name} ends dispute ${name}`,
    async work(context) {
      const { isProposed } = await endDisputeByPersons(context, id, { note: 'no news', by })
      return isProposed ? 'proposed' : 'decided'
    },
    predict(customer) {
      const dispute = customer.disputes.find((one) => one.id === name)
      if (dispute?.open !== true) return 'refused'
      const decision = decide(customer, `dispute ${name}`, { terms: 'ended', by: by.person, needsTwo: true })
      if (decision === 'decided') endDispute(customer, dispute)
      return decision
    },
  })
}

// ---- The customer

const TIME_OUT_MS = 2 * DAY_MS

export type Exclusion = 'unverified' | 'self-excluded' | 'time-out'

export function playExclusion(process: Process, played: Played, player: Player, exclusion: Exclusion): Promise<string> {
  const { id } = player
  return ask(process, played, player, {
    what: exclusion,
    async work(context) {
      const now = context.now()
      if (exclusion === 'time-out') await excludeCustomer(context, id, 'time-out', (begins) => begins + TIME_OUT_MS)
      else if (exclusion === 'unverified') await putCustomer(context.database, id, { verified: false }, now)
      else await putCustomer(context.database, id, { status: 'self-excluded' }, now)
      return 'done'
    },
    predict(customer) {
      if (exclusion === 'unverified') customer.isVerified = false
      else if (exclusion === 'self-excluded') customer.isSelfExcluded = true
      else {
        // None in force becomes shorter.
        if (customer.playFrom > customer.now + TIME_OUT_MS) return '10071'
        customer.playFrom = customer.now + TIME_OUT_MS
        for (const deposit of customer.deposits) voided(customer, deposit, '24004')
      }
      return 'done'
    },
  })
}

/** An account has one currency for ever. */
export function playCurrency(process: Process, played: Played, player: Player): Promise<string> {
  const currency = player.model.currency === 'GBP' ? 'EUR' : 'GBP'
  return ask(process, played, player, {
    what: `${currency} is put`,
    async work(context) {
      await putCustomer(context.database, player.id, { currency }, context.now())
      return 'changed'
    },
    predict(customer) {
      const { deposits, movements, withdrawals, debt, balance } = customer
      if (deposits.length + movements.length + withdrawals.length + debt + balance > 0) return 'refused'
      customer.currency = currency
      return 'changed'
    },
  })
}
