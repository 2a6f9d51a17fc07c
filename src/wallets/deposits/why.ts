// Why a deposit failed, in words: the one table that lists, files, timelines, events and the console use. The words that
// the customer sees are those of the showcase (test/wallets/why.test.ts compares them).

import { type FaultKind, faultTable } from '../../faults.ts'
import { readAsset } from '../../platform/runtime/assets.ts'
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

type Words = {
  readonly refusals: Readonly<Record<RefusalCode, Why>>
  readonly reviews: Readonly<Record<ReviewReason, Why>>
}
const { refusals: REFUSALS, reviews: REVIEWS } = readAsset<Words>('wallets/deposit-reasons.json')

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
