// Operations about one customer's money, interleaved statement by statement; `npm run interleavings` plays many more.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLedger } from '../../src/wallets/books/ledger-check.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { engine, newTestDatabase, type TestDatabase } from '../harness/service.ts'
import type { Collision } from './collisions/collision.ts'
import { COLLISIONS } from './collisions.ts'
import { playSeeds, playSwitches } from './explore.ts'
import { judge } from './judge.ts'
import { repeating, seeded } from './orders.ts'
import { stepsOf } from './schedule.ts'
import { openWorld, type World } from './world.ts'

const SEED = 46

/** Every lock of a row that carries money, with the pair that shows that it is missing. */
const LOCKS = [
  ['lockDepositor', 'withdrawal, withdrawal'],
  ['lockMovingCustomers', 'stake, stake'],
  ['lockWithdrawal of c', 'refusal, stake'],
  ['lockWithdrawal of w', 'approval, hold'],
  ['lockRefund of c', 'refusal of a refund, stake'],
  ['lockRefund of r', 'approval of a refund, refusal'],
  ['lockDepositOf of c', 'withdrawal, chargeback'],
  ['lockDepositOf of d', 'resolution of a deposit, it was captured'],
  ['lockDeposit', 'cancel, late approval'],
  ['lockDispute', 'end of a dispute, chargeback again'],
  ['lockExclusion', 'exclusion, longer exclusion'],
] as const

// On SQLite nothing comes between the statements of a transaction.
describe.runIf(engine === 'postgres')('two operations, statement by statement', () => {
  let testDatabase: TestDatabase
  let world: World

  beforeAll(async () => {
    testDatabase = await newTestDatabase()
    world = await openWorld(testDatabase.settings.DATABASE_URL as string)
  })

  afterAll(async () => {
    await world?.close()
    await testDatabase?.remove()
  })

  test.each(COLLISIONS)('$name: they end as one after another', async (collision) => {
    const judging = await judge(world, collision)
    expect(await playSwitches(judging)).toBeNull()
    expect(await playSeeds(judging, { seed: SEED, count: propertyRuns(1) })).toBeNull()
  })

  test('the ledger adds up after all', async () => {
    expect((await checkLedger(world.context.database)).problems).toEqual([])
  })

  test('what is printed of a schedule repeats it', async () => {
    const judging = await judge(world, named('send both parts, card closed'))
    const { played } = await judging.play(seeded(SEED))
    const again = await judging.play(seeded(SEED))
    const repeated = await judging.play(repeating(played.decisions))
    expect(stepsOf(again.played)).toEqual(stepsOf(played))
    expect(stepsOf(repeated.played)).toEqual(stepsOf(played))
  })

  test.each(LOCKS)('without the lock %s they do not: %s', async (without, name) => {
    expect(await playSwitches(await judge(world, named(name)), { without })).not.toBeNull()
  })
})

function named(name: string): Collision {
  return COLLISIONS.find((one) => one.name === name) as Collision
}
