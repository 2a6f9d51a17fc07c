// Limits of customers over HTTP.

import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import type { Period } from '../../src/wallets/periods.ts'
import type { Json, TestService } from './service.ts'
import { addCard, type CardOptions } from './wallets.ts'

export type Limit = {
  period: Period
  amount: string
  used: string
  left: string
  resets: string
  pending?: { amount?: string; notBefore: string; lapses: string }
}

/** A customer with a card, whose ticket outlives any test, however far its clock is moved. */
export async function newLongDepositor(service: TestService, card: CardOptions = {}) {
  const { id } = await service.customer()
  const issued = await service.context.sessions?.issue(id, 10_000 * DAY_MS)
  const ticket = issued?.ticket as string
  return { id, ticket, method: await addCard(service, { id }, card) }
}

/** The JSON of an answer to a call on the caller's wallet: `whoWallets`, or the fault's code and name. */
export async function wallet(service: TestService, ticket: string, method: string, path: string): Promise<Json> {
  const reply = await service.call(method, `/v1/wallets/me/${path}`, { ticket, accept: 'application/json' })
  const answer = reply.json()
  const fault = answer.whoFaults?.[0]
  return fault === undefined ? answer.whoWallets : `${fault.faultCode} ${fault.faultName ?? ''}`.trim()
}

/** Moves the clock to noon of a Wednesday in the middle of a month: no period ends while a test runs. */
export function moveToQuietNoon({ clock }: TestService): void {
  for (;;) {
    const date = new Date(clock.now())
    const isQuiet = date.getUTCDay() === 3 && date.getUTCDate() >= 8 && date.getUTCDate() < 22
    if (isQuiet && date.getTime() >= noonOf(date) && date.getUTCHours() < 13) return
    clock.advance(noonOf(date) + DAY_MS - date.getTime())
  }
}

function noonOf(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS) * DAY_MS + DAY_MS / 2
}
