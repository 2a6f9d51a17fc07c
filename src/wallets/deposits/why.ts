// Why a deposit failed, in words: the one table that lists, files, timelines, events and the console use. The words that
// the customer sees are those of the showcase (test/wallets/why.test.ts compares them).

import { type FaultKind, faultTable } from '../../faults.ts'
import type { Period } from '../periods.ts'
import type { RefusalCode, ReviewReason } from './reasons.ts'
import type { DepositRow } from './store.ts'

export type Why = {
  /** In a few words. */
  readonly title: string
  /** What the bank meant, or what happened here. */
  readonly meaning: string
  /** What the customer saw. */
  readonly customerMessage: string
  /** What to do next. */
  readonly nextStep: string
}

const REFUSALS: Readonly<Record<RefusalCode, Why>> = {
  '24001': {
    title: 'Card cannot be used',
    meaning: 'The card was closed or removed here, or the gateway no longer knows it.',
    customerMessage: 'This card cannot be used. It was closed or removed. Choose another card.',
    nextStep: 'Look at the card on the customer’s page: reopen it, or have it registered again.',
  },
  '24002': {
    title: 'Below the card’s minimum',
    meaning: 'The amount is less than the minimum of this card.',
    customerMessage: 'The amount is too small. Deposit at least the minimum of this card.',
    nextStep: 'Nothing, unless the minimum is wrong: register the card again with another one.',
  },
  '24003': {
    title: 'Above the card’s maximum',
    meaning: 'The amount is more than the maximum of this card.',
    customerMessage: 'The amount is too large. Deposit at most the maximum of this card.',
    nextStep: 'Nothing, unless the maximum is wrong: register the card again with another one.',
  },
  '24004': {
    title: 'Customer may not deposit',
    meaning: 'The customer is not active or not verified, has excluded themselves, or has a debt.',
    customerMessage: 'Your account may not deposit. Ask customer service.',
    nextStep: 'Look at the status of the customer. Do not help around an exclusion.',
  },
  '24005': {
    title: 'Refused by the bank',
    meaning:
      'The bank or the gateway refused, with no reason that has a code of its own. Their words are in the event history.',
    customerMessage: 'The bank did not authorise the payment. Nothing was taken. Use another card, or ask your bank.',
    nextStep: 'The customer contacts their bank, or uses another card. The same card again seldom helps.',
  },
  '24006': {
    title: 'Card number refused',
    meaning: 'The bank does not know this card: it was replaced, blocked or registered with a wrong number.',
    customerMessage: 'The bank does not know this card number. Register the card again, or use another one.',
    nextStep: 'Have the card registered again, or another one.',
  },
  '24007': {
    title: 'Not enough money',
    meaning:
      'The bank reports that there is less on the card than the amount, or that the card’s own limit is reached.',
    customerMessage: 'There is not enough money on the card. Deposit less, or use another card.',
    nextStep: 'Nothing: the card works. The customer deposits less, or uses another card.',
  },
  '24008': {
    title: 'Daily limit reached',
    meaning: 'The customer would have deposited more in a day than their daily limit allows.',
    customerMessage: 'This is more than your daily limit. Deposit less, or come back tomorrow.',
    nextStep: 'Nothing, or change the limit on the customer’s page where your rules allow it.',
  },
  '24009': {
    title: 'Wrong security code',
    meaning: 'The bank reports that the CV2 is wrong.',
    customerMessage:
      'The security code is wrong. Type the 3 digits on the back of the card. After 5 wrong codes the card is closed.',
    nextStep: 'The customer types it again. After 5 wrong ones, reopen the card once you know that it is theirs.',
  },
  '24010': {
    title: 'Card expired',
    meaning: 'The expiry date is over, or is not the one that the bank has.',
    customerMessage: 'The card has expired. Register the new card with your sportsbook.',
    nextStep: 'Have the new card registered.',
  },
  '24015': {
    title: 'Funds statement not accepted',
    meaning: 'The customer has not accepted how their funds are protected.',
    customerMessage:
      'You have not accepted how your funds are protected. Accept the statement with your sportsbook first.',
    nextStep: 'The customer accepts the statement in the sportsbook.',
  },
}

const UNCERTAIN: Why = {
  title: 'No certain answer in time',
  meaning: 'The gateway did not answer in time, or the customer did not confirm at their bank.',
  customerMessage: REFUSALS['24005'].customerMessage,
  nextStep: 'The customer may try again. If there are many at once, look at the gateway and at Health.',
}

function ownLimit(period: Period): Why {
  return {
    title: `Own limit of the ${period} reached`,
    meaning: 'The customer has set this limit themselves, and the deposit would have exceeded it.',
    customerMessage: `This is more than your limit of the ${period}. You have set it under "Play safely". Deposit less.`,
    nextStep: 'Nothing: only the customer can raise it, and not before 24 hours.',
  }
}

const IN_ACCOUNT = 'Being checked. It is in your account. Your bank has not paid it yet, and we find out why.'
const NOT_IN_ACCOUNT = 'Being checked. It is not in your account. We find out whether your bank has taken it.'
const RESOLVE = 'Look the payment up at the gateway, then resolve it: captured if the money was taken, else voided.'

const REVIEWS: Readonly<Record<ReviewReason, Why>> = {
  'capture-refused': {
    title: 'Capture refused',
    meaning: 'The bank had approved, but the gateway refused to take the money: the credit was taken back.',
    customerMessage: NOT_IN_ACCOUNT,
    nextStep: RESOLVE,
  },
  'capture-unresolved': {
    title: 'Capture without a result',
    meaning: 'The customer was credited, and the gateway has not reported for long whether it took the money.',
    customerMessage: IN_ACCOUNT,
    nextStep: RESOLVE,
  },
  'capture-failed': {
    title: 'Capture returned later',
    meaning: 'The gateway took the money, and reported later that the capture failed: the credit was taken back.',
    customerMessage: NOT_IN_ACCOUNT,
    nextStep: RESOLVE,
  },
  'cancel-says-captured': {
    title: 'Voided, but captured',
    meaning: 'The payment was cancelled here, but the gateway reports that it took the money.',
    customerMessage: NOT_IN_ACCOUNT,
    nextStep: RESOLVE,
  },
  'cancel-unresolved': {
    title: 'Cancel without a result',
    meaning: 'The payment was cancelled here, and the gateway has not reported for long whether that worked.',
    customerMessage: NOT_IN_ACCOUNT,
    nextStep: RESOLVE,
  },
}

function takenBack(review: ReviewReason): Why {
  return {
    title: 'Taken back after a review',
    meaning: `An operator found that the bank did not pay (${REVIEWS[review].title.toLowerCase()}).`,
    customerMessage: 'Taken back. Your bank did not pay it: it is no longer in your account.',
    nextStep: 'Nothing: who resolved it, and their note, are in the event history.',
  }
}

/** The failure of a deposit. `fault`: the public API’s code. */
export type Failure = {
  readonly state: string
  readonly fault?: string | null
  readonly review?: string | null
  readonly limitPeriod?: string | null
}

/** null: it has not failed, or not yet. */
export function whyOf({ state, fault, review, limitPeriod }: Failure): Why | null {
  if (state === 'REVIEW') return REVIEWS[review as ReviewReason] ?? null
  if (state === 'DECLINED') return REFUSALS[fault as RefusalCode] ?? null
  if (state !== 'VOIDING' && state !== 'VOIDED') return null
  if (!fault) return review ? takenBack(review as ReviewReason) : null
  const why = limitPeriod
    ? ownLimit(limitPeriod as Period)
    : fault === '24005'
      ? UNCERTAIN
      : REFUSALS[fault as RefusalCode]
  if (why === undefined) return null
  const cancel = state === 'VOIDED' ? 'was cancelled: nothing is held on the card' : 'is being cancelled'
  return { ...why, meaning: `${why.meaning} The payment ${cancel}.` }
}

export function whyOfDeposit({ state, fault, review, limit_period: limitPeriod }: DepositRow): Why | null {
  return whyOf({ state, fault: codeOf(fault), review, limitPeriod })
}

export function codeOf(fault: FaultKind | null): string | null {
  return fault === null ? null : faultTable[fault].code
}
