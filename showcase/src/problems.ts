// What went wrong, in words for a customer.

import { PaddockFault } from '@paddock/client'
import { LOGGED_OUT, type Words, wordsOf } from '../../web/words/faults.ts'
import { SandboxError } from './sandbox.ts'

export type Problem = {
  readonly title: string
  /** What to do about it. */
  readonly advice: string
  readonly code?: string
  readonly requestId?: string
  /** The session is over. */
  readonly isLoggedOut?: boolean
}

/** The same codes mean something else where money goes out. */
const OF_WITHDRAWALS: Readonly<Record<string, Words>> = {
  '24001': ['Nothing can go to this card', 'It was closed or removed. Choose another card.'],
  '24002': ['The amount is too small', 'Withdraw at least a penny.'],
  '24003': ['This is more than may go to this card', 'Money goes back to the cards that it came from. Withdraw less.'],
  '24007': ['This is more than you have', 'Withdraw at most your balance.'],
}

export type Subject = 'withdrawal'

export function problemOf(error: unknown, about?: Subject): Problem {
  if (error instanceof PaddockFault) {
    const special = about === 'withdrawal' ? OF_WITHDRAWALS[error.code] : undefined
    const [title, advice] = special ?? wordsOf(error.code, error.faultName) ?? [error.message, 'Try again.']
    const isLoggedOut = error.faultName === LOGGED_OUT
    return { title, advice, code: error.code, isLoggedOut, ...(error.requestId ? { requestId: error.requestId } : {}) }
  }
  if (error instanceof SandboxError) return { title: error.message, advice: 'Try again.' }
  return { title: 'The service did not answer', advice: 'Check that it still runs, then try again.' }
}
