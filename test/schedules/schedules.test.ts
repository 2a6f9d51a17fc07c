// Some hundred of the orders in which money can move; `npm run schedules` plays many more.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../src/wallets/books/ledger-check.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { illegalMoves } from './legal-moves.ts'
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

test('a move of the model that no machine has is a violation', () => {
  const moved = (before: string, after: string) => illegalMoves([before], [after])
  expect(moved('deposit 1: VOIDED, 0', 'deposit 1: AUTHORISED, 5')).toEqual([
    '  deposit 1 goes from VOIDED to AUTHORISED, which is no move of its machine',
  ])
  expect(moved('refund 0: DONE, of 1', 'refund 0: SENT, of 1')).toHaveLength(1)
  expect(moved('withdrawal 0: PAID, 5', 'withdrawal 0: APPROVED, 5')).toHaveLength(1)
  expect(moved('withdrawal 0/1: RETURNED, called', 'withdrawal 0/1: SENDING')).toHaveLength(1)
  expect(moved('withdrawal 0/1: WAITING', 'withdrawal 0/1: SENDING, called')).toEqual([])
  expect(moved('dispute 1: of 1, charged 5', 'dispute 1: of 1, charged 0')).toEqual([])
})
