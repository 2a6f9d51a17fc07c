// What customers and operators do with cards.

import type { Actor } from '../../src/identity/operators/person.ts'
import { closeCard, recordClosedAccount, registerCard, removeCard } from '../../src/wallets/reviews/cards.ts'
import { ask } from './ask.ts'
import * as model from './model/cards.ts'
import type { Played, Player } from './played.ts'
import type { Process } from './process.ts'
import { type CardName, type CardTerms, cardId, methodOf } from './world.ts'

export type CardChange = 'is removed' | 'is closed' | 'has no account'

type Changed = { readonly card: CardName; readonly change: CardChange; readonly by: Actor }

export function changeCard(process: Process, played: Played, player: Player, { card, change, by }: Changed) {
  const of = { id: cardId(player.id, card), customerId: player.id }
  return ask(process, played, player, {
    what: `card ${card} ${change}, says ${by.name}`,
    async work(context) {
      if (change === 'has no account') return recordClosedAccount(context, of, { note: 'a letter', by })
      const isDone = await (change === 'is closed' ? closeCard : removeCard)(context, of)
      return isDone ? 'done' : 'no such card'
    },
    predict(customer) {
      if (change === 'has no account') return model.recordClosedAccount(customer, card, by.person)
      return change === 'is closed' ? model.closeCard(customer, card) : model.removeCard(customer, card)
    },
  })
}

type Put = { readonly card: CardName; readonly terms: CardTerms; readonly by: Actor }

export function playCard(process: Process, played: Played, player: Player, { card, terms, by }: Put) {
  const of = { id: cardId(player.id, card), customerId: player.id }
  return ask(process, played, player, {
    what: `${by.name} puts card ${card} with ${terms.token}, of ${terms.holder}`,
    work: (context) => registerCard(context, of, methodOf(card, terms), by),
    predict: (customer) => model.putCard(customer, card, terms, by.person),
  })
}
