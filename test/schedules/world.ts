// What the schedules share: the real service on an embedded database, and a clock that stands still. Each schedule plays with customers
// of its own, and with a bank of its own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceReturnAddresses } from '../../src/identity/applications/store.ts'
import { putCustomer } from '../../src/identity/customers/customer.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { type Service, startService } from '../../src/service.ts'
import { registerMethod } from '../../src/wallets/cards/register.ts'
import type { NewMethod } from '../../src/wallets/cards/store.ts'
import type { Card, Customer } from './model/customer.ts'
import { HOLDER } from './stored.ts'

export type World = {
  readonly context: Service['context']
  readonly clock: { now: number }
  /** What the service has logged as an error. */
  readonly errors: string[]
  close(): Promise<void>
}

export const API_KEY = 'schedules'
export const RETURN_ADDRESS = 'https://shop.example/'
export const START = Date.UTC(2027, 0, 15, 12)
export const REVIEW_AFTER_MS = 600_000
const NEVER_MS = 2 ** 31 - 1

export async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-schedules-'))
  const clock = { now: START }
  const errors: string[] = []
  const settings = {
    PORT: '0',
    OPERATOR_PORT: '0',
    SANDBOX_SEED: 'off',
    DATA_DIR: folder,
    REVIEW_AFTER_SECONDS: `${REVIEW_AFTER_MS / 1_000}`,
    PAYOUT_DELAY_HOURS: '0',
  }
  const service = await startService(readConfig(settings), {
    log: createLog('error', (line) => errors.push(`${line}`), 0),
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
  return {
    context: service.context,
    clock,
    errors,
    async close() {
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const states = reading<NoParameters, { name: string; count: number }>('statesOfSchedules')`
  select 'deposit ' || state as name, count(*) as count from deposit group by state
  union all select 'refund ' || state, count(*) from refund group by state
  union all select 'part ' || state, count(*) from withdrawal_part group by state
  union all select 'notification ' || outcome, count(*) from gateway_notification group by outcome
  union all select 'dispute', count(*) from dispute order by 1`

/** How many deposits, refunds and parts ended in each state. */
export async function countStates({ context }: World): Promise<string> {
  const rows = await context.database.query(states, {})
  return rows.map(({ name, count }) => `${count} ${name}`).join(', ')
}

// ---- Customers and their cards

export const CARDS = ['A', 'B', 'C', 'D'] as const
export type CardName = (typeof CARDS)[number]

let customers = 0

/** Returns the customer's id. */
export async function newCustomer({ context, clock }: World, currency: string): Promise<number> {
  const id = ++customers
  await putCustomer(context.database, id, { currency, firstName: HOLDER, lastName: 'Archer' }, clock.now)
  return id
}

export function cardId(customer: number, card: CardName): number {
  return customer * 10 + CARDS.indexOf(card)
}

export type CardTerms = Pick<Card, 'token' | 'expiresAt' | 'holder'>

export async function addCard(
  { context, clock }: World,
  id: number,
  model: Customer,
  card: CardName,
  terms: CardTerms,
) {
  const method = methodOf(card, terms)
  await registerMethod(context.database, { id: cardId(id, card), customerId: id }, method, clock.now)
  model.cards.push({ id: card, ...terms, removed: false, closed: false, accountClosed: false })
}

/** Cards expire at the end of a month. */
export function methodOf(card: CardName, { token, expiresAt, holder }: CardTerms): NewMethod {
  const last = new Date(expiresAt - 1)
  const two = (value: number) => `${value % 100}`.padStart(2, '0')
  return {
    type: 'CARD',
    token: `sandbox:${token}`,
    min_deposit: 1n,
    max_deposit: 1_000_000n,
    card_number: `411111******111${CARDS.indexOf(card)}`,
    issue_date: null,
    expiry_date: `${two(last.getUTCMonth() + 1)}/${two(last.getUTCFullYear())}`,
    country: 'GB',
    scheme: 'VISA',
    funding: 'debit',
    first_name: holder === 'unknown' ? null : holder === 'customer' ? HOLDER : 'Bert',
    last_name: holder === 'unknown' ? null : 'Archer',
  }
}
