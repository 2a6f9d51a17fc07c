// A process that is killed while it applies movements, one by one and in a feed: whatever it answered is stored, of a slice
// either everything or nothing, and what is sent again afterwards is applied once.

import { expect, test } from 'vitest'
import { type NoParameters, reading } from '../../../src/platform/database/database.ts'
import { checkLedger } from '../../../src/wallets/books/ledger-check.ts'
import { move, movementLine, newReference, sendLines, type TestMovement } from '../../harness/movements.ts'
import {
  callOperator,
  newTestDatabase,
  OPERATOR_TOKEN,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../../harness/service.ts'
import { paddockProgram } from '../../harness/service-program.ts'
import { type Process, run } from '../../torture/processes.ts'

const CUSTOMERS = 5
const LINES = 4_000
const SINGLES = 12
const KILLS = 3

const stored = reading<NoParameters, { reference: string }>('testReferences', 'select reference from movement')
const balances = reading<NoParameters, { balance: string }>('testBalances')`
  select cast(balance as text) as balance from account where kind = 'customer' order by customer_id`

const stakeOf = (customerId: number): TestMovement => ({
  reference: newReference(),
  customerId,
  kind: 'stake',
  amount: '0.01',
})

test('a killed process has stored all that it answered, and applies nothing twice', { timeout: 240_000 }, async () => {
  const testDatabase = await newTestDatabase()
  try {
    const ids = await withService(testDatabase, newCustomers)
    const feed = Array.from({ length: LINES }, (_, index) => stakeOf(ids[index % CUSTOMERS] as number))
    const lines = feed.map(movementLine)
    const answered: string[] = []
    const singles: TestMovement[] = []
    for (let kill = 1; kill <= KILLS; kill++) {
      const process = await startProcess(testDatabase)
      const url = /operator listener is on (\S+)/.exec(process.output())?.[1] as string
      const operator: TestService['operator'] = (method, path, body) => callOperator(url, method, path, { body })
      const feeding = sendLines({ operator }, lines).catch(() => null)
      for (let count = 0; count < SINGLES; count++) {
        const single = stakeOf(ids[count % CUSTOMERS] as number)
        singles.push(single)
        if ((await move({ operator }, single)).status === 201) answered.push(single.reference)
      }
      // One more is under way.
      const last = move({ operator }, stakeOf(ids[0] as number)).catch(() => null)
      await process.kill()
      await Promise.all([feeding, last])
      expect(answered).toHaveLength(kill * SINGLES)
      await withService(testDatabase, async ({ context: { database } }) => {
        const references = new Set((await database.query(stored, {})).map(({ reference }) => reference))
        expect(answered.filter((reference) => !references.has(reference))).toEqual([])
        expect((await checkLedger(database)).problems).toEqual([])
      })
    }
    await withService(testDatabase, async (service) => {
      expect(await sendLines(service, [...lines, ...singles.map(movementLine)])).toMatchObject({ refused: 0 })
      const { database } = service.context
      const references = (await database.query(stored, {})).map(({ reference }) => reference)
      const total = (await database.query(balances, {})).reduce((sum, { balance }) => sum + Number(balance), 0)
      expect(total).toBe(CUSTOMERS * 10_000 - (references.length - CUSTOMERS))
      expect((await checkLedger(database)).problems).toEqual([])
    })
  } finally {
    await testDatabase.remove()
  }
})

async function withService<T>(testDatabase: TestDatabase, work: (service: TestService) => Promise<T>): Promise<T> {
  const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
  try {
    return await work(service)
  } finally {
    await service.close()
  }
}

async function newCustomers(service: TestService): Promise<number[]> {
  const ids: number[] = []
  for (let count = 0; count < CUSTOMERS; count++) {
    const { id } = await service.customer()
    const won = { reference: newReference(), customerId: id, kind: 'winnings', amount: '100.00' } as const
    expect((await move(service, won)).status).toBe(201)
    ids.push(id)
  }
  return ids
}

function startProcess({ settings }: TestDatabase): Promise<Process> {
  return run(paddockProgram, ['serve'], {
    PORT: '0',
    OPERATOR_PORT: '0',
    SANDBOX_SEED: 'off',
    OPERATOR_TOKEN,
    ...settings,
  })
}
