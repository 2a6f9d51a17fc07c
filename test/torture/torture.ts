// Kills the service at random moments under load: `npm run torture -- --help`.

import { parseArgs } from 'node:util'
import pg from 'pg'
import { oneOf, positiveNumber, readCommandLine, UsageError } from '../../scripts/command-line.js'
import { banRepeatedly, banViolations } from './bans.ts'
import { type Event, eventViolations, POSITIONS_BY_IDENTITY, readAll } from './events.ts'
import { newJournal } from './journal.ts'
import { killRepeatedly } from './kills.ts'
import { finishMoney, type Money, prepareMoney, startMoney } from './money.ts'
import { type MoneyEvidence, moneyViolations, readEvidence } from './money-violations.ts'
import { type Receiver, receiverViolations, startReceiver } from './receiver.ts'
import { countEach, inWords, operationsOf, printViolations } from './report.ts'
import { startSocialTraffic } from './social.ts'
import { watchLog } from './tip-log.ts'
import { CUSTOMERS, createCustomers, createOperators, openWorld } from './world.ts'

const USAGE = `Usage: npm run torture -- [options]

  Kills the service (and with --postgres the database) at random moments under load; the gateway is another process and is
  not killed. Customers deposit, with and without challenges, and withdraw, in parts; the sportsbook moves their money, one by one and
  in feeds; operators refund, approve, hold and refuse; they close, remove and add cards, record accounts as closed and payments as made
  outside, write debts off, and decide reviews by two; the bank disputes in steps, and reports everything in any order, repeatedly, and
  what contradicts the books. Operators forbid customers to deposit for a moment. The ledger, statements and options are checked
  meanwhile. Afterwards the gateway's lists, the service's, the balances and all answers must agree; no card got more than its own while
  another one had to; every notification has one outcome; the log of events must have each change once and in order,
  with nothing skipped by a reader; a receiver of webhooks must have got all of them; and every checkpoint of the log of tips
  must fit the log at the end. A violation is printed with what led to it.

  --seconds N       how long (120)
  --kills N         instead: until the service was killed so often
  --postgres        on PostgreSQL instead of SQLite
  --control NAME    without one rule: exit code 0 then means that a violation was found. charge-first, no-grace: of the
                    deposits; new-key: of the payouts and returns; identity-order (with --postgres): events get positions in the order of
                    their identities
  --help`

const CONTROLS = ['charge-first', 'no-grace', 'new-key', 'identity-order']

const values = readCommandLine(USAGE, (args) => {
  const options = {
    seconds: { type: 'string', default: '120' },
    kills: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    control: { type: 'string' },
  } as const
  const { seconds, kills, postgres, control } = parseArgs({ args, options }).values
  if (control === 'identity-order' && !postgres) throw new UsageError('--control identity-order needs --postgres')
  return {
    seconds: positiveNumber('--seconds', seconds),
    kills: kills === undefined ? undefined : positiveNumber('--kills', kills),
    postgres,
    control: control === undefined ? undefined : oneOf('--control', control, CONTROLS),
  }
})

const PROGRESS_MS = 10_000

const control = values.control === 'identity-order' ? undefined : values.control
const world = await openWorld({ postgres: values.postgres, control })
const { operator, publicUrl } = world
const journal = newJournal()
const kills = { service: 0, postgres: 0 }
const started = Date.now()
let service = await world.startService()
let receiver: Receiver | undefined
try {
  const tickets = await createCustomers(operator)
  receiver = await startReceiver(operator)
  process.exitCode = await torture(receiver, tickets)
} finally {
  receiver?.close()
  await service.kill()
  await world.close()
}

async function torture(webhooks: Receiver, tickets: readonly string[]): Promise<0 | 1> {
  let stopping = false
  const isStopping = () => stopping
  await operator('PUT', '/applications/sandbox-key/return-addresses', { returnAddresses: ['https://shop.example/'] })
  const money = prepareMoney({ world, operators: await createOperators(world), tickets, journal })
  const social = await startSocialTraffic({ operator, publicUrl, begun: reorderEvents }, tickets, isStopping)
  const tipLog = watchLog(publicUrl, isStopping)
  const banning = banRepeatedly(operator, CUSTOMERS, isStopping)
  const working = Promise.allSettled([...social.running, tipLog.watching, ...startMoney(money, isStopping)])
  const progress = setInterval(() => console.log(progressOf(money)), PROGRESS_MS)
  const { seconds, kills: most } = values
  const end = Date.now() + seconds * 1000
  const isOver = () => (most === undefined ? Date.now() > end : kills.service >= most)
  service = await killRepeatedly({ world, journal, kills }, service, isOver)
  stopping = true
  const failed = (await working).filter((one) => one.status === 'rejected')
  await banning
  await finishMoney(money)
  clearInterval(progress)
  const log = await readAll(operator)
  await webhooks.waitFor(log)
  const evidence = await readEvidence(world, money.ask)
  const { deposits } = evidence
  const violations = [
    ...failed.map(({ reason }) => `a client failed: ${reason}`),
    ...(await moneyViolations(money, evidence, log)),
    // Those of which the bank said more than that they were captured have more events.
    ...eventViolations({
      log,
      deposits: deposits.filter(({ paymentId }) => !money.captures.payments.has(paymentId)),
      ...social,
    }),
    ...receiverViolations(log, webhooks),
    ...(await tipLog.violations()),
    ...banViolations(log),
    ...world.cv2Leaks(service.output()),
  ]
  printFigures(money, evidence, log)
  console.log(`read while the service was killed: ${social.read.length}; webhooks: ${webhooks.received.length}`)
  console.log(`log of tips: ${tipLog.checkpoints.at(-1)?.size} entries, ${tipLog.checkpoints.length} checkpoints seen`)
  await printViolations(violations, journal, operator)
  return violations.length > 0 === (values.control !== undefined) ? 0 : 1
}

function progressOf({ books }: Money): string {
  const seconds = Math.round((Date.now() - started) / 1000)
  const checked = `books checked ${books.counted.checks} times, ${books.violations.size} problems`
  return `${seconds} s, kills: ${inWords(kills)}; ${inWords(operationsOf(journal))}; ${checked}`
}

function printFigures(money: Money, evidence: MoneyEvidence, log: readonly Event[]): void {
  const { payments, payouts, deposits, refunds, withdrawals } = evidence
  const named = Object.entries({ payments, payouts, deposits, refunds, withdrawals })
  const parts = withdrawals.flatMap((one) => one.parts.map(({ kind, state }) => `parts ${kind} ${state}`))
  const outcomes = money.notified.outcomes.map(({ outcome, contradiction }) => `notified ${contradiction ?? outcome}`)
  const states = [
    ...named.flatMap(([name, listed]) => [...listed.values()].map(({ state }) => `${name} ${state}`)),
    ...[...parts, ...outcomes, ...evidence.disputes.map(() => 'disputes')],
  ]
  console.log(`\nengine ${values.postgres ? 'postgres' : 'sqlite'}, control ${values.control ?? 'none'}`)
  console.table(Object.fromEntries([...journal.counts].sort()))
  console.table(countEach(states))
  console.table(countEach(log.map(({ type }) => type)))
  console.log(progressOf(money))
}

async function reorderEvents(): Promise<void> {
  if (values.control !== 'identity-order') return
  const client = new pg.Client(world.postgres?.url)
  await client.connect()
  await client.query(POSITIONS_BY_IDENTITY)
  await client.end()
}
