// Operators who approve, hold and refuse withdrawals at the same time.

import { randomInt } from 'node:crypto'
import type { Answer, Ask } from './calls.ts'
import type { Journal } from './journal.ts'
import { pickOf } from './payments.ts'
import { sleep } from './processes.ts'

export type Part = {
  id: string
  kind: 'return' | 'payout' | 'outside'
  paymentId: string | null
  freed: boolean
  amount: string
  paid: string
  returned: string
  state: 'WAITING' | 'SENDING' | 'PAID' | 'RETURNED' | 'REVIEW'
  review: string | null
  reference: string
  /** The gateway's, or of the bank's transfer for what was paid outside. */
  gatewayReference: string | null
}

export type Withdrawal = {
  id: string
  reference: string
  customerId: string
  /** null: paid outside. */
  paymentMethodId: string | null
  amount: string
  paid: string
  returned: string
  state: string
  needsApproval: boolean
  /** The operator who requested it for the customer. */
  requestedBy: string | null
  approvedBy: string[]
  hold: string | null
  heldBy: string | null
  parts: Part[]
  createdAt: string
}

const OPEN = ['REQUESTED', 'APPROVED', 'SENDING', 'REVIEW']

export type WithdrawalDesk = {
  readonly operators: readonly Ask[]
  readonly journal: Journal
  /** Ids whose refusal was answered, with the state of the answer. */
  readonly refused: Map<string, string>
  readonly violations: string[]
}

const CALLS = {
  approval: ['POST', 'approval', undefined],
  refusal: ['POST', 'refusal', { reason: 'no' }],
  hold: ['PUT', 'hold', { reason: 'wait' }],
  release: ['DELETE', 'hold', undefined],
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
): Promise<Answer> {
  const [method, path, body] = CALLS[what]
  const answer = await operatorOf(desk, who)(method, `/withdrawals/${id}/${path}`, body)
  desk.journal.note(`withdrawal ${what} ${answer.status}`, customerId, `withdrawal ${id} by operator ${who}`)
  return answer
}

/** Twice by the same person is never enough. */
async function approve(desk: WithdrawalDesk, who: number, withdrawal: Withdrawal): Promise<void> {
  const { status, body } = await decide(desk, who, withdrawal, 'approval')
  if (status === 200 && new Set(body.approvedBy).size !== body.approvedBy.length)
    desk.violations.push(`withdrawal ${withdrawal.id}: approved by ${body.approvedBy.join(' and ')}`)
}

async function refuse(desk: WithdrawalDesk, who: number, withdrawal: Withdrawal): Promise<void> {
  const { status, body } = await decide(desk, who, withdrawal, 'refusal')
  if (status === 200) desk.refused.set(withdrawal.id, body.state)
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

/** Also those of which parts were sent, and the rest is held. */
async function waiting(desk: WithdrawalDesk): Promise<Withdrawal[]> {
  const both = [...(await listed(desk, 'REQUESTED')), ...(await listed(desk, 'SENDING'))]
  return both.filter(({ needsApproval }) => needsApproval)
}

export async function decideUntil(desk: WithdrawalDesk, who: number, isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const left = await waiting(desk)
    if (left.length > 0) await decideOne(desk, who, pickOf(left))
    await sleep(randomInt(150))
  }
}

/** Decides everything that waits. Returns what is still on its way. */
export async function finishWithdrawals(desk: WithdrawalDesk): Promise<Withdrawal[]> {
  for (const one of await waiting(desk)) {
    if (one.heldBy !== null) await decide(desk, 0, one, 'release')
    for (const who of desk.operators.keys()) await approve(desk, who, one)
  }
  return (await Promise.all(OPEN.map((state) => listed(desk, state)))).flat()
}
