// What a deposit, a movement and a withdrawal cost, before and after a change: `npm run bench:money -- --help`.

import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { positiveNumber, readCommandLine, UsageError } from '../scripts/command-line.js'
import { capturesFinished } from './compare/captures.ts'
import { checkOut, describeCommit, describeWorkingTree } from './compare/checkout.ts'
import { costOf, forEachSide, inTurns, ratioOf, type SideName, type Sides } from './compare/in-turns.ts'
import { openEngines, withServices } from './compare/run.ts'
import type { Engine, EngineName } from './data/data-sets.ts'
import { sizes } from './data/sizes.ts'
import { httpRequest, type LoadResult, load } from './load.ts'
import { statementsRun, type TestBed } from './measure.ts'
import { CONNECTIONS, serviceRequest } from './operations/operation.ts'
import { writersInTurn } from './operations/writes.ts'
import { enginesOf } from './options.ts'
import { AS_OPERATOR, pathOf } from './processes.ts'
import { type CpuCost, withCpuCost } from './resource-usage.ts'
import { type Figure, median } from './statistics.ts'

const USAGE = `Usage: npm run bench:money -- REF [options]

  Measures the processor time (service and database) of a deposit with its capture, of a movement, and of a withdrawal to the
  card that paid in, until it is paid: the working tree against the code of another commit (REF), in turns.

  --engine sqlite|postgres|both    which engine (both)
  --requests N                     of each kind in a round (400)
  --rounds N                       rounds of each side (10)
  --data FOLDER                    where data sets are cached (bench/.data)
  --help`

const SIZE = sizes.small
/** Jobs that wait are looked for once a second. */
const MAX_WAIT_MS = 60_000
const POLL_MS = 100
const STORED_AFTER_MS = 500

type Step = 'deposit' | 'movement' | 'withdrawal'
const STEPS: readonly Step[] = ['deposit', 'movement', 'withdrawal']
type Measured = LoadResult & CpuCost & { readonly statements: number }
type Round = Record<Step, Measured>

const log = (line: string) => void process.stderr.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const options = readCommandLine(USAGE, (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      engine: { type: 'string', default: 'both' },
      requests: { type: 'string', default: '400' },
      rounds: { type: 'string', default: '10' },
      data: { type: 'string', default: pathOf('.data') },
    },
  })
  const [ref, ...others] = positionals
  if (ref === undefined || others.length > 0) throw new UsageError('name one commit to compare with')
  describeCommit(ref)
  return {
    ref,
    engines: enginesOf(values.engine),
    requests: Math.ceil(positiveNumber('--requests', values.requests)),
    rounds: Math.ceil(positiveNumber('--rounds', values.rounds)),
    data: values.data,
  }
})

const checkout = await checkOut(options.ref)
const lines = [
  `Before: ${describeCommit(options.ref)}. After: ${describeWorkingTree()}. ${options.rounds} rounds of ${options.requests}.`,
  '',
  '| engine | what | statements | CPU µs | ratio |',
  '| --- | --- | --- | --- | --- |',
]
for (const name of options.engines) {
  const opened: Engine[] = []
  try {
    await measureOn(name, opened)
  } finally {
    for (const engine of opened) await engine.close()
  }
}
console.log(lines.join('\n'))

async function measureOn(name: EngineName, opened: Engine[]): Promise<void> {
  log(`--- ${name}`)
  const engines = await openEngines(name, { checkout, options }, opened)
  const sets = await forEachSide((side) => engines[side].dataSet(SIZE))
  const copies = await forEachSide((side) => engines[side].scratch(SIZE))
  await withServices({ engines, sets, checkout }, { locations: copies, mode: 'sandbox' }, async (beds) => {
    const rounds = { before: roundsOf(beds.before), after: roundsOf(beds.after) }
    await forEachSide((side) => rounds[side]())
    const results = await inTurns(options.rounds, (side: SideName) => rounds[side]())
    for (const step of STEPS) lines.push(`| ${name} | ${step} ${rowOf(results, step)}`)
  })
}

function rowOf(results: Sides<Round[]>, step: Step): string {
  const change = (value: (one: Measured) => number, digits = 0) =>
    (['before', 'after'] as const)
      .map((side) => median(results[side].map((round) => value(round[step]))).toFixed(digits))
      .join(' → ')
  const ratio = ratioOf(results, (round) => costOf(round[step]))
  return `| ${change(({ statements }) => statements, 1)} | ${change(costOf)} | ${shown(ratio)} |`
}

function shown({ median, spread }: Figure): string {
  return `${median.toFixed(2)} ± ${(spread * 100).toFixed(0)} %`
}

/** Each round pays in, credits and withdraws for the same customers, so that no claim is left for the next one. */
function roundsOf({ servers: { service, databasePid } }: TestBed): () => Promise<Round> {
  const { port, operatorPort } = service
  let references = 0
  const measured = async (send: () => Promise<LoadResult>): Promise<Measured> => {
    const before = await statementsRun(operatorPort)
    const result = await withCpuCost(service, databasePid, async () => {
      const sent = await send()
      // What the gateway has answered is counted before it is stored.
      await setTimeout(STORED_AFTER_MS)
      return sent
    })
    return { ...result, statements: ((await statementsRun(operatorPort)) - before) / result.requests }
  }
  const sendTo = async (to: number, request: (customer: number) => Buffer, mustInclude: string) => {
    const nextWriter = writersInTurn(SIZE)
    const result = await load({
      host: '127.0.0.1',
      port: to,
      connections: CONNECTIONS,
      seconds: 0,
      // As many of each connection, so that each step is about the same customers.
      sequenceLength: Math.ceil(options.requests / CONNECTIONS),
      isExpected: (status, answer) => status < 300 && answer.includes(mustInclude),
      request: (connection) => request(nextWriter(connection)),
    })
    if (result.failures > 0) throw new Error(`${result.failures} failed:\n${result.failure}`)
    return result
  }
  const asCustomer = (path: string) => (customer: number) =>
    serviceRequest({ method: 'POST', path: path.replace(':id', `${customer}`), customer, baselinePath: '' })
  const movement = (customer: number) => {
    const body = { reference: `bench-${++references}`, customerId: `${customer}`, kind: 'winnings', amount: '0.01' }
    const headers = { ...AS_OPERATOR, 'content-type': 'application/json' }
    return httpRequest('/operator/v1/movements', headers, 'POST', JSON.stringify(body))
  }
  const deposit = asCustomer('/v1/wallets/me?transactionType=deposit&amount=1.00&id=:id&cv2=123')
  const withdrawal = asCustomer('/v1/wallets/me/withdrawals?amount=1.00&id=:id')
  return async () => ({
    deposit: await measured(() => capturesFinished(operatorPort, () => sendTo(port, deposit, 'paymentId'))),
    movement: await measured(() => sendTo(operatorPort, movement, 'reference')),
    withdrawal: await measured(() => payoutsFinished(operatorPort, () => sendTo(port, withdrawal, '"withdrawal"'))),
  })
}

/** Runs a round of withdrawals and waits until each has been sent. */
async function payoutsFinished(operatorPort: number, round: () => Promise<LoadResult>): Promise<LoadResult> {
  const before = await paid(operatorPort)
  const result = await round()
  const end = performance.now() + MAX_WAIT_MS
  while ((await paid(operatorPort)) < before + result.requests) {
    if (performance.now() > end) throw new Error(`withdrawals were not sent within ${MAX_WAIT_MS / 1000} s`)
    await setTimeout(POLL_MS)
  }
  return result
}

async function paid(operatorPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).text()
  const outcomes = [...metrics.matchAll(/^paddock_payout_jobs_total\{outcome="(?:paid|done)"\} (\d+)$/gm)]
  return outcomes.reduce((sum, [, count]) => sum + Number(count), 0)
}
