// What the schedules share: the real service on an embedded database, the sandbox's bank, a clock that stands still.
// Each schedule plays with a customer of its own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceReturnAddresses } from '../../src/identity/applications/store.ts'
import { putCustomer } from '../../src/identity/customers/customer.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { formatMoney } from '../../src/platform/runtime/money.ts'
import { type Service, startService } from '../../src/service.ts'
import { openSandboxBank, type SandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { referenceOf } from '../../src/wallets/payment-reference.ts'
import { registerMethod } from '../../src/wallets/register-method.ts'

export type World = {
  readonly context: Service['context']
  readonly bank: SandboxBank
  readonly clock: { now: number }
  /** What the bank has paid out, by the reference of the withdrawal. */
  readonly paidOut: Map<string, bigint>
  /** Of these the notifications were chosen. */
  readonly payoutsTold: Set<string>
  /** The references of payouts and refunds that came back to us. */
  readonly payoutsBack: Set<string>
  readonly refundsBack: Set<string>
  close(): Promise<void>
}

export const API_KEY = 'schedules'
export const RETURN_ADDRESS = 'https://shop.example/'
export const NEVER_MS = 2 ** 31 - 1
/** Of the withdrawals of a day. */
export const APPROVED_UP_TO = 600n

export async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-schedules-'))
  const clock = { now: Date.UTC(2027, 0, 15, 12) }
  const settings = {
    PORT: '0',
    OPERATOR_PORT: '0',
    SANDBOX_SEED: 'off',
    DATA_DIR: folder,
    WITHDRAWAL_APPROVED_UP_TO: formatMoney(APPROVED_UP_TO),
    REFUND_FOUR_EYES_ABOVE: '5.00',
    REVIEW_AFTER_SECONDS: '600',
  }
  const service = await startService(readConfig(settings), {
    log: createLog('silent', () => {}, 0),
    now: () => clock.now,
    sweepEveryMs: NEVER_MS,
    dispatchEveryMs: NEVER_MS,
  })
  // Nothing here outlives the process, so nothing waits for the disk.
  await service.context.database.script('pragma synchronous = off')
  const fixed = { apiKey: API_KEY, secret: 'a secret' }
  await service.context.applications.create({ name: 'Schedules', perSecond: null, perMinute: null, fixed })
  const addresses = JSON.stringify([RETURN_ADDRESS])
  await service.context.database.run(replaceReturnAddresses, { apiKey: API_KEY, addresses })
  const bank = openSandboxBank(':memory:')
  return {
    context: service.context,
    bank,
    clock,
    paidOut: new Map(),
    payoutsTold: new Set(),
    payoutsBack: new Set(),
    refundsBack: new Set(),
    async close() {
      await service.close()
      bank.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** first: its token is one of FIRST_TOKENS. No card answers late: that is for the scheduler to choose. */
export const CARDS = ['first', 'approve', 'decline', 'challenge'] as const
export type Card = (typeof CARDS)[number]

/** How the bank treats refunds and payouts of the first card. */
export const FIRST_TOKENS = [
  'approve',
  'refund-failed',
  'refund-unknown',
  'payout-returned',
  'payout-refused',
  'payout-unknown',
  'payout-slow',
  'payout-silent',
] as const
export type FirstToken = (typeof FIRST_TOKENS)[number]

const states = reading<NoParameters, { name: string; count: number }>('statesOfSchedules')`
  select 'deposit ' || state as name, count(*) as count from deposit group by state
  union all select 'refund ' || state, count(*) from refund group by state
  union all select 'withdrawal ' || state, count(*) from withdrawal group by state order by 1`

/** How many deposits, refunds and withdrawals ended in each state. */
export async function countStates({ context }: World): Promise<string> {
  const rows = await context.database.query(states, {})
  return rows.map(({ name, count }) => `${count} ${name}`).join(', ')
}

let customers = 0

/** Returns the customer's id; their cards have the ids of cardId(). */
export async function newCustomer(
  { context, clock }: World,
  firstToken: FirstToken,
  cards: ReadonlySet<Card>,
): Promise<number> {
  const id = ++customers
  await putCustomer(context.database, id, { currency: 'GBP' }, clock.now)
  for (const card of cards) {
    const method = {
      type: 'CARD',
      token: `sandbox:${card === 'first' ? firstToken : card}`,
      minDeposit: 1n,
      maxDeposit: 100_000n,
      cardNumber: '411111******1111',
      issueDate: null,
      expiryDate: '12/49',
      country: 'GB',
      scheme: 'VISA',
      funding: 'debit' as const,
    }
    await registerMethod(context.database, { id: cardId(id, card), customerId: id }, method, clock.now)
  }
  return id
}

export function cardId(customerId: number, card: Card): number {
  return customerId * CARDS.length + CARDS.indexOf(card)
}

/** The id of the deposit that the customer made with this key. */
export function paymentOf(customerId: number, key: string): string {
  return referenceOf({ customerId, apiKey: API_KEY, idempotencyKey: `${customerId}-${key}` })
}

/** What the customer has of a withdrawal, by the bank's books. */
export function moneyOf({ paidOut, payoutsBack }: World, reference: string | null): bigint {
  if (reference === null || payoutsBack.has(reference)) return 0n
  return paidOut.get(reference) ?? 0n
}
