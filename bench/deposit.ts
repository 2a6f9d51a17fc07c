// How many durable deposits per second, beside bare transactions of the same statements in the same process?
//   node bench/deposit.ts [seconds per round] [rounds]
// The gateway approves at once, so that what is measured is ours: two transactions, the ledger, HTTP, credentials.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { putCustomer } from '../src/customers/customer.ts'
import { statement } from '../src/database/database.ts'
import { createLog } from '../src/log.ts'
import { type Service, startService } from '../src/service.ts'
import { decide } from '../src/wallets/decide.ts'
import { dayOf } from '../src/wallets/deposit.ts'
import type { Gateway } from '../src/wallets/gateways/gateway.ts'
import { putMethod } from '../src/wallets/register.ts'
import {
  depositedOn,
  depositInFlight,
  insertDeposit,
  insertDepositEvent,
  lockDepositor,
  methodOfCustomer,
} from '../src/wallets/store.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { load } from './load.ts'
import { median } from './processes.ts'

const seconds = Number(process.argv[2] ?? 3)
const rounds = Number(process.argv[3] ?? 3)
const CUSTOMERS = 512
const CONNECTIONS = 16

const countDeposits = statement<[], { made: number }>('countDeposits', 'select count(*) as made from deposit')

/** Approves at once and captures later than the measurement lasts. */
function instantGateway(port: Gateway): Gateway {
  return {
    ...port,
    authorise: async ({ reference }) => ({ outcome: 'approved', gatewayReference: reference }),
    capture: async () => ({ outcome: 'captured', reason: '' }),
  }
}

async function start(settings: Record<string, string>): Promise<{ service: Service; tickets: string[] }> {
  const base = { PORT: '0', OPERATOR_PORT: '0', SANDBOX_SEED: 'off', DAILY_DEPOSIT_LIMIT: '99999999999.00' }
  const service = await startService(readConfig({ ...base, ...settings }), {
    log: createLog('silent', () => {}, 0),
    sweepEveryMs: 3_600_000,
    observePorts: { database: (port) => port, gateway: instantGateway },
  })
  const { database, sessions } = service.context
  const tickets: string[] = []
  for (let id = 1; id <= CUSTOMERS; id++) {
    await putCustomer(database, id, {}, Date.now())
    const card = { cardNumber: '411111******1111', issueDate: null, expiryDate: '12/49', country: 'GB', scheme: 'VISA' }
    const terms = {
      type: 'CARD',
      token: 'sandbox:approve',
      minDeposit: 1n,
      maxDeposit: 100n,
      funding: 'debit' as const,
    }
    await putMethod(database, { id, customerId: id }, { ...card, ...terms }, Date.now())
    tickets.push((await sessions?.issue(id, null))?.ticket ?? '')
  }
  return { service, tickets }
}

/** T1 and T2 with nothing around them. */
async function bareDeposit({ context }: Service, customerId: number): Promise<void> {
  const id = randomUUID()
  const now = Date.now()
  await context.database.transaction(async (tx) => {
    await tx.one(lockDepositor, [customerId])
    await tx.one(methodOfCustomer, [customerId, customerId])
    await tx.one(depositInFlight, [customerId])
    await tx.one(depositedOn, [customerId, dayOf(now)])
    const gateway = 'sandbox'
    await tx.run(insertDeposit, [
      id,
      customerId,
      'k',
      null,
      customerId,
      gateway,
      100n,
      'GBP',
      dayOf(now),
      now + 1000,
      now,
    ])
    await tx.run(insertDepositEvent, [id, now, 'begun', ''])
  })
  await context.database.transaction((tx) => decide(tx, id, { outcome: 'approved', gatewayReference: id }, now))
}

async function bare(service: Service, customers: number, lanes: number): Promise<number> {
  let done = 0
  const end = performance.now() + seconds * 1000
  const lane = async (first: number) => {
    for (let turn = first; performance.now() < end; turn += lanes) {
      await bareDeposit(service, (turn % customers) + 1)
      done++
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)))
  return done / seconds
}

async function overHttp(service: Service, tickets: string[], lanes: number): Promise<number> {
  const requests = tickets.map((ticket, index) =>
    Buffer.from(
      `POST /v1/wallets/me?transactionType=deposit&amount=1.00&id=${index + 1}&cv2=123 HTTP/1.1\r\nhost: bench\r\n` +
        `who-apiKey: sandbox-key\r\nwho-secret: sandbox-secret\r\nwho-ticket: ${ticket}\r\naccept: application/json\r\n` +
        'content-length: 0\r\n\r\n',
    ),
  )
  let turn = 0
  const { database } = service.context
  const before = (await database.one(countDeposits, []))?.made ?? 0
  const { hostname, port } = new URL(service.publicUrl)
  const request = () => requests[turn++ % requests.length] as Buffer
  await load({ host: hostname, port: Number(port), connections: lanes, seconds, request })
  // Counted in the database: a refusal is HTTP 200 too.
  return (((await database.one(countDeposits, []))?.made ?? 0) - before) / seconds
}

const postgres = await startPostgres(['fsync=on'])
console.log('| engine | customers | bare transactions/s | deposits over HTTP/s | ratio |\n|---|---|---|---|---|')
for (const engine of ['SQLite', 'PostgreSQL']) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
  const url: Record<string, string> = engine === 'SQLite' ? {} : { DATABASE_URL: postgres.url }
  const { service, tickets } = await start({ DATA_DIR: folder, ...url })
  for (const [customers, lanes] of [
    [1, 1],
    [CUSTOMERS, CONNECTIONS],
  ] as const) {
    const figures: { bare: number; http: number }[] = []
    for (let round = 0; round <= rounds; round++) {
      const measured = {
        bare: await bare(service, customers, lanes),
        http: await overHttp(service, tickets.slice(0, customers), lanes),
      }
      // The first round warms up.
      if (round > 0) figures.push(measured)
    }
    const [floor, ours] = [median(figures.map((one) => one.bare)), median(figures.map((one) => one.http))]
    console.log(
      `| ${engine} | ${customers} | ${floor.toFixed(0)} | ${ours.toFixed(0)} | ${(ours / floor).toFixed(2)} |`,
    )
  }
  await service.close()
  rmSync(folder, { recursive: true, force: true })
}
await postgres.remove()
