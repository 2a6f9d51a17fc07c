// Kills the service at random moments under load: `npm run torture -- --help`.

import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { oneOf, positiveNumber, readCommandLine, UsageError } from '../../scripts/command-line.js'
import { freePort } from '../harness/free-port.ts'
import { startPostgres, type TestPostgres } from '../harness/postgres.ts'
import { banRepeatedly, banViolations } from './bans.ts'
import { challengeClient, transactionClient } from './clients.ts'
import {
  callerOf,
  createTips,
  type Event,
  eventViolations,
  POSITIONS_BY_IDENTITY,
  profileOf,
  readAll,
  readRepeatedly,
  type Toggle,
  toggleRepeatedly,
} from './events.ts'
import { type Attempt, type Deposit, type Payment, violationsOf } from './invariants.ts'
import { type Process, run, sleep } from './processes.ts'
import { type Receiver, receiverViolations, startReceiver } from './receiver.ts'
import { tipRepeatedly, watchLog } from './tip-log.ts'

const USAGE = `Usage: npm run torture -- [options]

  Kills the service (and with --postgres the database) at random moments under load; the gateway is another process and is
  not killed. Operators forbid customers to deposit for a moment. Afterwards gateway, deposits and answers must agree, and no
  such customer have a credit; the log of events must have each change once and in order, with nothing skipped by a reader; a
  receiver of webhooks must have got all of them; and every checkpoint of the log of tips must fit the log at the end.

  --seconds N       how long (120)
  --postgres        on PostgreSQL instead of SQLite
  --control NAME    without one rule: exit code 0 then means that a violation was found. charge-first, no-grace: of the
                    deposits; identity-order (with --postgres): events get positions in the order of their identities
  --help`

const CONTROLS = ['charge-first', 'no-grace', 'identity-order']

const values = readCommandLine(USAGE, (args) => {
  const options = {
    seconds: { type: 'string', default: '120' },
    postgres: { type: 'boolean', default: false },
    control: { type: 'string' },
  } as const
  const { seconds, postgres, control } = parseArgs({ args, options }).values
  if (control === 'identity-order' && !postgres) throw new UsageError('--control identity-order needs --postgres')
  return {
    seconds: positiveNumber('--seconds', seconds),
    postgres,
    control: control === undefined ? undefined : oneOf('--control', control, CONTROLS),
  }
})
const CUSTOMERS = 24
const LIMIT = '2000.00'
const CV2 = '7391'
const TOKENS = ['approve', 'approve', 'approve', 'slow-150', 'slow-3000', 'timeout-after', 'error-after', 'decline']
const CHALLENGE_TOKENS = ['challenge', 'challenge', 'challenge-late', 'frictionless']
const TOKEN = 'torture-operator-token-0123456789'
const main = new URL('../../src/main.ts', import.meta.url).pathname
const control = new URL('./control-entry.ts', import.meta.url).pathname

const folder = mkdtempSync(join(tmpdir(), 'paddock-torture-'))
const ports = { open: await freePort(), operator: await freePort(), gateway: await freePort() }
const postgres: TestPostgres | null = values.postgres ? await startPostgres(['fsync=on']) : null
const settings: Record<string, string> = {
  PORT: `${ports.open}`,
  OPERATOR_PORT: `${ports.operator}`,
  OPERATOR_TOKEN: TOKEN,
  DATA_DIR: join(folder, 'service'),
  SANDBOX_SEED: 'off',
  SANDBOX_GATEWAY_URL: `http://127.0.0.1:${ports.gateway}`,
  GATEWAY_TIMEOUT_MS: '500',
  DEPOSIT_LEASE_SECONDS: '1',
  CHALLENGE_LEASE_SECONDS: '2',
  VOID_GRACE_SECONDS: '6',
  WEBHOOK_PRIVATE_ADDRESSES: 'on',
  NODE_COMPILE_CACHE: join(tmpdir(), 'paddock-compile-cache'),
  ...(postgres === null ? {} : { DATABASE_URL: postgres.url }),
}

function startService(): Promise<Process> {
  if (values.control === undefined || values.control === 'identity-order') return run(main, ['serve'], settings)
  return run(control, [], { ...settings, TORTURE_CONTROL: values.control })
}

async function operator(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${ports.operator}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? null : response.json()
}

async function createCustomers(): Promise<string[]> {
  const tickets: string[] = []
  for (let id = 1; id <= CUSTOMERS; id++) {
    await operator('PUT', `/customers/${id}`, { dailyDepositLimit: LIMIT })
    for (const [index, token] of [...TOKENS, ...CHALLENGE_TOKENS].entries()) {
      await operator('PUT', `/customers/${id}/payment-methods/${id * 100 + index}`, {
        type: 'CARD',
        token: `sandbox:${token}`,
        limits: { minDeposit: '1.00', maxDeposit: '50.00' },
        card: { number: '411111******1111', expiryDate: '12/49', country: 'GB', scheme: 'VISA' },
      })
    }
    const { ticket } = (await operator('POST', `/customers/${id}/tickets`, { ttlSeconds: 86_400 })) as {
      ticket: string
    }
    tickets.push(ticket)
  }
  return tickets
}

const attempts: Attempt[] = []
const challenges = challengeClient(`http://127.0.0.1:${ports.open}`)
const makeTransaction = transactionClient(`http://127.0.0.1:${ports.open}`)
let stopping = false

/** Deposits one after the other, each with a key of its own, and records the answers. */
async function client(customer: number, ticket: string): Promise<void> {
  while (!stopping) {
    const key = randomUUID()
    const amount = `${randomInt(1, 30)}.${`${randomInt(100)}`.padStart(2, '0')}`
    const card = randomInt(TOKENS.length + CHALLENGE_TOKENS.length)
    const terms = { amount, id: `${customer * 100 + card}`, cv2: CV2 }
    const make = card < TOKENS.length ? makeTransaction : challenges.deposit
    const answer = await make(terms, ticket, key)
    attempts.push({ key, answer })
    await sleep(randomInt(40))
  }
}

// ---- Likes, follows and the log of events

const publicUrl = `http://127.0.0.1:${ports.open}`
const toggles: Toggle[] = []
const read: Event[] = []

/** Each customer likes a tip and follows its author, back and forth; another reads the log meanwhile. */
async function startSocialTraffic(tickets: readonly string[]): Promise<Promise<void>[]> {
  const tips = await createTips(operator, publicUrl, tickets)
  if (values.control === 'identity-order') await runSql(POSITIONS_BY_IDENTITY)
  const call = callerOf(publicUrl)
  const isStopping = () => stopping
  const running = [
    readRepeatedly(operator, read, isStopping),
    tipRepeatedly(operator, call, tickets.slice(0, 4), isStopping),
  ]
  for (const [index, ticket] of tickets.entries()) {
    const byProfileId = await profileOf(publicUrl, ticket)
    const { tip, profile } = tips[index % tips.length] as (typeof tips)[number]
    if (profile === byProfileId) continue
    const both = [
      { kind: 'like', subject: tip, byProfileId, steps: 0, inDoubt: false },
      { kind: 'follow', subject: profile, byProfileId, steps: 0, inDoubt: false },
    ] as const
    toggles.push(...both)
    for (const toggle of both) running.push(toggleRepeatedly(call, ticket, toggle, isStopping))
  }
  return running
}

async function runSql(sql: string): Promise<void> {
  const client = new pg.Client(postgres?.url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

const kills = { service: 0, postgres: 0 }

async function killRepeatedly(first: Process): Promise<Process> {
  let service = first
  const end = Date.now() + values.seconds * 1000
  while (Date.now() < end) {
    await sleep(randomInt(300, 2_000))
    if (postgres !== null && randomInt(4) === 0) {
      await postgres.stop(randomInt(2) === 0 ? 'SIGQUIT' : 'SIGKILL')
      kills.postgres++
      await sleep(randomInt(500))
      await postgres.start()
      continue
    }
    await service.kill()
    kills.service++
    await sleep(randomInt(200))
    service = await startService()
  }
  stopping = true
  return service
}

async function allDeposits(): Promise<Deposit[]> {
  const all: Deposit[] = []
  for (let cursor = ''; ; ) {
    const page = (await operator('GET', `/deposits${cursor}`)) as { items: Deposit[]; cursor: string | null }
    all.push(...page.items)
    if (page.cursor === null) return all
    cursor = `?cursor=${page.cursor}`
  }
}

async function settledDeposits(): Promise<Deposit[]> {
  const end = Date.now() + 60_000
  for (;;) {
    await sleep(1_000)
    const all = await allDeposits().catch(() => undefined)
    const open = all?.filter(({ state }) => ['AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'VOIDING'].includes(state))
    if (all !== undefined && (open?.length === 0 || Date.now() > end)) return all
  }
}

/** Looks for a cv2 beside its name in the files and the output of the service. */
function cv2Leaks(output: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = [...files.map((one) => readFileSync(join(one.parentPath, one.name), 'latin1')), output]
  return texts.some((text) => new RegExp(`cv[c2]["'=: ]+${CV2}`).test(text)) ? ['a cv2 was written down'] : []
}

const gateway = await run(main, ['gateway'], {
  DATA_DIR: join(folder, 'gateway'),
  SANDBOX_GATEWAY_PORT: `${ports.gateway}`,
})
let service = await startService()
let receiver: Receiver | undefined
let code = 1
try {
  const tickets = await createCustomers()
  challenges.strangers.push(...tickets)
  await operator('PUT', '/applications/sandbox-key/return-addresses', { returnAddresses: ['https://shop.example/'] })
  receiver = await startReceiver(operator)
  const social = await startSocialTraffic(tickets)
  const tipLog = watchLog(publicUrl, () => stopping)
  const clients = [...social, tipLog.watching, ...tickets.map((ticket, index) => client(index + 1, ticket))]
  const banning = banRepeatedly(operator, CUSTOMERS, () => stopping)
  service = await killRepeatedly(service)
  await Promise.all(clients)
  const bans = await banning
  const deposits = await settledDeposits()
  const payments = (await (await fetch(`http://127.0.0.1:${ports.gateway}/payments`)).json()) as Payment[]
  const { problems } = (await operator('GET', '/ledger/check')) as { problems: string[] }
  const log = await readAll(operator)
  await receiver.waitFor(log)
  const violations = [
    ...eventViolations({ log, read, toggles, deposits }),
    ...receiverViolations(log, receiver),
    ...(await tipLog.violations()),
    ...banViolations(bans, deposits),
    ...challenges.violations,
    ...violationsOf({ attempts, deposits, payments, limit: 200_000n }),
    ...problems.map((one) => `ledger: ${one}`),
    ...cv2Leaks(service.output()),
  ]
  report(deposits, log, violations)
  console.log(`log of tips: ${tipLog.checkpoints.at(-1)?.size} entries, ${tipLog.checkpoints.length} checkpoints seen`)
  const found = violations.length > 0
  code = found === (values.control !== undefined) ? 0 : 1
} finally {
  receiver?.close()
  await service.kill()
  await gateway.kill()
  await postgres?.remove()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = code

function report(deposits: Deposit[], log: Event[], violations: string[]): void {
  const countEach = (values: string[]) => {
    const counts: Record<string, number> = {}
    for (const one of values) counts[one] = (counts[one] ?? 0) + 1
    return counts
  }
  console.log(`engine ${postgres === null ? 'sqlite' : 'postgres'}, control ${values.control ?? 'none'}`)
  console.log(`kills: service ${kills.service}, postgres ${kills.postgres}; requests ${attempts.length}`)
  console.table(countEach(attempts.map(({ answer }) => `answered ${answer}`)))
  console.table(countEach(deposits.map(({ state }) => state)))
  console.table(countEach(log.map(({ type }) => type)))
  console.log(
    `events: ${log.length}; read while the service was killed: ${read.length}; webhooks: ${receiver?.received.length}`,
  )
  console.log(`violations: ${violations.length}`)
  for (const one of violations.slice(0, 20)) console.log(`  ${one}`)
}
