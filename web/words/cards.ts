// What happened to a card, for its customer.

import type { cardKinds } from '../../src/wallets/cards/event-kinds.ts'

type CardAction = keyof typeof cardKinds extends `card.${infer Action}` ? Action : never

/** After “Card ending 1142”. */
const CARDS: Record<CardAction, string> = {
  added: 'was added to your account',
  changed: 'was changed',
  closed: 'was closed: it takes no deposits, and what it paid in goes back to it after a check',
  blocked: 'is blocked, because its security code was wrong five times',
  reopened: 'can be used again',
  removed: 'was removed from your account',
  'account-closed': 'takes no more money: the account behind it is closed',
}

export function cardNotice(lastFour: string, action: string): string {
  return `Card ending ${lastFour} ${CARDS[action as CardAction] ?? CARDS.changed}. If this was not you, tell us.`
}
