// Operators who approve, hold and refuse withdrawals at the same time, and resolve those whose result did not arrive.

import { randomInt } from 'node:crypto'
import type { Ask } from './calls.ts'
import type { Journal } from './journal.ts'
import { pickOf } from './payments.ts'
import { sleep } from './processes.ts'

export type Withdrawal = {
  id: string
  reference: string
  customerId: string
  paymentMethodId: string
  amount: string
  state: string
  /** The operator who requested it for the customer. */
  requestedBy: string | null
  approvedBy: string[]
  heldBy: string | null
  createdAt: string
}

const OPEN = ['REQUESTED', 'APPROVED', 'SENDING', 'REVIEW']

export type WithdrawalDesk = {
  readonly operators: readonly Ask[]
  readonly journal: Journal
  /** Ids whose refusal was answered. */
  readonly refused: Set<string>
  /** Operator and id of the approvals that were answered. */
  readonly approved: Set<string>
  readonly violations: string[]
}

const CALLS = {
  approval: ['POST', 'approval', undefined],
  refusal: ['POST', 'refusal', { reason: 'no' }],
  hold: ['PUT', 'hold', { reason: 'wait' }],
  release: ['DELETE', 'hold', undefined],
  resolution: ['POST', 'resolution', { outcome: 'returned', note: 'looked up' }],
} as const

const operatorOf = ({ operators }: WithdrawalDesk, who: number) => operators[who] as Ask

async function listed(desk: WithdrawalDesk, state: string): Promise<Withdrawal[]> {
  return (await operatorOf(desk, 0)('GET', `/withdrawals?state=${state}&limit=20`)).body.items
}

async function decide(
  desk: WithdrawalDesk,
  who: number,
  { id, customerId }: Withdrawal,
  what: keyof typeof CALLS,
): Promise<number> {
  const [method, path, body] = CALLS[what]
  const { status } = await operatorOf(desk, who)(method, `/withdrawals/${id}/${path}`, body)
  desk.journal.note(`withdrawal ${what} ${status}`, customerId, `withdrawal ${id} by operator ${who}`)
  return status
}

async function approve(desk: WithdrawalDesk, who: number, withdrawal: Withdrawal): Promise<void> {
  if ((await decide(desk, who, withdrawal, 'approval')) !== 200) return
  const name = `${who} ${withdrawal.id}`
  if (desk.approved.has(name)) desk.violations.push(`withdrawal ${withdrawal.id}: approved twice by operator ${who}`)
  desk.approved.add(name)
}

async function refuse(desk: WithdrawalDesk, who: number, withdrawal: Withdrawal): Promise<void> {
  if ((await decide(desk, who, withdrawal, 'refusal')) === 200) desk.refused.add(withdrawal.id)
}

async function decideOne(desk: WithdrawalDesk, who: number, withdrawal: Withdrawal): Promise<void> {
  const what = randomInt(12)
  const another = (who + 1) % desk.operators.length
  if (what === 0) return refuse(desk, who, withdrawal)
  if (what === 1) {
    return void (await Promise.all([refuse(desk, who, withdrawal), approve(desk, another, withdrawal)]))
  }
  if (what === 2) {
    await decide(desk, who, withdrawal, 'hold')
    await sleep(randomInt(500))
    await decide(desk, who, withdrawal, 'release')
  }
  await approve(desk, who, withdrawal)
  if (what === 3) await approve(desk, who, withdrawal)
}

/** The bank is told never to pay it. */
async function resolveReviewed(desk: WithdrawalDesk): Promise<void> {
  for (const one of await listed(desk, 'REVIEW')) await decide(desk, 0, one, 'resolution')
}

export async function decideUntil(desk: WithdrawalDesk, who: number, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const waiting = await listed(desk, 'REQUESTED')
    if (waiting.length > 0) await decideOne(desk, who, pickOf(waiting))
    if (who === 0 && randomInt(10) === 0) await resolveReviewed(desk)
    await sleep(randomInt(150))
  }
}

/** Decides everything that waits. Returns whether something is still on its way. */
export async function finishWithdrawals(desk: WithdrawalDesk): Promise<boolean> {
  for (const one of await listed(desk, 'REQUESTED')) {
    if (one.heldBy !== null) await decide(desk, 0, one, 'release')
    for (const who of desk.operators.keys()) await approve(desk, who, one)
  }
  await resolveReviewed(desk)
  for (const state of OPEN) if ((await listed(desk, state)).length > 0) return true
  return false
}
