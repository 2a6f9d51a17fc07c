// One *schedule*: requests, sweeps, notifications, the clock and kills, in an order that the scheduler chooses. Afterwards the
// service is left alone until nothing is unfinished, and everything must agree.

import { setImmediate } from 'node:timers/promises'
import fc, { type Scheduler } from 'fast-check'
import type { GatewayNotification } from '../../src/wallets/gateways/gateway.ts'
import { applyNotification } from '../../src/wallets/notifications.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import { readBooks } from './books.ts'
import { type Decider, deciders, playDecision } from './decisions.ts'
import { type DepositPlan, depositPlans, depositViolations, earlierDeposits, playDeposit } from './deposits.ts'
import { type DisputePlan, disputeNotifications, disputePlans } from './disputes.ts'
import { type Exclusion, exclusions, exclusionViolations, playExclusion } from './exclusions.ts'
import { ledgerViolations } from './ledger.ts'
import { type MovementPlan, movementPlans, movementViolations, playMovements } from './movements.ts'
import { type Fates, fates, toldAfter } from './notifications.ts'
import type { Played } from './played.ts'
import { type Loss, type Process, startProcess, step, undisturbed } from './process.ts'
import {
  OFFICES,
  type Office,
  playRefund,
  type RefundPlan,
  refundInOffice,
  refundPlans,
  refundViolations,
} from './refunds.ts'
import { untilFinished } from './reviews.ts'
import { playWithdrawal, type WithdrawalPlan, withdrawalPlans, withdrawalViolations } from './withdrawals.ts'
import { FIRST_TOKENS, type FirstToken, newCustomer, paymentOf, type World } from './world.ts'

/** All of a schedule are shorter than the grace period. */
const SHORT_MS = 2_000

/** Clocks of two machines differ. */
const LAG_MS = 500

type Plan = {
  readonly firstToken: FirstToken
  readonly earlier: readonly DepositPlan[]
  readonly deposits: readonly DepositPlan[]
  readonly refusesDebts: boolean
  readonly dailyLimit: bigint
  readonly refunds: readonly RefundPlan[]
  readonly office: Office | 'nothing'
  readonly movements: readonly MovementPlan[]
  readonly disputes: DisputePlan
  readonly withdrawals: readonly WithdrawalPlan[]
  readonly deciders: readonly Decider[]
  /** After the schedule, of what still waits. */
  readonly lastDeciders: readonly Decider[]
  readonly exclusion: Exclusion
  readonly fates: Fates
  /** Of each of the two processes. */
  readonly sweeps: number
  /** Milliseconds by which the clock moves before a sweep: a job's pause, a lease, a challenge's lease or a review. */
  readonly moves: readonly number[]
  /** Which of the two processes is killed, and started again at once. */
  readonly kills: readonly (0 | 1)[]
  /** Of the first authorisations and then of the calls of the bank in turn. */
  readonly lateAuthorisations: number
  readonly losses: readonly Loss[]
}

const everything: fc.Arbitrary<Plan> = fc.record({
  firstToken: fc.constantFrom('approve', ...FIRST_TOKENS),
  earlier: earlierDeposits,
  deposits: depositPlans,
  refusesDebts: fc.boolean(),
  dailyLimit: fc.constantFrom(2_000n, 3_000n, 3_000n),
  refunds: refundPlans,
  office: fc.constantFrom('nothing', 'nothing', ...OFFICES),
  movements: movementPlans,
  disputes: disputePlans,
  withdrawals: withdrawalPlans,
  deciders,
  lastDeciders: fc.constantFrom(
    ['refuses'],
    ['releases', 'first operator', 'second operator'],
    ['releases', 'first operator', 'second operator'],
  ),
  exclusion: exclusions,
  fates,
  sweeps: fc.nat(2),
  moves: fc.array(fc.constantFrom(SHORT_MS, 61_000, 601_000), { maxLength: 4, size: 'max' }),
  kills: fc.array(fc.constantFrom(0, 1), { maxLength: 2 }),
  // Both tries of an authorisation: the deposit is voided before the bank has heard of it.
  lateAuthorisations: fc.constantFrom(0, 0, 0, 2),
  losses: fc.oneof(
    fc.constant<Loss[]>([]),
    fc.array(fc.constantFrom<Loss[]>('answered', 'lost', 'lost and late'), { maxLength: 5, size: 'max' }),
  ),
})

/** Deposits alone, which the bank hears of late and tells little of: a hold that is left is found by the cancels only. */
const lateDeposits = everything.map((plan): Plan => {
  const others = { refunds: [], movements: [], withdrawals: [], deciders: [] } as const
  const nothing = { office: 'nothing', exclusion: 'none', disputes: { of: 'first', events: [] } } as const
  const deposits = plan.deposits.map((one) => (one.card === 'decline' ? { ...one, card: 'approve' as const } : one))
  const fates = { ...plan.fates, notified: plan.fates.notified === 1 ? 0 : plan.fates.notified } as const
  const moves = plan.moves.map((ms) => (ms === 61_000 ? SHORT_MS : ms))
  return {
    ...plan,
    ...others,
    ...nothing,
    deposits,
    fates,
    moves,
    losses: [],
    lateAuthorisations: 2,
    dailyLimit: 3_000n,
  }
})

const plans = fc.oneof({ weight: 2, arbitrary: everything }, { weight: 1, arbitrary: lateDeposits })

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
    await play(played, chooser, plan)
    await untilFinished(undisturbed(played.world), played, plan.lastDeciders)
    const books = await readBooks(played.world, played.customerId, played.world.clock.now)
    const violations = [
      ...played.found,
      ...depositViolations(books, played),
      ...exclusionViolations(books, played),
      ...refundViolations(books, played),
      ...movementViolations(books, played),
      ...withdrawalViolations(books, played),
      ...(await ledgerViolations(books, played, plan.disputes)),
    ]
    if (violations.length > 0) throw new Error(violations.join('; '))
  })
}

async function begin(shared: World, plan: Plan): Promise<Played> {
  const { config } = shared.context
  const { refusesDebts: refuseDepositsWithDebt, dailyLimit: dailyDepositLimit } = plan
  const wallets = { ...config.wallets, refuseDepositsWithDebt, dailyDepositLimit }
  const world = { ...shared, context: { ...shared.context, config: { ...config, wallets } } }
  const cards = new Set([...plan.earlier, ...plan.deposits].map(({ card }) => card))
  const customerId = await newCustomer(world, plan.firstToken, cards)
  const played: Played = { world, customerId, attempts: [], moved: new Set(), creditedBefore: null, found: [] }
  for (const one of plan.earlier) await playDeposit(() => undisturbed(world), played, one)
  await sweep(undisturbed(world).context)
  return played
}

/** Two processes of the service, and the bank that tells them what happened. */
function start({ world, customerId, found }: Played, chooser: Scheduler, plan: Plan) {
  const losses = [...plan.losses]
  const late = { left: plan.lateAuthorisations }
  const disputed = { payment: paymentOf(customerId, plan.disputes.of), isTold: false }
  const onTheWay = new Set<() => Promise<unknown>>()
  const deliveries: Promise<unknown>[] = []
  const startOne = (index: number) =>
    startProcess(world, chooser, {
      name: `process ${index}`,
      lagMs: index * LAG_MS,
      nextLoss: (name) => (name === 'authorise' && late.left-- > 0 ? 'lost and late' : (losses.shift() ?? 'answered')),
      onTheWay,
      carriedOut(call, outcome) {
        tell(toldAfter(world, plan.fates, call, outcome))
        if (call.reference === disputed.payment) tellDispute()
      },
    })
  const processes = [startOne(0), startOne(1)]
  const living = (index: number) => processes[index % 2] as Process

  function kill(index: number): void {
    living(index).kill()
    processes[index] = startOne(index)
  }

  function tellDispute(): void {
    if (disputed.isTold) return
    disputed.isTold = true
    tell(disputeNotifications(disputed.payment, plan.disputes))
  }

  function tell(notifications: readonly GatewayNotification[]): void {
    const failed = (error: Error) => void found.push(error.message)
    deliveries.push(...notifications.map((one) => deliver(one).catch(failed)))
  }

  /** The bank repeats a notification until it is answered. */
  async function deliver(notification: GatewayNotification): Promise<void> {
    for (let i = 0, answer: unknown = 'none'; answer === 'none'; i++) {
      await step(chooser, `notification ${notification.event}`, () => {})
      answer = await living(i).run((context) => applyNotification(context, 'sandbox', notification))
    }
  }

  return { living, kill, tell, tellDispute, onTheWay, deliveries }
}

async function play(played: Played, chooser: Scheduler, plan: Plan): Promise<void> {
  const { world, customerId } = played
  const { living, kill, tell, tellDispute, onTheWay, deliveries } = start(played, chooser, plan)
  const moveClock = async (ms: number) => {
    // An approval after the grace period is found by its notification only: docs/invariants.md, what is not promised.
    if (ms > SHORT_MS && plan.fates.notified === 0) for (const carryOut of [...onTheWay]) await carryOut()
    world.clock.now += ms
  }
  const turn = (label: string) => step(chooser, label, () => {})
  const after = async (label: string, work: () => unknown) => {
    await turn(label)
    await work()
  }
  const tasks = [
    ...requests(played, plan, { living, turn }),
    ...(plan.disputes.of === 'first' ? [after('dispute', tellDispute)] : []),
    ...(plan.office === 'nothing' ? [] : [plan.office]).map((office) =>
      after(`the office ${office}`, () => tell(refundInOffice(world, paymentOf(customerId, 'first'), office))),
    ),
    ...[0, 1].map(async (index) => {
      for (let i = 0; i < plan.sweeps; i++) await after('sweep', () => living(index).run(sweep))
    }),
    (async () => {
      for (const ms of plan.moves) await after('clock', () => moveClock(ms)).then(() => living(0).run(sweep))
    })(),
    ...plan.kills.map((index) => after(`kill process ${index}`, () => kill(index))),
  ]
  await chooser.waitFor(Promise.all(tasks))
  await chooser.waitIdle()
  for (const carryOut of [...onTheWay]) await carryOut()
  await chooser.waitFor(Promise.all(deliveries))
  await chooser.waitIdle()
}

type Turns = { living(index: number): Process; turn(label: string): Promise<void> }

/** What customer, operators and sportsbook ask for. A sweep sends what follows from it. */
function requests(played: Played, plan: Plan, { living, turn }: Turns): Promise<void>[] {
  return [
    ...plan.deposits.map(async (one, i) => {
      await turn(`deposit ${one.key}`)
      await playDeposit(() => living(i), played, one)
    }),
    ...plan.refunds.map((one, i) =>
      playRefund(
        () => living(i),
        played,
        one,
        () => turn(`refund ${one.key}`),
      ),
    ),
    ...plan.movements.map(async (one, i) => {
      await turn(one.join(', '))
      await playMovements(living(i), played, one)
    }),
    ...plan.withdrawals.map(async (one, i) => {
      for (let turns = 0; turns < one.turns; turns++) await turn(`withdrawal ${one.key}`)
      await playWithdrawal(living(i), played, one)
      await living(i).run(sweep)
    }),
    ...plan.deciders.map(async (one, i) => {
      await turn(one)
      await playDecision(() => living(i), played, one)
      await living(i).run(sweep)
    }),
    ...(plan.exclusion === 'none' ? [] : [plan.exclusion]).map(async (one) => {
      await turn(one)
      await playExclusion(living(0), played, one)
    }),
  ]
}
