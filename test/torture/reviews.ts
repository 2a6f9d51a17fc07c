// Persons who look at what is in review, decide it by two, end disputes, and settle what could not be applied. What got no answer is
// looked up at the bank; of what the bank contradicts itself, either may be true.

import { randomInt } from 'node:crypto'
import type { Unapplied } from './bank-notifications.ts'
import type { Json } from './calls.ts'
import type { ListedDispute } from './disputes.ts'
import type { Payment } from './invariants.ts'
import { type Decision, decideTogether, type Office, someone } from './office.ts'
import type { Touched } from './part-news.ts'
import { sleep } from './processes.ts'
import type { Refund, RefundsPlayed } from './refunds.ts'
import type { Withdrawal } from './withdrawal-decisions.ts'

export type ReviewDesk = {
  readonly office: Office
  /** What the bank lists: payments or payouts. */
  atBank(what: 'payments' | 'payouts'): Promise<readonly Json[]>
  readonly refunds: RefundsPlayed
  readonly parts: Map<string, Touched>
  /** How many notifications were settled, by the name of their contradiction. */
  readonly settled: Map<string, number>
}

/** Both persons decide alike, whenever they look: of what may be true or not. */
const isEven = (id: string) => Number.parseInt(id.at(-1) as string, 16) % 2 === 0

async function listed<Item>({ office }: ReviewDesk, path: string): Promise<Item[]> {
  return (await someone(office)('GET', path)).body.items
}

const note = 'looked up'

async function bankState({ atBank }: ReviewDesk) {
  const payments = (await atBank('payments')) as readonly Payment[]
  const payouts = await atBank('payouts')
  return {
    captured: new Set(payments.filter(({ state }) => state === 'captured').map(({ reference }) => reference)),
    /** Our references of refunds, returns and payouts. */
    sent: new Set([
      ...payments.flatMap(({ refunds = [] }) => refunds.map(({ reference }) => reference)),
      ...payouts.filter(({ state }) => state === 'paid').map(({ reference }) => reference as string),
    ]),
  }
}

async function resolveDeposits(desk: ReviewDesk): Promise<void> {
  type Reviewed = { paymentId: string; customerId: string; review: string }
  const { captured } = await bankState(desk)
  for (const { paymentId, customerId, review } of await listed<Reviewed>(desk, '/deposits?state=REVIEW&limit=20')) {
    const isTaken = captured.has(paymentId) && (review !== 'capture-failed' || isEven(paymentId))
    const body = { outcome: isTaken ? 'captured' : 'voided', note }
    await decideTogether(desk.office, { about: paymentId, customerId, path: `/deposits/${paymentId}/resolution`, body })
  }
}

async function resolveRefunds(desk: ReviewDesk): Promise<void> {
  const { sent } = await bankState(desk)
  for (const refund of await listed<Refund>(desk, '/refunds?state=REVIEW&limit=20')) {
    const { id, customerId, reference } = refund
    const isDone = desk.refunds.failed.has(id) ? isEven(id) : sent.has(reference)
    const body = { outcome: isDone ? 'done' : 'failed', note }
    await decideTogether(desk.office, { about: `refund ${id}`, customerId, path: `/refunds/${id}/resolution`, body })
  }
}

async function resolveParts(desk: ReviewDesk): Promise<void> {
  const { sent } = await bankState(desk)
  for (const { id, customerId, parts } of await listed<Withdrawal>(desk, '/withdrawals?state=REVIEW&limit=20')) {
    for (const part of parts.filter(({ state }) => state === 'REVIEW')) {
      if (!desk.parts.has(part.id)) desk.parts.set(part.id, 'looked up')
      const isPaid = desk.parts.get(part.id) === 'notified' ? isEven(part.id) : sent.has(part.reference)
      const decision: Decision = {
        about: `withdrawal ${id}`,
        customerId,
        path: `/withdrawals/${id}/resolution`,
        body: { outcome: isPaid ? 'paid' : 'returned', note, partId: part.id },
      }
      await decideTogether(desk.office, decision)
    }
  }
}

async function endDisputes(desk: ReviewDesk): Promise<void> {
  for (const { id, customerId, endedAt } of await listed<ListedDispute>(desk, '/disputes?limit=20')) {
    if (endedAt !== null || randomInt(4) > 0) continue
    const decision = { about: `dispute ${id}`, customerId, path: `/disputes/${id}/end`, body: { note } }
    await decideTogether(desk.office, { ...decision, isDone: ({ body }) => body.endedAt !== null })
  }
}

/** One person settles them; a refusal says that it was done, and the answer lost. */
async function settleOne(desk: ReviewDesk): Promise<void> {
  const [one] = await listed<Unapplied>(desk, '/notifications/unapplied?limit=20')
  if (one?.contradiction == null) return
  const { status } = await someone(desk.office)('POST', `/notifications/unapplied/${one.id}/settlement`, { note })
  desk.office.journal.note(`notification settled ${status}`, null, `notification ${one.id}: ${one.contradiction}`)
  desk.settled.set(one.contradiction, (desk.settled.get(one.contradiction) ?? 0) + 1)
}

export async function resolveAll(desk: ReviewDesk): Promise<void> {
  await resolveDeposits(desk)
  await resolveRefunds(desk)
  await resolveParts(desk)
}

export async function reviewUntil(desk: ReviewDesk, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    if (randomInt(3) === 0) await resolveAll(desk)
    if (randomInt(3) === 0) await endDisputes(desk)
    if (randomInt(3) === 0) await settleOne(desk)
    await sleep(randomInt(1_500))
  }
}
