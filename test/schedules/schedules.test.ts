// Some thousand of the orders in which the parts of a deposit can happen; `npm run schedules` plays many more.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../src/wallets/ledger-check.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { scheduleProperty } from './schedule.ts'
import { openWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('whatever the order of answers, notifications, time and kills: bank, deposits, ledger and answers agree', async () => {
  await fc.assert(
    scheduleProperty(() => world),
    { numRuns: propertyRuns(2_000) },
  )
  expect((await checkLedger(world.context.database)).problems).toEqual([])
})
