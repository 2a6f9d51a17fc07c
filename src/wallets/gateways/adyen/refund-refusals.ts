// Why Adyen did not return a deposit. Notifications have a text for people, answers have an error code.
// https://docs.adyen.com/online-payments/capture/failure-reasons

import type { Refusal } from '../gateway.ts'

/** The first that matches counts. An account counts as closed only if the text names it so: that frees the money for other cards. */
const TEXTS: readonly (readonly [RegExp, Refusal])[] = [
  [/\baccount (is |was |has been )?closed\b|\bclosed account\b/i, 'account-closed'],
  [/\binsufficient balance on payment\b/i, 'deposit'],
  [/\b(already|fully) refunded\b|\bexceeds\b|\btoo (old|late)\b|\brefund period\b/i, 'deposit'],
  [/\b(has not|hasn['’]t) been captured\b|\bnot captured\b|\bcharge(d )?back\b/i, 'deposit'],
  [/\brefunds? (is |are )?not (allowed|possible|supported|permitted)\b/i, 'deposit'],
  [/\bnot (permitted|allowed|supported)\b|\binvalid transaction\b/i, 'not-permitted'],
  [/\b(lost|stolen|blocked|restricted|inactive)\b|\binvalid (card|account)\b/i, 'card'],
  [/\b(expired|not active)\b|\binvalid expiry\b|\b(card|number|expiry|date) (is )?invalid\b/i, 'card'],
]

/** https://docs.adyen.com/development-resources/error-codes: amount, currency or payment of a refund. */
const ERROR_CODES: Readonly<Record<string, Refusal>> = { '137': 'deposit', '138': 'deposit', '167': 'deposit' }

const WORDS: Readonly<Record<Refusal, string>> = {
  'account-closed': 'the account of the card is closed',
  deposit: 'this deposit cannot be returned',
  card: 'the card cannot take it',
  'not-permitted': 'the card scheme does not permit it',
  other: 'refused for a reason that is not known here',
}

export function refusalOfText(text: unknown): Refusal {
  const given = typeof text === 'string' ? text : ''
  return TEXTS.find(([pattern]) => pattern.test(given))?.[1] ?? 'other'
}

export function refusalOfErrorCode(code: string | undefined): Refusal {
  return ERROR_CODES[code ?? ''] ?? 'other'
}

/** Our words: a text of the gateway could quote the request. */
export function wordsOf(refusal: Refusal): string {
  return WORDS[refusal]
}
