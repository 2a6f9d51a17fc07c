// The service is killed on the deposit path, at one await after the other, and started again. Afterwards the bank, the
// deposits, the ledger and the answers to clients must agree.
//
// Of each transaction only the last statement is killed at: whichever statement is the last to run, nothing is committed.
// CRASH_POINTS=all kills at every await, which takes twice as long.

import { type ChildProcess, fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { openSandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { balanceOf } from '../../src/wallets/ledger.ts'
import type { DepositRow } from '../../src/wallets/store.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import { call, newTestDatabase, OPERATOR_TOKEN, startTestService, type TestDatabase } from '../harness/service.ts'
import { crashProgram } from '../harness/service-program.ts'
import { ledgerProblems, paidOrFaultCode } from '../harness/wallets.ts'

const T1 = [
  'before the deposit #1',
  'after lockDepositor #1',
  'after depositFacts #1',
  'after insertDeposit #1',
  'after commit #1',
  'before authorise #1',
  'after authorise #1',
]

const APPROVED = [
  ...T1,
  'after lockDepositWithFacts #1',
  'after approveDeposit #1',
  'after insertCredit #1',
  'after openAccounts #1',
  'after insertCredit #2',
  'after addToBalance #1',
  'after insertJob #1',
  'after insertDepositEvent #1',
  'after commit #2',
  'after firstDueJob #1',
  'after claimJobs #1',
  'before capture #1',
  'after capture #1',
  'after captureDeposits #1',
  'after deleteCaptureJobs #1',
  'after insertCaptures #1',
  'after insertDepositEvents #1',
  'after commit #3',
]

/** The sweeper cancels what was voided. */
const CANCELLED = [
  'after voidDeposit #1',
  'after insertJob #1',
  'after insertDepositEvent #1',
  'after commit #2',
  'after firstDueJob #1',
  'after claimJobs #1',
  'before cancel #1',
  'after cancel #1',
  'after lockDeposit #1',
  'after deleteJob #1',
  'after finishVoid #1',
  'after insertDepositEvent #2',
  'after commit #3',
]

type DepositPath = { token: string; newCurrency?: true; excluded?: true }

/** Every await of the path, by the outcome of the deposit. A new await must be added here. */
const PATHS: Record<string, DepositPath & { points: string[] }> = {
  approved: { token: 'sandbox:approve', points: APPROVED },
  'approved, the first of its currency': { token: 'sandbox:approve', newCurrency: true, points: APPROVED },
  declined: {
    token: 'sandbox:wrong-cv2',
    points: [
      ...T1,
      'after declineDeposit #1',
      'after countWrongCv2 #1',
      'after insertDepositEvent #1',
      'after commit #2',
    ],
  },
  unknown: {
    token: 'sandbox:error-after',
    points: [...T1, 'before authorise #2', 'after authorise #2', ...CANCELLED],
  },
  'approved, no longer allowed': {
    token: 'sandbox:approve',
    excluded: true,
    points: [...T1, 'after lockDepositWithFacts #1', ...CANCELLED],
  },
}

const SETTINGS = {
  PORT: '0',
  OPERATOR_PORT: '0',
  SANDBOX_SEED: 'off',
  OPERATOR_TOKEN,
  GATEWAY_TIMEOUT_MS: '300',
  DEPOSIT_LEASE_SECONDS: '1',
  VOID_GRACE_SECONDS: '1',
}

let testDatabase: TestDatabase
let customers = 0
const answers = new Map<number, string>()
const excluded = new Set<number>()

beforeAll(async () => {
  testDatabase = await newTestDatabase()
  // The first deposit of a currency opens the ledger's system accounts, and has a path of its own below.
  await walk({ token: 'sandbox:approve' }, (points) => expect(points).toContain('after commit #3'))
})
afterAll(async () => {
  await testDatabase.remove()
})

type Message = { url?: string; ticket?: string; points?: string[] }

function start(crashAt: string, more: { ARMED?: string; CLOCK_AHEAD_MS?: string } = {}): ChildProcess {
  return fork(crashProgram, {
    // Killed processes write no compile cache, but use what the others wrote: half the time of a start.
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(tmpdir(), 'paddock-compile-cache'),
      ...SETTINGS,
      ...testDatabase.settings,
      CRASH_AT: crashAt,
      ...more,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function message(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`ended with ${code} before it sent a message`))
    child.once('exit', gone)
    child.once('message', (received: Message) => {
      child.off('exit', gone)
      resolve(received)
    })
  })
}

/** One deposit by a new customer; records the answer. */
async function depositAt(child: ChildProcess, url: string, path: DepositPath): Promise<void> {
  const id = ++customers
  if (path.excluded) excluded.add(id)
  const currency = path.newCurrency ? `N${id}` : 'GBP'
  child.send({ create: { id, token: path.token, currency, excluded: path.excluded === true } })
  const { ticket = '' } = await message(child)
  const query = `transactionType=deposit&amount=10.00&id=${id}&cv2=123`
  const options = { key: 'crash-key', secret: 'crash-secret', ticket, accept: 'application/json' }
  answers.set(id, await call(url, 'POST', `/v1/wallets/me?${query}`, options).then(paidOrFaultCode, () => 'no answer'))
}

async function ended(child: ChildProcess): Promise<string | null> {
  if (child.signalCode !== null || child.exitCode !== null) return child.signalCode
  return new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
}

/** A deposit without interruption, until `arrived` accepts the points it went through. */
async function walk(path: DepositPath, arrived: (points: string[]) => void): Promise<void> {
  const child = start('nowhere')
  try {
    const { url = '' } = await message(child)
    await depositAt(child, url, path)
    const look = async () => {
      child.send({})
      arrived((await message(child)).points ?? [])
    }
    await vi.waitFor(look, { timeout: 60_000, interval: 10 })
  } finally {
    child.send({ stop: true })
    await ended(child)
  }
}

test.for(Object.entries(PATHS))('%s: the listed points are those that the path reaches', async ([, path]) => {
  await walk(path, (points) => expect(points).toEqual(path.points))
})

/** Leaves out the statements of a transaction that are followed by others of it. */
function distinctPoints(points: readonly string[]): string[] {
  if (process.env.CRASH_POINTS === 'all') return [...points]
  const isStatement = (point = '') => /^after (?!commit|authorise|capture #|cancel)/.test(point)
  return points.filter((point, i) => {
    const next = points.slice(i + 1).find((one) => !isStatement(one)) ?? ''
    return !(isStatement(point) && isStatement(points[i + 1]) && next.startsWith('after commit'))
  })
}

const cases: { path: string; point: string }[] = []
for (const [path, { points, newCurrency }] of Object.entries(PATHS)) {
  // T1 is killed on one path; the first of a currency only where the accounts are opened.
  const elsewhere = newCurrency
    ? APPROVED.filter((point) => !/openAccounts|insertCredit/.test(point))
    : path === 'approved'
      ? []
      : T1
  for (const point of newCurrency ? points : distinctPoints(points)) {
    if (!elsewhere.includes(point)) cases.push({ path, point })
  }
}

test.for(cases)('$path, killed $point', async ({ path, point }) => {
  const child = start(point)
  const { url = '' } = await message(child)
  await depositAt(child, url, PATHS[path] as DepositPath)
  expect(await ended(child)).toBe('SIGKILL')
})

/** The sweeper's own path: it finds the deposit of a process that died, because its lease has expired. */
const LEASE_OVER = [
  'after expiredDeposits #1',
  'after voidDeposit #1',
  'after insertJob #1',
  'after insertDepositEvent #1',
  'after commit #1',
]

const leaseOverCases = distinctPoints(LEASE_OVER)

test.for(leaseOverCases)('an expired lease, killed %s', async (point) => {
  const orphaning = start('after authorise #1')
  const { url = '' } = await message(orphaning)
  await depositAt(orphaning, url, PATHS.approved as DepositPath)
  expect(await ended(orphaning)).toBe('SIGKILL')
  const finding = start(point, { ARMED: 'from the start', CLOCK_AHEAD_MS: '1100' })
  expect(await ended(finding)).toBe('SIGKILL')
})

const everyDeposit = reading<NoParameters, DepositRow>(
  'everyDeposit',
  'select id, customer_id, state, cast(amount as text) as amount, currency from deposit',
)

test('after all crashes, bank, deposits, ledger and clients agree', async () => {
  const service = await startTestService(SETTINGS, testDatabase)
  const bank = openSandboxBank(join(testDatabase.settings.DATA_DIR as string, 'sandbox-gateway.db'))
  try {
    const { database } = service.context
    service.clock.advance(400_000)
    const open = async () => {
      await sweep(service.context)
      const deposits = await database.query(everyDeposit, {})
      return deposits.filter(({ state }) => !['CAPTURED', 'DECLINED', 'VOIDED'].includes(state))
    }
    await expect.poll(open, { timeout: 30_000 }).toEqual([])

    const deposits = await database.query(everyDeposit, {})
    const captured = new Set(deposits.filter(({ state }) => state === 'CAPTURED').map(({ id }) => id))
    const payments = bank.payments()
    expect(new Set(payments.filter(({ state }) => state === 'captured').map(({ reference }) => reference))).toEqual(
      captured,
    )
    expect(payments.filter(({ state }) => state === 'held')).toEqual([])
    for (const { id, customer_id } of deposits) if (excluded.has(customer_id)) expect(captured).not.toContain(id)
    expect([...excluded].map((id) => answers.get(id))).toContain('24004')
    for (const { id, customer_id, currency } of deposits) {
      expect(await balanceOf(database, customer_id, currency)).toBe(captured.has(id) ? 1000n : 0n)
      if (answers.get(customer_id) === 'paid') expect(captured).toContain(id)
      else if (answers.get(customer_id) !== 'no answer') expect(captured).not.toContain(id)
    }
    expect(await ledgerProblems(service)).toEqual([])
    expect(answers.size).toBe(cases.length + leaseOverCases.length + Object.keys(PATHS).length + 1)
    expect([...answers.values()].filter((one) => one === 'no answer').length).toBeGreaterThan(cases.length / 2)
  } finally {
    bank.close()
    await service.close()
  }
})
