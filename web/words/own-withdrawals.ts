// What can be withdrawn, and what becomes of it, in words for a customer.

import type { OwnPartState, OwnWithdrawalState } from './money.ts'

type Option = { readonly returns: string; readonly freed: string; readonly winnings: string }
type Withdrawal = {
  readonly status: string
  readonly amount: string
  readonly paid: string
  readonly returned: string
  readonly methodId?: number | undefined
}
type Part = {
  readonly kind: string
  readonly status: string
  readonly amount: string
  readonly paymentId?: string | undefined
}

const isSome = (amount: string) => Number(amount) > 0

/** What the most of a card is made of; undefined: all of it is what the card paid in. */
export function madeOf({ returns, freed, winnings }: Option): string | undefined {
  if (!isSome(freed) && !isSome(winnings)) return undefined
  const sums = [
    [returns, 'that this card paid in'],
    [freed, 'that another card can no longer take'],
    [winnings, 'of winnings'],
  ] as const
  return `${sums
    .filter(([amount]) => isSome(amount))
    .map(([amount, what]) => `£${amount} ${what}`)
    .join(', ')}.`
}

// ---- A withdrawal

export type Words = { readonly title: string; readonly text: string; readonly done: readonly string[] }

/** The way to the card. */
export const STEPS = ['Requested', 'Approved', 'Sent', 'Paid'] as const
const [REQUESTED, APPROVED, SENT] = STEPS

const ARRIVES = 'normally arrives within 3 working days'

/** `done`: the steps that it has taken, the last one is where it is. */
const STATES: Record<OwnWithdrawalState, Words> = {
  requested: {
    title: 'Waiting for approval',
    text: `Two persons approve it before it is sent. It ${ARRIVES} after that.`,
    done: STEPS.slice(0, 1),
  },
  approved: { title: 'Approved', text: `It is sent next, and ${ARRIVES}.`, done: STEPS.slice(0, 2) },
  sending: { title: 'Sent', text: `It is on its way to your card, and ${ARRIVES}.`, done: STEPS.slice(0, 3) },
  paid: { title: 'Paid', text: 'It is on your card.', done: STEPS },
  returned: {
    title: 'Came back',
    text: 'It was not paid: it is in your account again.',
    done: [REQUESTED, APPROVED, SENT, 'Came back'],
  },
  refused: { title: 'Refused', text: 'It is in your account again.', done: [REQUESTED, 'Refused'] },
  review: {
    title: 'Being checked',
    text: 'We ask the bank what has become of it.',
    done: [REQUESTED, APPROVED, SENT, 'Being checked'],
  },
}

const IN_PARTS: Partial<Record<OwnWithdrawalState, string>> = {
  requested: 'Two persons approve the rest before it is sent.',
  approved: 'The rest is sent next.',
  sending: 'The rest is on its way.',
  review: 'We ask the bank what has become of the rest.',
}

export function withdrawalWords(withdrawal: Withdrawal): Words {
  const { status, methodId, paid, returned, amount } = withdrawal
  const words = STATES[status as OwnWithdrawalState] ?? { title: status, text: '', done: [] }
  const place = methodId === undefined ? 'in your bank account' : 'on your card'
  if (paid === amount) return { ...words, text: `It is ${place}.` }
  if (returned === amount || (!isSome(paid) && !isSome(returned))) return words
  const text = [
    isSome(paid) ? `£${paid} is ${place}.` : '',
    isSome(returned) ? `£${returned} came back: it is in your account again.` : '',
    IN_PARTS[status as OwnWithdrawalState] ?? '',
  ]
  const isPartly = status === 'paid'
  return {
    title: isPartly ? 'Partly paid' : words.title,
    text: text.filter((one) => one !== '').join(' '),
    done: isPartly ? [...STEPS.slice(0, 3), 'Partly paid'] : words.done,
  }
}

// ---- Its parts

const PART_STATES: Record<OwnPartState, string> = {
  waiting: 'not sent yet',
  sending: 'on its way',
  paid: 'paid',
  returned: 'in your account again',
  review: 'being checked',
}

function whatOf({ kind, paymentId }: Part): string {
  if (kind === 'return') return 'back to the card that paid it in'
  if (kind === 'outside') return 'by bank transfer'
  return paymentId === undefined ? 'winnings' : 'that was paid in'
}

export type PartLine = { readonly amount: string; readonly what: string; readonly state: string }

/** Parts of the same kind and state are one line. */
export function partLines(parts: readonly Part[]): PartLine[] {
  const pence = new Map<string, number>()
  for (const part of parts) {
    const line = `${whatOf(part)}\n${PART_STATES[part.status as OwnPartState] ?? part.status}`
    pence.set(line, (pence.get(line) ?? 0) + Math.round(Number(part.amount) * 100))
  }
  return [...pence].map(([line, sum]) => {
    const [what = '', state = ''] = line.split('\n')
    return { amount: (sum / 100).toFixed(2), what, state }
  })
}
