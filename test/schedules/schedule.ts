// One *schedule*: requests, sweeps, notifications, the clock and kills, in an order that the scheduler chooses. Afterwards the
// service is left alone until nothing is unfinished, and everything must agree.

import { setImmediate } from 'node:timers/promises'
import fc, { type Scheduler } from 'fast-check'
import type { WalletsContext } from '../../src/wallets/context.ts'
import type { DisputeEvent } from '../../src/wallets/dispute-events.ts'
import type { GatewayNotification } from '../../src/wallets/gateways/gateway.ts'
import { applyNotification } from '../../src/wallets/notifications.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import type { Attempt } from '../torture/invariants.ts'
import {
  type DepositPlan,
  depositPlans,
  depositViolations,
  FIRST_DEPOSIT,
  playDeposit,
  unfinished,
} from './deposits.ts'
import { disputeNotification, disputePlans, takenBack } from './disputes.ts'
import { type MovementPlan, movementPlans, movementViolations, playMovement } from './movements.ts'
import { type BankCall, type Loss, onlyGateway, type Process, rememberedBank, startProcess, step } from './process.ts'
import { playRefund, type RefundPlan, refundPlans, refundViolations } from './refunds.ts'
import {
  type Decider,
  deciders,
  playDecision,
  playWithdrawal,
  type WithdrawalPlan,
  withdrawalPlans,
  withdrawalViolations,
} from './withdrawals.ts'
import { FIRST_TOKENS, type FirstToken, newCustomer, paymentOf, type World } from './world.ts'

/** All of a schedule are shorter than the grace period. */
const SHORT_MS = 2_000

type Plan = {
  readonly firstToken: FirstToken
  readonly deposits: readonly DepositPlan[]
  readonly refunds: readonly RefundPlan[]
  readonly movements: readonly MovementPlan[]
  /** What the bank says of the first deposit. */
  readonly disputes: readonly DisputeEvent[]
  readonly withdrawals: readonly WithdrawalPlan[]
  readonly deciders: readonly Decider[]
  /** Of each of the two processes. */
  readonly sweeps: number
  /** Milliseconds by which the clock moves before a sweep: a job's pause, a lease, a challenge's lease. */
  readonly moves: readonly number[]
  /** Which of the two processes is killed, and started again at once. */
  readonly kills: readonly (0 | 1)[]
  /** Of the calls of the bank in turn. */
  readonly losses: readonly Loss[]
  /** How often each notification of the bank is delivered. */
  readonly notified: 0 | 1 | 2
}

const plans: fc.Arbitrary<Plan> = fc.record({
  firstToken: fc.constantFrom('approve', ...FIRST_TOKENS),
  deposits: depositPlans,
  refunds: refundPlans,
  movements: movementPlans,
  disputes: disputePlans,
  withdrawals: withdrawalPlans,
  deciders,
  sweeps: fc.nat(4),
  moves: fc.array(fc.constantFrom(SHORT_MS, 61_000, 601_000), { maxLength: 4, size: 'max' }),
  kills: fc.array(fc.constantFrom(0, 1), { maxLength: 2 }),
  losses: fc.oneof(
    fc.constant<Loss[]>([]),
    fc.array(fc.constantFrom<Loss[]>('answered', 'lost', 'lost and late'), { maxLength: 5, size: 'max' }),
    // Both tries of an authorisation: the deposit is voided before the bank has heard of it.
    fc.constant<Loss[]>(['lost and late', 'lost and late']),
  ),
  notified: fc.constantFrom(0, 1, 2),
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
    const customerId = await newCustomer(world(), plan.firstToken)
    const attempts: Attempt[] = []
    const moved = new Set<string>()
    await playDeposit(() => undisturbed(world()), customerId, FIRST_DEPOSIT, attempts)
    await sweep(undisturbed(world()).context)
    await play(world(), chooser, plan, { customerId, attempts, moved })
    await untilFinished(world(), customerId)
    const violations = [
      ...(await depositViolations(world(), customerId, { attempts, disputed: takenBack(plan.disputes) })),
      ...(await refundViolations(world(), customerId)),
      ...(await movementViolations(world(), customerId, moved)),
      ...(await withdrawalViolations(world(), customerId)),
    ]
    if (violations.length > 0) throw new Error(violations.join('; '))
  })
}

/** What was answered: to deposits, and the references of movements. */
type Played = { readonly customerId: number; readonly attempts: Attempt[]; readonly moved: Set<string> }

async function play(
  world: World,
  chooser: Scheduler,
  plan: Plan,
  { customerId, attempts, moved }: Played,
): Promise<void> {
  const losses = [...plan.losses]
  const firstPayment = paymentOf(customerId, FIRST_DEPOSIT.key)
  const onTheWay = new Set<() => Promise<unknown>>()
  const deliveries: Promise<unknown>[] = []
  const start = (index: number) =>
    startProcess(world, chooser, {
      name: `process ${index}`,
      nextLoss: () => losses.shift() ?? 'answered',
      onTheWay,
      carriedOut(call, outcome) {
        const notification = notificationOf(call, outcome)
        if (notification === null) return
        for (let i = 0; i < plan.notified; i++) deliveries.push(deliver(notification))
      },
    })
  const processes = [start(0), start(1)]
  const living = (index: number) => processes[index % 2] as Process

  /** The bank repeats a notification until it is answered. */
  async function deliver(notification: GatewayNotification): Promise<void> {
    for (let i = 0, answer: unknown = 'none'; answer === 'none'; i++) {
      await step(chooser, `notification ${notification.event}`, () => {})
      answer = await living(i).run((context) => applyNotification(context, 'sandbox', notification))
    }
  }

  const moveClock = async (ms: number) => {
    // An approval after the grace period is found by its notification only: docs/invariants.md, what is not promised.
    if (ms > SHORT_MS && plan.notified === 0) for (const carryOut of [...onTheWay]) await carryOut()
    world.clock.now += ms
  }
  const begin = async (label: string, work: () => unknown) => {
    await step(chooser, label, () => {})
    await work()
  }
  const tasks = [
    ...plan.deposits.map((one, i) =>
      begin(`deposit ${one.key}`, () => playDeposit(() => living(i), customerId, one, attempts)),
    ),
    ...plan.refunds.map((one, i) =>
      playRefund(
        () => living(i),
        customerId,
        one,
        () => step(chooser, `refund ${one.key}`, () => {}),
      ),
    ),
    ...plan.movements.map((one, i) => begin(one, () => playMovement(living(i), customerId, one, moved))),
    ...plan.withdrawals.map((one, i) =>
      begin(`withdrawal ${one.key}`, () => playWithdrawal(living(i), customerId, one)),
    ),
    ...plan.disputes.map((event) => deliver(disputeNotification(firstPayment, event))),
    ...plan.deciders.map((one, i) => begin(one, () => playDecision(living(i), customerId, one))),
    ...processes.map(async (_, index) => {
      for (let i = 0; i < plan.sweeps; i++) await begin('sweep', () => living(index).run(sweep))
    }),
    (async () => {
      for (const ms of plan.moves) await begin('clock', () => moveClock(ms)).then(() => living(0).run(sweep))
    })(),
    ...plan.kills.map((index) =>
      begin(`kill process ${index}`, () => {
        living(index).kill()
        processes[index] = start(index)
      }),
    ),
  ]
  await chooser.waitFor(Promise.all(tasks))
  await chooser.waitIdle()
  for (const carryOut of [...onTheWay]) await carryOut()
  await chooser.waitFor(Promise.all(deliveries))
  await chooser.waitIdle()
}

const MEANINGS: Record<string, GatewayNotification['meaning']> = {
  'authorise approved': 'approved',
  'finishChallenge approved': 'approved',
  'capture captured': 'captured',
  'cancel cancelled': 'cancelled',
  'payout paid': 'payoutPaid',
}

function notificationOf({ name, reference, amount }: BankCall, outcome: string): GatewayNotification | null {
  const meaning = MEANINGS[`${name} ${outcome}`]
  if (meaning === undefined) return null
  const gatewayReference = `sandbox-${reference}`
  const terms = { amount, currency: 'GBP', paymentReference: '', answerBy: null }
  return {
    key: `${meaning} ${reference}`,
    event: meaning,
    success: true,
    reference,
    gatewayReference,
    ...terms,
    meaning,
  }
}

const MAX_SWEEPS = 30

/** A process in which nothing waits for the scheduler. */
function undisturbed(world: World): Process {
  const gateways = onlyGateway(rememberedBank(world))
  const context: WalletsContext = { ...world.context, gateways }
  return { context, run: (work) => work(context), kill: () => {} }
}

/** The processes are gone; one sweeper remains, the gateway answers, and what waits for operators is refused. */
async function untilFinished(world: World, customerId: number): Promise<void> {
  const process = undisturbed(world)
  const { context } = process
  await playDecision(process, customerId, 'refuses')
  for (let i = 0; i < MAX_SWEEPS; i++) {
    world.clock.now += 400_000
    await sweep(context)
    if ((await context.database.query(unfinished, { customerId })).length === 0) return
  }
}
