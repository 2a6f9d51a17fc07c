// Operators who refund deposits, whole and in part, approve or refuse each other's, and look up what the bank says late.

import { randomInt } from 'node:crypto'
import { type Notified, notify } from './bank-notifications.ts'
import type { Ask } from './calls.ts'
import type { Deposit } from './invariants.ts'
import type { Journal } from './journal.ts'
import { decideTogether } from './office.ts'
import { formatUnits, type PaymentPicker, pickOf } from './payments.ts'
import { sleep } from './processes.ts'
import { units } from './statements.ts'

export type Refund = {
  id: string
  paymentId: string
  customerId: string
  amount: string
  state: string
  paid: string
  returned: string
  origin: 'operator' | 'gateway' | 'withdrawal'
  requestedBy: string | null
  needsApproval: boolean
  approvedBy: string | null
  /** Ours, as the bank has it. */
  reference: string
  gatewayReference: string | null
  createdAt: string
}

/** What is known of the refunds beside what the service says. */
export type RefundsPlayed = {
  /** The amounts that were answered with 201, by id. */
  readonly answered: Map<string, string>
  /** How many were requested of a payment, answered or not. */
  readonly requested: Map<string, number>
  /** Ids of which the bank or two persons said something that the bank's own list does not. */
  readonly failed: Set<string>
  /** Ids whose refusal was answered. */
  readonly refused: Set<string>
  /** What was reported of refunds that were made at the bank, by their reference there. `amount`: in hundredths. */
  readonly foreign: Map<string, { paymentId: string; amount: bigint; isReversed: boolean }>
  readonly violations: string[]
}

export type RefundDesk = {
  /** Their names end with their index. */
  readonly operators: readonly Ask[]
  readonly journal: Journal
  readonly violations: string[]
  readonly played: RefundsPlayed
  readonly pick: PaymentPicker
  /** Those that nobody disputes: what was made at the bank, and what it charges, would exceed the deposit. */
  readonly pickForeign: PaymentPicker
  readonly notified: Notified
}

export function nothingPlayed(): RefundsPlayed {
  const [failed, refused] = [new Set<string>(), new Set<string>()]
  return { answered: new Map(), requested: new Map(), failed, refused, foreign: new Map(), violations: [] }
}

const firstOf = ({ operators }: RefundDesk) => operators[0] as Ask

async function refundsOf(
  desk: RefundDesk,
  paymentId: string,
): Promise<{ items: Refund[]; returned: string; left: string }> {
  return (await firstOf(desk)('GET', `/deposits/${paymentId}/refunds`)).body
}

type Order = { readonly deposit: Deposit; readonly amount: string; readonly returned: string }

/** `returned` makes a repeated request safe: it is refused where the first one was stored. */
async function request({ journal, played }: RefundDesk, ask: Ask, { deposit, ...order }: Order): Promise<void> {
  const { paymentId, customerId } = deposit
  played.requested.set(paymentId, (played.requested.get(paymentId) ?? 0) + 1)
  const path = `/deposits/${paymentId}/refunds`
  const { status, body } = await ask('POST', path, { ...order, reason: 'asked for it' })
  journal.note(`refund ${status}`, customerId, `${paymentId} ${order.amount}, refund ${body.id ?? body.detail}`)
  if (status === 201) played.answered.set(body.id, order.amount)
  else if (status !== 409) played.violations.push(`${paymentId}: a refund was answered ${status}`)
}

async function approve({ journal }: RefundDesk, ask: Ask, { id, customerId }: Refund): Promise<number> {
  const { status } = await ask('POST', `/refunds/${id}/approval`)
  journal.note(`refund approval ${status}`, customerId, `refund ${id}`)
  return status
}

async function refuse({ journal, played }: RefundDesk, ask: Ask, { id, customerId }: Refund): Promise<void> {
  const { status } = await ask('POST', `/refunds/${id}/refusal`, { reason: 'no' })
  journal.note(`refund refusal ${status}`, customerId, `refund ${id}`)
  if (status === 200) played.refused.add(id)
}

/** Approved by who requested it, which must not be enough, and by another; or refused; or both at once. */
async function decide(desk: RefundDesk, refund: Refund): Promise<void> {
  const requester = desk.operators[Number(refund.requestedBy?.at(-1))] as Ask
  const others = desk.operators.filter((ask) => ask !== requester)
  if (randomInt(4) === 0 && (await approve(desk, requester, refund)) === 200)
    desk.played.violations.push(`refund ${refund.id}: approved by who requested it`)
  const what = randomInt(6)
  if (what === 0) return refuse(desk, pickOf(others), refund)
  const approvals = (what === 1 ? others : [pickOf(others)]).map((ask) => approve(desk, ask, refund))
  await Promise.all([...approvals, ...(what === 1 ? [refuse(desk, requester, refund)] : [])])
}

/** The bank reports it. A reversal may have a reference of its own. */
async function report(desk: RefundDesk, { id, paymentId, customerId }: Refund, event: string): Promise<void> {
  if (event !== 'REFUND') desk.played.failed.add(id)
  for (let times = randomInt(1, 3); times > 0; times--) {
    await notify(desk.notified, { name: `refund ${id}`, customerId }, { paymentId, refundId: id, event })
  }
}

async function resolve(desk: RefundDesk, { id, customerId }: Refund): Promise<void> {
  const outcome = pickOf(['done', 'failed'])
  if (outcome === 'failed') desk.played.failed.add(id)
  const path = `/refunds/${id}/resolution`
  await decideTogether(desk, { about: `refund ${id}`, customerId, path, body: { outcome, note: 'looked up' } })
}

const BANK_SAYS = ['REFUND', 'REFUND', 'REFUND', 'REFUND_FAILED']

/** Of the newest refund of its payment. */
async function advance(desk: RefundDesk, refund: Refund): Promise<void> {
  const { state, needsApproval, id } = refund
  if (needsApproval) await decide(desk, refund)
  else if (state === 'SENT' && randomInt(4) === 0) await resolve(desk, refund)
  else if (state === 'SENT') await report(desk, refund, pickOf(BANK_SAYS))
  else if (state === 'DONE' && randomInt(8) === 0) await report(desk, refund, 'REFUNDED_REVERSED')
  else if (state === 'FAILED' && randomInt(4) === 0 && !desk.played.refused.has(id)) {
    // The bank says that it arrived after all: two persons decide.
    desk.played.failed.add(id)
    await report(desk, refund, 'REFUND')
  }
}

async function refundOnce(desk: RefundDesk, deposit: Deposit): Promise<void> {
  const { items, returned, left } = await refundsOf(desk, deposit.paymentId)
  const most = units(left)
  if (most === 0n) return
  const amount = formatUnits(randomInt(2) === 0 ? most : 1n + BigInt(randomInt(Number(most))))
  // Two at once: at most one is stored.
  const asking = desk.operators.slice(0, randomInt(5) === 0 ? 2 : 1)
  await Promise.all(asking.map((ask) => request(desk, ask, { deposit, amount, returned })))
  await sleep(randomInt(2_000))
  const newest = (await refundsOf(desk, deposit.paymentId)).items.at(-1)
  // One that was made at the bank is reported by its own reference (notifyForeign).
  if (newest?.origin === 'operator' && newest.id !== items.at(-1)?.id) await advance(desk, newest)
}

/** Somebody has made it in the bank's back office: all of the deposit, or half of it. */
async function notifyForeign(desk: RefundDesk, { paymentId, customerId, amount: whole }: Deposit): Promise<void> {
  const amount = randomInt(2) === 0 ? units(whole) : units(whole) / 2n
  const isReversed = randomInt(3) === 0
  const gatewayReference = `office-${desk.played.foreign.size + 1}`
  desk.played.foreign.set(gatewayReference, { paymentId, amount, isReversed })
  const news = { paymentId, amount: formatUnits(amount), gatewayReference }
  const events = ['REFUND', ...(isReversed ? ['REFUNDED_REVERSED'] : [])]
  for (const event of [...events, ...events])
    await notify(desk.notified, { name: paymentId, customerId }, { ...news, event })
}

export async function refundUntil(desk: RefundDesk, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const isForeign = randomInt(6) === 0
    const deposit = await (isForeign ? desk.pickForeign('&state=CAPTURED') : desk.pick('&state=CAPTURED'))
    if (deposit !== undefined && isForeign) await notifyForeign(desk, deposit)
    else if (deposit !== undefined) {
      for (let parts = randomInt(1, 4); parts > 0; parts--) await refundOnce(desk, deposit)
    }
    await sleep(randomInt(300))
  }
}

/** Decides what still waits for operators or for the bank. */
export async function finishRefunds(desk: RefundDesk, refunds: readonly Refund[]): Promise<void> {
  for (const one of refunds.filter(({ origin }) => origin === 'operator')) {
    if (one.state === 'SENT') await resolve(desk, one)
    else if (one.needsApproval) await decide(desk, one)
  }
}
