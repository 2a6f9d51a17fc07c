import { describe, expect, test } from 'vitest'
import { pushedEvents } from '../../src/operator/events/event-kinds.ts'
import { explainEvent } from '../../src/wallets/deposits/explained-event.ts'
import { REFUSAL_CODES, REVIEW_REASONS } from '../../src/wallets/deposits/reasons.ts'
import { type Failure, whyOf } from '../../src/wallets/deposits/why.ts'
import { whyUnapplied } from '../../src/wallets/notifications/why.ts'
import { CONTRADICTIONS } from '../../src/wallets/outcome.ts'
import { messageOf } from '../../src/webhooks/message.ts'
import { DEPOSIT_REASONS } from '../../web/words/deposits.ts'
import { wordsOf } from '../../web/words/faults.ts'
import { depositWords } from '../../web/words/own-deposits.ts'

const PERIODS = ['day', 'week', 'month'] as const
const FAILURES: Failure[] = [
  ...REFUSAL_CODES.flatMap((fault) => ['DECLINED', 'VOIDING', 'VOIDED'].map((state) => ({ state, fault }))),
  ...PERIODS.map((limitPeriod) => ({ state: 'VOIDED', fault: '24008', limitPeriod })),
  ...REVIEW_REASONS.flatMap((review) => ['REVIEW', 'VOIDED'].map((state) => ({ state, review }))),
]

test.each(FAILURES)('%j has words for each question', (failure) => {
  const { title, meaning, customerMessage, nextStep } = whyOf(failure) ?? expect.unreachable()
  expect(title).toMatch(/^[A-Z].*[^.]$/)
  for (const words of [meaning, customerMessage, nextStep]) expect(words).toMatch(/^[A-Z].*\.$/)
})

test.each([null, ...CONTRADICTIONS])('a notification that was not applied has words: %s', (contradiction) => {
  const { meaning, nextStep } = whyUnapplied(contradiction)
  for (const words of [meaning, nextStep]) expect(words).toMatch(/^[A-Z].*\.$/)
})

test('the console has the same words for each reason', () => {
  const titles = [
    ...REFUSAL_CODES.map((fault) => [fault, whyOf({ state: 'DECLINED', fault })?.title]),
    ...REVIEW_REASONS.map((review) => [review, whyOf({ state: 'REVIEW', review })?.title]),
  ]
  expect(DEPOSIT_REASONS).toEqual(Object.fromEntries(titles))
})

test('a deposit that is on its way, or in the account, has nothing to explain', () => {
  for (const state of ['AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'CAPTURED']) expect(whyOf({ state })).toBeNull()
  expect(whyOf({ state: 'CAPTURED', review: 'capture-refused' })).toBeNull()
})

test('a refusal of the bank, an answer that never came, and an own limit are told apart', () => {
  const titles = [
    { state: 'DECLINED', fault: '24005' },
    { state: 'VOIDED', fault: '24005' },
    { state: 'VOIDED', fault: '24008' },
    { state: 'VOIDED', fault: '24008', limitPeriod: 'week' },
  ].map((failure) => whyOf(failure)?.title)
  expect(titles).toEqual([
    'Refused by the bank',
    'No certain answer in time',
    'Daily limit reached',
    'Own limit of the week reached',
  ])
})

describe('what the customer reads is what the showcase says', () => {
  const shown = (code: string, name?: string) => `${wordsOf(code, name)?.join('. ')}`

  test.each(REFUSAL_CODES)('%s', (fault) =>
    expect(whyOf({ state: 'DECLINED', fault })?.customerMessage).toBe(shown(fault)),
  )

  test.each(PERIODS)('the own limit of a %s', (limitPeriod) => {
    expect(whyOf({ state: 'VOIDED', fault: '24008', limitPeriod })?.customerMessage).toBe(shown('24008', limitPeriod))
  })

  test.each(REVIEW_REASONS)('%s', (review) => {
    // Of the others the credit was taken back, or never made.
    const status = review === 'capture-unresolved' ? 'authorised' : 'void'
    const { title, text } = depositWords({ status, isInReview: true })
    expect(whyOf({ state: 'REVIEW', review })?.customerMessage).toBe(`${title}. ${text}`)
  })
})

describe('events', () => {
  const row = {
    position: 7,
    kind: 'deposit.declined',
    subject_type: 'deposit',
    subject_id: 'a',
    profile_id: null,
    customer_id: 1,
    at: 0,
    data: JSON.stringify({ amount: '5.00', currency: 'GBP', state: 'DECLINED', fault: '24007' }),
  } as const

  test('a webhook says why a deposit was declined', () => {
    const message = messageOf({ position: 7 } as never, {} as never, [row], pushedEvents.toEvent)
    expect(JSON.parse(message?.body ?? '').data.data).toMatchObject({
      fault: '24007',
      why: { title: 'Not enough money' },
    })
  })

  test('one that was stored before events had codes, or that is no deposit, is as it was', () => {
    const event = {
      type: 'deposit.declined',
      subject: { type: 'deposit', id: 'a' },
      data: { state: 'DECLINED' },
    } as never
    expect(explainEvent(event)).toBe(event)
    const refund = { type: 'refund.failed', subject: { type: 'deposit', id: 'a' }, data: { state: 'REVIEW' } } as never
    expect(explainEvent(refund)).toBe(refund)
  })
})
