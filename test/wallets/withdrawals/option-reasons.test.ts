// The words beside the options: each is true of what is available, and of the card.

import { expect, test } from 'vitest'
import type { MethodRow } from '../../../src/wallets/cards/store.ts'
import type { Claim } from '../../../src/wallets/refunds/claims.ts'
import { type LoopFacts, optionsOf } from '../../../src/wallets/withdrawals/closed-loop.ts'
import { nowhereReason } from '../../../src/wallets/withdrawals/option-reasons.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')
const DAY = 86_400_000
const CARD = {
  id: 1,
  expiry_date: '12/30',
  account_closed_at: null,
  removed_at: null,
  closed_at: null,
  first_name: 'Ann',
  last_name: 'Lee',
} as MethodRow
const A = CARD
const B = { ...CARD, id: 2 }

function claim(card: MethodRow, pounds: number, more: Partial<Claim> = {}): Claim {
  const amount = BigInt(pounds * 100)
  const depositId = `deposit of ${card.id}`
  const gateway = 'sandbox'
  const plain = { depositId, methodId: card.id, gateway, left: amount, covered: amount, isDisputed: false } as const
  return { ...plain, capturedAt: NOW - DAY, isReturnRefused: false, ...more }
}

function facts(cards: MethodRow[], claims: Claim[], pounds = 0, more: Partial<LoopFacts> = {}): LoopFacts {
  const winnings = BigInt(pounds * 100)
  const available = claims.reduce((sum, { covered }) => sum + covered, winnings)
  const today = { withdrawnToday: 0n, refundedToday: 0n }
  const funds = { balance: available, debt: 0n, keptBack: [], available, claims, winnings, ...today }
  return { funds, cards, paysOut: true, returnWithinMs: 365 * DAY, maxParts: 50, now: NOW, ...more }
}

/** Of each card in words; then why no card takes anything. */
function words(of: LoopFacts): (string | null)[] {
  const options = optionsOf(of)
  return [...options.map(({ reason }) => reason), nowhereReason(of.funds, options)]
}

const LIMITED = /limited number of parts/
const CLOSED = 'What a closed card paid in goes back to that card only, after a check.'
const DISPUTED = 'A deposit of another card is disputed: what is left of it stays until the dispute has ended.'
const NOWHERE = 'No card of yours can take it now. Ask customer service: it can be paid to a bank account in your name.'

test('the rest is reserved for another card that is closed, or whose deposit is disputed', () => {
  const closed = { ...B, closed_at: NOW }
  const checked = 'This card was closed: a withdrawal to it is checked first.'
  expect(words(facts([A, closed], [claim(A, 20), claim(closed, 30)]))).toEqual([CLOSED, checked, null])
  expect(words(facts([A, closed], [claim(closed, 30)]))).toEqual([CLOSED, checked, null])
  const disputed = claim(B, 30, { isDisputed: true })
  const own = 'A deposit of this card is disputed: what is left of it stays until the dispute has ended.'
  expect(words(facts([A, B], [claim(A, 20), disputed])).slice(0, 1)).toEqual([DISPUTED])
  expect(words(facts([A, closed], [claim(A, 20), claim(closed, 5), disputed]))[0]).toBe(`${CLOSED} ${DISPUTED}`)
  expect(words(facts([A, B], [disputed]))).toEqual([
    DISPUTED,
    own,
    'What is left is of disputed deposits: it stays until the disputes have ended.',
  ])
})

test('what a card cannot take itself has its own reason', () => {
  const gone = { ...B, account_closed_at: NOW }
  expect(words(facts([A, gone], [claim(A, 20), claim(gone, 30)]))[1]).toBe('The account behind this card is closed.')
  const expired = { ...A, expiry_date: '01/26' }
  const old = claim(expired, 30, { capturedAt: NOW - 366 * DAY })
  expect(words(facts([expired], [old]))).toEqual([
    'What this card paid in is too long ago to go back to it, or its bank refused it, and the card takes nothing else.',
    NOWHERE,
  ])
  expect(words(facts([expired], [claim(expired, 30)], 10))).toEqual([
    'This card has expired: only what it paid in goes back to it.',
    null,
  ])
})

test('parts are the reason only where they are; nothing to withdraw, and no card, have their words', () => {
  const many = [claim(A, 10), claim(A, 20), claim(A, 30)]
  expect(words(facts([A], many, 0, { maxParts: 2 }))[0]).toMatch(LIMITED)
  expect(words(facts([A], many, 0, { maxParts: 3 }))).toEqual([null, null])
  expect(words(facts([A, B], [claim(A, 10)]))).toEqual([
    null,
    'What other cards paid in goes back to them first.',
    null,
  ])
  expect(words(facts([A], []))).toEqual(['There is nothing to withdraw now.', null])
  expect(words(facts([], [], 10))).toEqual([NOWHERE])
})
