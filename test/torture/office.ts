// What two persons decide: one decides first, and another one confirms it. One person's word is never enough.

import { randomInt } from 'node:crypto'
import type { Answer, Ask } from './calls.ts'
import type { Journal } from './journal.ts'

export type Office = {
  /** Each is a person of their own. Their names end with their index. */
  readonly operators: readonly Ask[]
  readonly journal: Journal
  readonly violations: string[]
}

export type Decision = {
  /** As violations name it, such as `withdrawal 12`. */
  readonly about: string
  readonly customerId: string | number
  readonly path: string
  readonly body: object
  /** Whether an answer says that it was done; absent: it needs no second person. */
  readonly isDone?: (answer: Answer) => boolean
}

export const someone = ({ operators }: Office): Ask => operators[randomInt(operators.length)] as Ask

/** The answers of the first person and of the other one. */
export async function decideTogether(office: Office, decision: Decision): Promise<[Answer, Answer]> {
  const { operators, journal, violations } = office
  const { about, customerId, path, body, isDone } = decision
  const who = randomInt(operators.length)
  const ask = async (index: number) => {
    const answer = await (operators[index] as Ask)('POST', path, body)
    // A deposit is named by its payment.
    const what = about.length === 36 ? 'review' : about.split(' ')[0]
    journal.note(
      `${what} decided ${answer.status}`,
      customerId,
      `${about} by operator ${index}: ${words(answer, body)}`,
    )
    return answer
  }
  const first = await ask(who)
  // The same person again: nothing may be done by it.
  if (randomInt(4) === 0 && first.status < 300 && isDone?.(first) === false) {
    const again = await ask(who)
    if (again.status < 300 && isDone(again)) violations.push(`${about}: decided by operator ${who} alone`)
  }
  return [first, await ask((who + 1 + randomInt(operators.length - 1)) % operators.length)]
}

function words({ status, body }: Answer, sent: object): string {
  return status < 300 ? JSON.stringify(sent) : `${status} ${body?.detail}`
}
