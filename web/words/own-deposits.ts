// What has become of a deposit, in words for its customer. Every screen uses these words, so that none contradicts another.

import type { OwnDepositState } from '../../src/wallets/deposits/status.ts'
import { faultTitle } from './faults.ts'

/** The state of a deposit in the list, or of a payment. */
export type DepositState = {
  readonly status: string
  readonly isInReview: boolean
  readonly reason?: string | undefined
  readonly limitPeriod?: string | undefined
}

type Words = { readonly title: string; readonly text: string }

const NOT_AUTHORISED = '24005'
const NOTHING_TAKEN = 'Nothing was taken.'

export function isDeposited({ status, isInReview }: DepositState): boolean {
  return status === 'authorised' && !isInReview
}

export function depositWords(deposit: DepositState): Words {
  if (deposit.isInReview) {
    return deposit.status === 'authorised'
      ? { title: 'Being checked', text: 'It is in your account. Your bank has not paid it yet, and we find out why.' }
      : { title: 'Being checked', text: 'It is not in your account. We find out whether your bank has taken it.' }
  }
  return Object.hasOwn(STATES, deposit.status) ? STATES[deposit.status as OwnDepositState](deposit) : notMade(deposit)
}

const STATES: Record<OwnDepositState, (deposit: DepositState) => Words> = {
  authorised: () => ({ title: 'Deposited', text: 'It is in your account.' }),
  challenge: () => ({ title: 'Waiting for you', text: 'Your bank asks you to confirm it.' }),
  processing: () => ({ title: 'Waiting for the bank', text: 'Your bank has not answered yet.' }),
  refused: (deposit) => ({ title: 'Refused', text: `${why(deposit)} ${NOTHING_TAKEN}` }),
  void: notMade,
}

/** Without a reason it was in the account, until an operator found that the bank did not pay. */
function notMade(deposit: DepositState): Words {
  if (deposit.reason === undefined) {
    return { title: 'Taken back', text: 'Your bank did not pay it: it is no longer in your account.' }
  }
  // The bank did not decline: there was no confirmation in time, or the customer cancelled.
  if (deposit.reason === NOT_AUTHORISED) return { title: 'Not made', text: `It was not confirmed. ${NOTHING_TAKEN}` }
  return { title: 'Not made', text: `${why(deposit)} ${NOTHING_TAKEN} What your bank has reserved, it releases.` }
}

function why({ reason = '', limitPeriod }: DepositState): string {
  return `${faultTitle(reason, limitPeriod) ?? 'Your bank did not allow it'}.`
}
