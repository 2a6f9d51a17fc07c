// The service is killed on the deposit path, at one await after the other, and started again. Afterwards the bank, the
// deposits, the ledger and the answers to clients must agree.
//
// `npm test` kills once wherever something else is left behind (distinctPoints), on one of the engines (playedHere), `npm run test:all`
// and CRASH_POINTS=all at every await that writes, locks, commits or calls the gateway, on both engines.

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { balanceOf } from '../../src/wallets/account/ledger.ts'
import type { DepositRow } from '../../src/wallets/deposits/store.ts'
import { openSandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { sandboxResult } from '../../src/wallets/gateways/sandbox/challenges.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { distinctPoints } from '../harness/crash-points.ts'
import { ended, message, startCrashing, tell } from '../harness/crash-process.ts'
import {
  call,
  newTestDatabase,
  OPERATOR_TOKEN,
  type Reply,
  startTestService,
  type TestDatabase,
} from '../harness/service.ts'
import { ledgerProblems, paidOrFaultCode } from '../harness/wallets.ts'
import { cases, type DepositPath, depositPoints, LEASE_OVER, PATHS } from './deposit-paths.ts'

const SETTINGS = {
  PORT: '0',
  OPERATOR_PORT: '0',
  SANDBOX_SEED: 'off',
  OPERATOR_TOKEN,
  GATEWAY_TIMEOUT_MS: '300',
  DEPOSIT_LEASE_SECONDS: '1',
  CHALLENGE_LEASE_SECONDS: '3600',
  VOID_GRACE_SECONDS: '1',
}

let testDatabase: TestDatabase
let customers = 0
const answers = new Map<number, string>()
const excluded = new Set<number>()

beforeAll(async () => {
  testDatabase = await newTestDatabase()
})
afterAll(async () => {
  await testDatabase.remove()
})

const start = (crashAt: string, more: { ARMED?: string; CLOCK_AHEAD_MS?: string } = {}) =>
  startCrashing(crashAt, { ...SETTINGS, ...testDatabase.settings, ...more })

/** One deposit by a new customer; records the answer. */
async function depositAt(child: ChildProcess, url: string, path: DepositPath): Promise<void> {
  const id = ++customers
  if (path.excluded) excluded.add(id)
  const currency = path.newCurrency ? `N${id}` : 'GBP'
  const { ticket = '' } = await tell(child, {
    create: { id, token: path.token, currency, excluded: path.excluded === true },
  })
  const options = { key: 'crash-key', secret: 'crash-secret', ticket, accept: 'application/json' }
  const post = (target: string) => call(url, 'POST', `/v1/wallets/me${target}`, options)
  const query = `amount=10.00&id=${id}&cv2=123`
  const answering =
    path.finish === undefined
      ? post(`?transactionType=deposit&${query}`).then(paidOrFaultCode)
      : throughChallenge(post, `/deposits?${query}&returnUrl=https://shop.example/`, path.finish)
  answers.set(id, await answering.catch(() => 'no answer'))
}

/** Answered only when the issuer's decision is. */
async function throughChallenge(
  post: (target: string) => Promise<Reply>,
  target: string,
  finish: 'approve' | 'refuse' | 'abandon',
): Promise<string> {
  const { paymentId, status } = (await post(target)).json().whoWallets
  expect(status).toBe('challenge')
  if (finish === 'abandon') return 'abandoned'
  const query = `redirectResult=${sandboxResult(paymentId, finish)}`
  return paidOrFaultCode(await post(`/deposits/${paymentId}/challenge?${query}`))
}

describe('without interruption, by one process', () => {
  let child: ChildProcess
  let url: string

  beforeAll(async () => {
    child = start('nowhere')
    url = (await message(child)).url ?? ''
    // The first deposit of a currency opens the ledger's system accounts, and has a path of its own below.
    await depositAt(child, url, PATHS.approved as DepositPath)
    await vi.waitFor(async () => expect(await look()).toContain('after commit #3'), { timeout: 60_000, interval: 10 })
  })

  // Its sweeper would find the deposits of those that are killed below.
  afterAll(async () => {
    child.send({ stop: true })
    await ended(child)
    depositPoints.update(Object.keys(PATHS))
  })

  const look = async () => (await tell(child, {})).points ?? []

  test.for(Object.entries(PATHS))('%s: the listed points are those that the path reaches', async ([name, path]) => {
    await depositAt(child, url, path)
    await depositPoints.compare(name, look)
  })
})

test.for(cases)('$path, killed $point', async ({ path, point }) => {
  const child = start(point)
  const { url = '' } = await message(child)
  await depositAt(child, url, PATHS[path] as DepositPath)
  expect(await ended(child)).toBe('SIGKILL')
})

const leaseOverCases = distinctPoints(LEASE_OVER)

test.for(leaseOverCases)('an expired lease, killed %s', async (point) => {
  const orphaning = start('after authorise #1')
  const { url = '' } = await message(orphaning)
  await depositAt(orphaning, url, PATHS.approved as DepositPath)
  expect(await ended(orphaning)).toBe('SIGKILL')
  const finding = start(point, { ARMED: 'from the start', CLOCK_AHEAD_MS: '1100' })
  expect(await ended(finding)).toBe('SIGKILL')
})

const challengeOverCases = distinctPoints(LEASE_OVER)

// The walk above has left one: whatever is killed before the commit leaves it to the next.
test.for(challengeOverCases)('a challenge that nobody finishes, killed %s', async (point) => {
  const finding = start(point, { ARMED: 'from the start', CLOCK_AHEAD_MS: '3601000' })
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
    service.clock.advance(4_000_000)
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
