// The processes of a torture run, and its customers with their cards.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../harness/free-port.ts'
import { startPostgres } from '../harness/postgres.ts'
import { askOf, type Json, type Operator, operatorOf } from './calls.ts'
import { formatUnits } from './payments.ts'
import { run } from './processes.ts'

export const CUSTOMERS = 12
/** In hundredths, as all amounts. */
export const DAILY_LIMIT = 300_000n
/** For a customer and a day: refunds by one person, and withdrawals by the rule. */
export const REFUNDED_BY_ONE = 3_000n
export const WITHDRAWN_BY_RULE = 30_000n
export const CV2 = '7391'

/** These win nothing and have no disputes, so that what each of their cards may get is known exactly. */
export const hasOnlyDeposits = (customerId: number) => customerId > CUSTOMERS - 4

/** This one loses all accounts behind the cards in the middle of the run. */
export const OUTSIDE = 1

/** Customers who exclude themselves in the middle of the run: of those who only deposit. */
export const EXCLUDED = [CUSTOMERS - 1, CUSTOMERS]

/** Of the cards that deposit with makeTransaction, and of those that the issuer challenges. */
const PLAIN = ['approve', 'approve', 'approve', 'slow-150', 'slow-3000', 'timeout-after', 'error-after', 'decline']
const REFUNDED = ['refund-slow', 'refund-failed', 'refund-unknown']
const PAID_OUT = [
  'payout-slow',
  'payout-returned',
  'payout-refused',
  'payout-unknown',
  'payout-silent',
  'payout-unfunded',
]
/** The bank says so when money is to go back: of the account for good, or of the deposit alone. */
export const FREEING = ['account-closed', 'return-refused']
export const PLAIN_TOKENS = [...PLAIN, ...REFUNDED, ...PAID_OUT, ...FREEING]
const CHALLENGED = ['challenge', 'challenge', 'challenge-late', 'frictionless']
export const TOKENS = [...PLAIN_TOKENS, ...CHALLENGED]

const FIRST_TOKEN = 'torture-operator-token-0123456789'
const controlProgram = new URL('./control-entry.ts', import.meta.url).pathname

/** `control`: the rule of deposits or payouts that the service is without. */
export async function openWorld(options: { postgres: boolean; control: string | undefined }) {
  // Bundled when it is loaded.
  const { paddockProgram } = await import('../harness/service-program.ts')
  const folder = mkdtempSync(join(tmpdir(), 'paddock-torture-'))
  const ports = { open: await freePort(), operator: await freePort(), gateway: await freePort() }
  const postgres = options.postgres ? await startPostgres(['fsync=on']) : null
  const settings: Record<string, string> = {
    PORT: `${ports.open}`,
    OPERATOR_PORT: `${ports.operator}`,
    OPERATOR_TOKEN: FIRST_TOKEN,
    DATA_DIR: join(folder, 'service'),
    SANDBOX_SEED: 'off',
    SANDBOX_GATEWAY_URL: `http://127.0.0.1:${ports.gateway}`,
    GATEWAY_TIMEOUT_MS: '500',
    DEPOSIT_LEASE_SECONDS: '1',
    CHALLENGE_LEASE_SECONDS: '2',
    VOID_GRACE_SECONDS: '6',
    REVIEW_AFTER_SECONDS: '20',
    REFUND_FOUR_EYES_ABOVE: formatUnits(REFUNDED_BY_ONE),
    WITHDRAWAL_APPROVED_UP_TO: formatUnits(WITHDRAWN_BY_RULE),
    RESOLUTION_FOUR_EYES_ABOVE: '2.00',
    PAYOUT_DELAY_HOURS: '0',
    WEBHOOK_PRIVATE_ADDRESSES: 'on',
    ...(postgres === null ? {} : { DATABASE_URL: postgres.url }),
  }
  const gateway = await run(paddockProgram, ['gateway'], {
    DATA_DIR: join(folder, 'gateway'),
    SANDBOX_GATEWAY_PORT: `${ports.gateway}`,
  })
  const operatorUrl = `http://127.0.0.1:${ports.operator}`
  return {
    publicUrl: `http://127.0.0.1:${ports.open}`,
    postgres,
    startService: () =>
      options.control === undefined
        ? run(paddockProgram, ['serve'], settings)
        : run(controlProgram, [], { ...settings, TORTURE_CONTROL: options.control }),
    operator: operatorOf(operatorUrl, FIRST_TOKEN),
    askAs: (token: string) => askOf(operatorUrl, token),
    /** What the gateway lists: payments or payouts. */
    atGateway: async (what: 'payments' | 'payouts') =>
      (await (await fetch(`http://127.0.0.1:${ports.gateway}/${what}`)).json()) as Json[],
    /** Looks for a cv2 beside its name in the files and the output of the service. */
    cv2Leaks(output: string): string[] {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const texts = [...files.map((one) => readFileSync(join(one.parentPath, one.name), 'latin1')), output]
      return texts.some((text) => new RegExp(`cv[c2]["'=: ]+${CV2}`).test(text)) ? ['a cv2 was written down'] : []
    },
    async close() {
      await gateway.kill()
      await postgres?.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** Customers 1, 2 and so on, each with a card of every token. Returns their tickets. */
export async function createCustomers(operator: Operator): Promise<string[]> {
  const tickets: string[] = []
  for (let id = 1; id <= CUSTOMERS; id++) {
    await operator('PUT', `/customers/${id}`, { dailyDepositLimit: formatUnits(DAILY_LIMIT), ...nameOf(id) })
    for (const index of TOKENS.keys()) {
      await operator('PUT', `/customers/${id}/payment-methods/${cardOf(id, index)}`, bodyOfCard(id, index))
    }
    const session = (await operator('POST', `/customers/${id}/tickets`, { ttlSeconds: 86_400 })) as { ticket: string }
    tickets.push(session.ticket)
  }
  return tickets
}

const nameOf = (customerId: number) => ({ firstName: 'Terry', lastName: `Torture ${customerId}` })

/** Of some cards the holder's name is not known: these take back what they paid in, and no payouts. */
const isNamed = (index: number) => index % 4 !== 3

export function bodyOfCard(customerId: number, index: number) {
  const card = { number: `411111******${1100 + index}`, expiryDate: '12/49', country: 'GB', scheme: 'VISA' }
  return {
    type: 'CARD',
    token: `sandbox:${TOKENS[index]}`,
    limits: { minDeposit: '1.00', maxDeposit: '50.00' },
    card: isNamed(index) ? { ...card, ...nameOf(customerId) } : card,
  }
}

/** The card with the token of this index. */
export const cardOf = (customerId: number, index: number) => customerId * 100 + index

/** Three of them, each a person. Their names end with their index. */
export async function createOperators({ operator, askAs }: World) {
  const created: ReturnType<World['askAs']>[] = []
  for (const index of [0, 1, 2]) {
    const body = { name: `operator ${index}`, owner: `Person ${index}`, role: 'admin' }
    const { token } = (await operator('POST', '/tokens', body)) as { token: string }
    created.push(askAs(token))
  }
  return created
}
