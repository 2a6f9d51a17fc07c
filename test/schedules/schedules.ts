// Plays deposits, refunds, disputes, movements and withdrawals in very many orders: `npm run schedules -- --help`.

import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { positiveNumber, readCommandLine } from '../../scripts/command-line.js'
import { checkLedger } from '../../src/wallets/books/ledger-check.ts'
import { scheduleProperty } from './schedule.ts'
import { countStates, openWorld } from './world.ts'

const USAGE = `Usage: npm run schedules -- [options]

  Lets deposits, challenges, refunds, disputes, movements, withdrawals, decisions of operators, sweeps, the clock and kills happen in
  an order that a seeded scheduler chooses, many times, and checks that each is answered what it must be, and after each that
  bank, ledger and answers agree. A failure is printed with the seed and path that repeat it, shrunk to a short schedule.

  --count N     how many schedules (100,000)
  --seed N      of the scheduler (at random)
  --path P      only the failure that was printed with this path; needs its seed
  --help`

const { count, seed, path } = readCommandLine(USAGE, (args) => {
  const options = {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    path: { type: 'string' },
  } as const
  const { values } = parseArgs({ args, options })
  return {
    count: positiveNumber('--count', values.count),
    seed: values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed),
    path: values.path,
  }
})

const PART = 5_000
console.log(`seed ${seed}`)
const started = performance.now()
let played = 0
while (played < count) {
  // A new world for each part: the ledger is checked as a whole, and stays small.
  const world = await openWorld()
  try {
    const numRuns = Math.min(PART, count - played)
    const replay = path === undefined ? { numRuns } : { path, endOnFailure: true }
    await fc.assert(
      scheduleProperty(() => world),
      { seed: seed + played, ...replay },
    )
    const { problems } = await checkLedger(world.context.database)
    if (problems.length > 0) throw new Error(problems.join('\n'))
    played += numRuns
    console.log(await countStates(world))
  } finally {
    await world.close()
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${played} of ${count} schedules, ${seconds} s, no violation`)
  if (path !== undefined) break
}
