// Customers who take a time-out in the middle of the run. From its answer on nothing moves for them but what is theirs: they
// neither deposit nor stake, and operators withdraw for them.

import { randomInt } from 'node:crypto'
import type { Ask, WalletCalls } from './calls.ts'
import type { Journal } from './journal.ts'
import { formatUnits, pickOf } from './payments.ts'
import { sleep } from './processes.ts'
import { type Lines, units } from './statements.ts'

/** `since`: by customer, when the time-out was answered. */
export type Exclusions = {
  readonly ask: Ask
  readonly call: WalletCalls
  readonly journal: Journal
  readonly since: Map<number, number>
}

/** A fault says that the ticket was ended: the first request was stored, and its answer lost. */
export async function excludeLater(
  { ask, call, journal, since }: Exclusions,
  customerId: number,
  ticket: string,
  isStopping: () => boolean,
): Promise<void> {
  for (const at = Date.now() + randomInt(15_000, 60_000); Date.now() < at; await sleep(200)) if (isStopping()) return
  const answer = await call({ method: 'PUT', path: '/time-out?hours=24', ticket })
  since.set(customerId, Date.now())
  journal.note('time-out', customerId, `customer ${customerId}: ${JSON.stringify(answer)}`)
  while (!isStopping()) {
    await withdrawFor(ask, journal, customerId)
    await sleep(randomInt(2_000))
  }
}

async function withdrawFor(ask: Ask, journal: Journal, customerId: number): Promise<void> {
  const { body } = await ask('GET', `/customers/${customerId}/withdrawal-options`)
  const options = (body.items as { paymentMethodId: string; max: string }[]).filter(({ max }) => units(max) > 0n)
  if (options.length === 0) return
  const { paymentMethodId, max } = pickOf(options)
  const amount = formatUnits(1n + BigInt(randomInt(Number(units(max)))))
  const order = { amount, paymentMethodId, reason: 'asked by telephone' }
  const { status, body: made } = await ask('POST', `/customers/${customerId}/withdrawals`, order)
  journal.note(`withdrawal for an excluded customer ${status}`, customerId, `withdrawal ${made.id}, ${amount}`)
}

export function exclusionViolations(since: ReadonlyMap<number, number>, lines: Lines): string[] {
  return [...since].flatMap(([customerId, at]) =>
    (lines.get(customerId) ?? [])
      .filter((line) => (line.type === 'stake' || line.type === 'deposit') && line.at > at)
      .map(({ type, amount }) => `customer ${customerId}: ${type} ${amount} in a time-out`),
  )
}
