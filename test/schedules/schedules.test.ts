// Some hundred of the orders in which money can move; `npm run schedules` plays many more.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../src/wallets/books/ledger-check.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { scheduleProperty } from './schedule.ts'
import { openWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('whatever the order of requests, decisions, answers, notifications, time and kills: all is as the model of the rules has it', async () => {
  await fc.assert(
    scheduleProperty(() => world),
    // `npm run mutation` asks only whether one fails.
    // The same ones each time, so that a change is what makes them fail; `npm run schedules` draws others.
    { seed: 46, numRuns: propertyRuns(300), endOnFailure: process.env.SHRINK === 'off' },
  )
  expect((await checkLedger(world.context.database)).problems).toEqual([])
})
