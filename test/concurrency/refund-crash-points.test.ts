// The service is killed on the path of a refund, at one await after the other, and started again. Afterwards the bank, the
// refunds and the ledger must agree. As crash-points.test.ts, which has what `npm test` leaves out.

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { openSandboxBank } from '../../src/wallets/gateways/sandbox/bank.ts'
import { balanceOf } from '../../src/wallets/ledger.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import { ended, message, startCrashing } from '../harness/crash-process.ts'
import { call, newTestDatabase, OPERATOR_TOKEN, startTestService, type TestDatabase } from '../harness/service.ts'
import { ledgerProblems, paidOrFaultCode } from '../harness/wallets.ts'
import { distinctPoints } from './deposit-paths.ts'

const SETTINGS = { PORT: '0', OPERATOR_PORT: '0', SANDBOX_SEED: 'off', OPERATOR_TOKEN }

const REQUESTED = [
  'before refundFacts #1',
  'after refundFacts #1',
  'after insertRefund #1',
  'after addToBalance #1',
  'after insertTransfers #1',
  'after setRefundDebited #1',
  'after insertRefundJob #1',
  'after insertDepositEvent #1',
  'after commit #1',
  'after firstDueJob #1',
  'after claimJobs #1',
  'before refund #1',
  'after refund #1',
  'after lockRefund #1',
]
const RECORDED = ['after deleteRefundJob #1', 'after insertDepositEvent #2', 'after commit #2']

/** Every await of the path, by the result of the refund. A new await must be added here. */
const PATHS: Record<string, { token: string; points: string[] }> = {
  done: { token: 'sandbox:approve', points: [...REQUESTED, 'after finishRefund #1', ...RECORDED] },
  received: { token: 'sandbox:refund-slow', points: [...REQUESTED, 'after markRefundSent #1', ...RECORDED] },
  refused: {
    token: 'sandbox:refund-failed',
    points: [
      ...REQUESTED,
      'after failRefund #1',
      'after addToBalance #2',
      'after insertTransfers #2',
      'after setRefundDebited #2',
      ...RECORDED,
    ],
  },
}

/** The request is killed on one path. */
const cases = Object.entries(PATHS).flatMap(([path, { points }]) =>
  distinctPoints(points)
    .filter((point) => path === 'done' || !REQUESTED.includes(point))
    .map((point) => ({ path, point })),
)

let testDatabase: TestDatabase
let customers = 0

beforeAll(async () => {
  testDatabase = await newTestDatabase()
})
afterAll(async () => {
  await testDatabase.remove()
})

const start = (crashAt: string) =>
  startCrashing(crashAt, { ...SETTINGS, ...testDatabase.settings, ARM_AT: 'refundFacts' })

/** A new customer deposits 10.00, and 4.00 of it is refunded once it is captured. */
async function refundAt(child: ChildProcess, token: string): Promise<void> {
  const { url = '' } = await message(child)
  const id = ++customers
  child.send({ create: { id, token, currency: 'GBP', excluded: false } })
  const { ticket = '' } = await message(child)
  const options = { key: 'crash-key', secret: 'crash-secret', ticket, accept: 'application/json' }
  const paid = await call(url, 'POST', `/v1/wallets/me?transactionType=deposit&amount=10.00&id=${id}&cv2=123`, options)
  expect(paidOrFaultCode(paid)).toBe('paid')
  child.send({ refund: paid.json().whoWallets.paymentId })
}

test.for(Object.entries(PATHS))(
  '%s: the listed points are those that the path reaches',
  async ([, { token, points }]) => {
    const child = start('nowhere')
    await refundAt(child, token)
    await message(child)
    const look = async () => {
      child.send({})
      expect((await message(child)).points).toEqual(points)
    }
    await vi.waitFor(look, { timeout: 60_000, interval: 10 })
    child.send({ stop: true })
    await ended(child)
  },
)

test.for(cases)('$path, killed $point', async ({ path, point }) => {
  const child = start(point)
  await refundAt(child, PATHS[path]?.token as string)
  expect(await ended(child)).toBe('SIGKILL')
})

type Row = { reference: string; deposit_id: string; customer_id: number; state: string }
const everyRefund = reading<NoParameters, Row>('everyRefund')`
  select reference, deposit_id, customer_id, state from refund order by id`

test('after all crashes, bank, refunds and ledger agree', async () => {
  const service = await startTestService(SETTINGS, testDatabase)
  const bank = openSandboxBank(join(testDatabase.settings.DATA_DIR as string, 'sandbox-gateway.db'))
  try {
    const { database } = service.context
    service.clock.advance(400_000)
    const open = async () => {
      await sweep(service.context)
      return (await database.query(everyRefund, {})).filter(({ state }) => state === 'REQUESTED')
    }
    await expect.poll(open, { timeout: 30_000 }).toEqual([])
    const refunds = await database.query(everyRefund, {})
    const returned = bank.payments().flatMap(({ reference }) => bank.refundsOf(reference))
    const ours = refunds.filter(({ state }) => state !== 'FAILED')
    expect(returned.map(({ reference }) => reference).sort()).toEqual(ours.map(({ reference }) => reference).sort())
    for (let id = 1; id <= customers; id++) {
      const isReturned = ours.some(({ customer_id }) => customer_id === id)
      expect(await balanceOf(database, id, 'GBP')).toBe(isReturned ? 600n : 1000n)
    }
    expect(refunds.length).toBeGreaterThan(customers / 2)
    expect(await ledgerProblems(service)).toEqual([])
  } finally {
    bank.close()
    await service.close()
  }
})
