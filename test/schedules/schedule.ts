// One *schedule*: what customers, operators, sportsbook, bank and time do, in an order that the scheduler chooses, by two processes that
// may be killed. Afterwards the service is left alone until nothing is unfinished, and bank and books must agree.

import { setImmediate } from 'node:timers/promises'
import fc, { type Scheduler } from 'fast-check'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { openBank } from './bank.ts'
import { type Command, commands, playCommand, type Turn } from './commands.ts'
import { type FatesPlan, fatesOf, fatesPlans } from './fates.ts'
import { untilFinished, violationsAtEnd } from './finish.ts'
import { newCustomer as newModel, type Settings } from './model/customer.ts'
import { deliver } from './notifications.ts'
import type { Played, Player, Told } from './played.ts'
import { type Loss, type Process, startProcess, step } from './process.ts'
import { keysOf, readStored } from './stored.ts'
import { addCard, type CardName, newCustomer, REVIEW_AFTER_MS, START, type World } from './world.ts'

/** All of a schedule are shorter than the grace period. */
const SHORT_MS = 2_000

/** Clocks of two machines differ. */
const LAG_MS = 500

type Plan = {
  readonly before: readonly Command[]
  /** By the two processes, at the same time. */
  readonly lanes: readonly (readonly Command[])[]
  readonly first: readonly Command[]
  readonly fates: FatesPlan
  readonly payouts: boolean
  /** Which of the two processes is killed, and started again at once. */
  readonly kills: readonly (0 | 1)[]
  /** Of the calls of the bank in turn. */
  readonly losses: readonly Loss[]
}

const paysIn = (n: number, share: Command['share'], who: 0 | 1 = 0): Command => ({
  does: 'deposit',
  who,
  n,
  m: 0,
  share,
  by: 0,
})
const SWEEP: Command = { does: 'sweep', who: 0, n: 0, m: 0, share: 'all', by: 0 }
const WIN: Command = { does: 'win', who: 0, n: 5, m: 1, share: 'all', by: 0 }

/** Most customers have paid in before. */
const BEFORE: readonly (readonly Command[])[] = [
  [],
  [paysIn(0, 'all'), SWEEP],
  [paysIn(0, 'all'), SWEEP, WIN],
  [paysIn(0, 'all'), SWEEP, paysIn(1, 'half'), SWEEP],
  [paysIn(1, 'half'), SWEEP, paysIn(0, 'all'), SWEEP, WIN],
  [paysIn(0, 'half'), SWEEP, paysIn(0, 'some'), SWEEP, paysIn(2, 'half'), paysIn(0, 'all', 1), SWEEP],
]

const plans: fc.Arbitrary<Plan> = fc.record({
  before: fc.constantFrom(...BEFORE),
  first: fc.array(commands, { maxLength: 6, size: 'max' }),
  lanes: fc.array(fc.array(commands, { minLength: 1, maxLength: 9, size: 'max' }), {
    minLength: 1,
    maxLength: 3,
    size: 'max',
  }),
  fates: fatesPlans,
  payouts: fc.constantFrom(true, true, true, false),
  kills: fc.array(fc.constantFrom(0, 1), { maxLength: 2 }),
  losses: fc.oneof(
    fc.constant<Loss[]>([]),
    fc.array(fc.constantFrom<Loss[]>('answered', 'answered', 'lost', 'lost and late'), { maxLength: 6, size: 'max' }),
  ),
})

/** Everything that can run does so before the scheduler chooses again: the same seed gives the same schedule. */
const scheduler = fc.scheduler({
  act: async (run) => {
    await run()
    await setImmediate()
  },
})

/** `world` is opened once for many schedules. */
export function scheduleProperty(world: () => World) {
  return fc.asyncProperty(scheduler, plans, async (chooser, plan) => {
    const played = await begin(world(), plan)
    const nextLoss = (): Loss => 'answered'
    const calm = { name: 'the service', scheduler: null, lagMs: 0, nextLoss, onTheWay: new Set<() => unknown>() }
    const undisturbed = startProcess(played, calm)
    const early: Told[] = []
    played.tell = (...told) => void early.push(...told)
    for (const command of [...plan.before, ...plan.first])
      await playCommand(turnOf(played, undisturbed, early), command)
    await deliverAll(undisturbed, played, early)
    await play(played, chooser, plan)
    const late: Told[] = []
    played.tell = (...told) => void late.push(...told)
    await untilFinished(undisturbed, played, () => deliverAll(undisturbed, played, late))
    const violations = [...played.found, ...(played.found.length > 0 ? [] : violationsAtEnd(played))]
    if (violations.length > 0)
      throw new Error([...violations, 'What happened:', ...played.history.slice(-40)].join('\n'))
  })
}

function turnOf(played: Played, process: Process, told: Told[]): Turn {
  return {
    played,
    process: () => process,
    async sweep() {
      await process.run(null, (context) => sweep(context))
      await deliverAll(process, played, told)
    },
    async wait(ms) {
      played.world.clock.now += ms
    },
  }
}

/** Also what is told meanwhile. */
async function deliverAll(process: Process, played: Played, told: Told[]): Promise<void> {
  for (let one = told.shift(); one !== undefined && played.found.length === 0; one = told.shift())
    await deliver(process, played, one)
}

const SETTINGS: Settings = {
  withdrawalsByRule: 600,
  refundsByOne: 250,
  adjustmentsByOne: 500,
  resolutionsByOne: 400,
  returnDays: 365,
  maxParts: 3,
  depositsOfDay: 2_000,
  refusesDepositsWithDebt: false,
  payouts: true,
  reviewAfterMs: REVIEW_AFTER_MS,
  disputeDays: 120,
}

type Started = { -readonly [Name in keyof Played]: Played[Name] }

async function begin(world: World, { fates, payouts }: Plan): Promise<Started> {
  world.clock.now = START
  world.errors.length = 0
  // A violation leaves jobs behind.
  await world.context.database.script('delete from job')
  const settings = { ...SETTINGS, payouts }
  const players: Player[] = []
  for (const currency of ['GBP', 'EUR']) {
    const id = await newCustomer(world, currency)
    const model = newModel({ ...settings }, currency, START)
    const soon = Date.UTC(2027, 3, 1)
    const cards = { A: ['customer', Date.UTC(2049, 0, 1)], B: ['customer', soon], C: ['unknown', soon] } as const
    for (const [card, [holder, expiresAt]] of Object.entries(cards)) {
      await addCard(world, id, model, card as CardName, {
        token: card === 'B' ? 'challenge' : 'approve',
        expiresAt,
        holder,
      })
    }
    players.push({
      id,
      keys: keysOf(players[0]?.id ?? id, id),
      model,
      stored: { lines: [], names: new Map(), ids: new Map() },
    })
  }
  const stored = await readStored(
    world.context.database,
    players.map(({ id }) => id),
  )
  for (const player of players) player.stored = stored.get(player.id) ?? player.stored
  const context = { ...world.context, config: configOf(world, settings) }
  const played: Started = {
    world,
    context,
    bank: openBank(),
    players,
    settings,
    wrong: new Set(),
    fates: fatesOf(() => played, fates),
    tell: () => {},
    history: [],
    found: [],
  }
  return played
}

/** Reads the settings of the schedule when the service does. */
function configOf({ context: { config } }: World, settings: Settings): World['context']['config'] {
  const wallets = Object.create(config.wallets, {
    withdrawalApprovedUpTo: { get: () => BigInt(settings.withdrawalsByRule) },
    refundFourEyesAbove: { get: () => BigInt(settings.refundsByOne) },
    adjustmentFourEyesAbove: { get: () => BigInt(settings.adjustmentsByOne) },
    resolutionFourEyesAbove: { get: () => BigInt(settings.resolutionsByOne) },
    maxWithdrawalParts: { get: () => settings.maxParts },
    dailyDepositLimit: { get: () => BigInt(settings.depositsOfDay) },
    refuseDepositsWithDebt: { get: () => settings.refusesDepositsWithDebt },
  })
  return { ...config, wallets }
}

/** Two processes of the service, and the bank that tells them what happened. */
async function play(played: Started, chooser: Scheduler, plan: Plan): Promise<void> {
  const { world } = played
  const losses = [...plan.losses]
  const onTheWay = new Set<() => unknown>()
  const deliveries: Promise<unknown>[] = []
  const startOne = (index: number) => {
    const nextLoss = () => losses.shift() ?? 'answered'
    return startProcess(played, {
      name: `process ${index}`,
      scheduler: chooser,
      lagMs: index * LAG_MS,
      nextLoss,
      onTheWay,
    })
  }
  const processes = [startOne(0), startOne(1)]
  const living = (index: number) => processes[index % 2] as Process
  const failed = (error: unknown) => void played.found.push(error instanceof Error ? `${error.stack}` : `${error}`)
  const kill = (index: number) => {
    living(index).kill()
    processes[index] = startOne(index)
  }
  /** The bank repeats a notification until it is answered. */
  async function told(one: Told): Promise<void> {
    for (let i = 0, answer: unknown = 'none'; answer === 'none'; i++) {
      await step(chooser, `notification ${one.notification.event}`, () => {})
      answer = await deliver(living(i), played, one)
    }
  }
  played.tell = (...all) => {
    const one = async () => {
      for (const each of all) await told(each)
    }
    deliveries.push(one().catch(failed))
  }
  async function lane(all: readonly Command[], index: number): Promise<void> {
    const turn: Turn = {
      played,
      process: () => living(index),
      sweep: () => living(index).run(null, (context) => sweep(context)),
      async wait(ms) {
        // An approval after the grace period is found by its notification only: docs/invariants.md, what is not promised.
        if (ms > SHORT_MS) for (const carryOut of [...onTheWay]) await carryOut()
        world.clock.now += ms
      },
    }
    for (const command of all) {
      await step(chooser, command.does, () => {})
      await playCommand(turn, command)
    }
  }
  const tasks = [
    ...plan.lanes.map((all, index) => lane(all, index).catch(failed)),
    ...plan.kills.map((index) => step(chooser, `kill process ${index}`, () => kill(index))),
  ]
  await chooser.waitFor(Promise.all(tasks))
  await chooser.waitIdle()
  for (const carryOut of [...onTheWay]) await carryOut()
  for (let known = -1; known < deliveries.length; ) {
    known = deliveries.length
    await chooser.waitFor(Promise.all(deliveries))
    await chooser.waitIdle()
  }
}
