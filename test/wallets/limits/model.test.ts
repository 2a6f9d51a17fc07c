// Compares the service over HTTP with a small model of the limits that customers set: set, raised, removed and confirmed in
// any order, with deposits and time between them, around the ends of weeks, months and Februaries.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/platform/runtime/durations.ts'
import type { Period } from '../../../src/wallets/periods.ts'
import { type Limit, newLongDepositor, wallet } from '../../harness/limits.ts'
import { propertyRuns } from '../../harness/property-runs.ts'
import { useService } from '../../harness/service.ts'
import { deposit, paidOrFaultCode } from '../../harness/wallets.ts'

const service = useService({ DAILY_DEPOSIT_LIMIT: '1000000.00' })
beforeAll(() => service.clock.hold())

const PERIODS: readonly Period[] = ['day', 'week', 'month']
type Step =
  | { do: 'set'; period: Period; amount: number }
  | { do: 'remove'; period: Period }
  | { do: 'confirm'; period: Period }
  | { do: 'deposit'; amount: number }
  | { do: 'wait'; hours: number }

// ---- The model

type Pending = { amount: number | null; at: number }
type Model = { limits: Map<Period, { amount: number; pending?: Pending }>; paid: { at: number; amount: number }[] }

/** When the period of a time begins, by its calendar. */
function startOf(period: Period, time: number): number {
  const date = new Date(time)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (period === 'month') return Date.UTC(year, month, 1)
  const sinceMonday = period === 'day' ? 0 : (date.getUTCDay() + 6) % 7
  return Date.UTC(year, month, day - sinceMonday)
}

function endOf(period: Period, time: number): number {
  const start = new Date(startOf(period, time))
  if (period === 'month') return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)
  return start.getTime() + (period === 'day' ? 1 : 7) * DAY_MS
}

const used = ({ paid }: Model, period: Period, time: number) =>
  paid.filter(({ at }) => at >= startOf(period, time)).reduce((sum, { amount }) => sum + amount, 0)

const isPending = (pending: Pending | undefined, time: number): pending is Pending =>
  pending !== undefined && time < pending.at + 7 * DAY_MS

/** What the service must answer: the limits, a fault, or 'paid'. */
function expected(model: Model, step: Step, time: number): unknown {
  if (step.do === 'deposit') return payment(model, step.amount, time)
  if (step.do === 'wait') return undefined
  const limit = model.limits.get(step.period)
  if (step.do === 'confirm') {
    const pending = limit?.pending
    if (!isPending(pending, time) || time < pending.at + DAY_MS) return '10071 period'
    if (pending.amount === null) model.limits.delete(step.period)
    else model.limits.set(step.period, { amount: pending.amount })
  } else if (step.do === 'remove') {
    if (limit !== undefined) limit.pending = { amount: null, at: time }
  } else if (limit === undefined || step.amount <= limit.amount) model.limits.set(step.period, { amount: step.amount })
  else limit.pending = { amount: step.amount, at: time }
  return shown(model, time)
}

function payment(model: Model, amount: number, time: number): string {
  const left = [...model.limits].map(([period, limit]) => ({ period, left: limit.amount - used(model, period, time) }))
  const least = Math.min(...left.map((one) => one.left))
  if (least < amount)
    return `24008 ${PERIODS.find((name) => left.some((one) => one.period === name && one.left === least))}`
  model.paid.push({ at: time, amount })
  return 'paid'
}

const money = (pounds: number) => `${pounds}.00`
const zoned = (time: number) => new Date(time).toISOString().replace('Z', '+00:00')

function shown(model: Model, time: number): Limit[] {
  return PERIODS.flatMap((period): Limit[] => {
    const limit = model.limits.get(period)
    if (limit === undefined) return []
    const spent = used(model, period, time)
    const figures = { amount: money(limit.amount), used: money(spent), left: money(Math.max(0, limit.amount - spent)) }
    const { pending } = limit
    const waiting = isPending(pending, time)
      ? {
          pending: {
            ...(pending.amount === null ? {} : { amount: money(pending.amount) }),
            notBefore: zoned(pending.at + DAY_MS),
            lapses: zoned(pending.at + 7 * DAY_MS),
          },
        }
      : {}
    return [{ period, ...figures, resets: zoned(endOf(period, time)), ...waiting }]
  })
}

// ---- The service

type Real = Awaited<ReturnType<typeof newLongDepositor>>

async function answered(who: Real, step: Step): Promise<unknown> {
  if (step.do === 'wait') return service.clock.advance(step.hours * HOUR_MS)
  if (step.do === 'deposit') {
    const reply = await deposit(service, { ...who, amount: money(step.amount) })
    const code = paidOrFaultCode(reply)
    return code === 'paid' ? code : `${code} ${reply.json().whoFaults[0].faultName}`
  }
  const path = `limits/${step.period}`
  const reply =
    step.do === 'set'
      ? await wallet(service, who.ticket, 'PUT', `${path}?amount=${step.amount}`)
      : step.do === 'remove'
        ? await wallet(service, who.ticket, 'DELETE', path)
        : await wallet(service, who.ticket, 'POST', `${path}/confirmation`)
  return reply.limits ?? reply
}

async function compare(steps: readonly Step[]): Promise<void> {
  const who = await newLongDepositor(service, { expiryDate: '12/99' })
  const model: Model = { limits: new Map(), paid: [] }
  for (const step of steps) {
    const time = service.clock.now()
    expect([step, await answered(who, step)]).toEqual([step, expected(model, step, time)])
  }
  const { limits } = await wallet(service, who.ticket, 'GET', 'limits')
  expect(limits).toEqual(shown(model, service.clock.now()))
}

/** Moves on to 20:00 of the next day of this kind: what follows passes a midnight, the end of a week, or of a month. */
const EVENINGS = {
  'any day': () => true,
  'a Sunday': (day: Date) => day.getUTCDay() === 0,
  'the last of a month': (day: Date) => new Date(day.getTime() + DAY_MS).getUTCDate() === 1,
  'February 28': (day: Date) => day.getUTCMonth() === 1 && day.getUTCDate() === 28,
  'February 29': (day: Date) => day.getUTCMonth() === 1 && day.getUTCDate() === 29,
}

function moveToEvening(isRight: (day: Date) => boolean): void {
  const { clock } = service
  let day = (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS
  while (!isRight(new Date(day))) day += DAY_MS
  clock.advance(day + 20 * HOUR_MS - clock.now())
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((one, index) => permutations(items.toSpliced(index, 1)).map((rest) => [one, ...rest]))
}

test('every order of set, raise, confirm, deposit and a day that passes', { timeout: 300_000 }, async () => {
  const steps: Step[] = [
    { do: 'set', period: 'week', amount: 10 },
    { do: 'set', period: 'week', amount: 30 },
    { do: 'confirm', period: 'week' },
    { do: 'deposit', amount: 20 },
    { do: 'wait', hours: 24 },
  ]
  for (const order of permutations(steps)) await compare(order)
})

const amounts = fc.constantFrom(5, 10, 15, 20, 40)
const periods = fc.constantFrom(...PERIODS)
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('set' as const), period: periods, amount: amounts }),
  fc.record({ do: fc.constant('remove' as const), period: periods }),
  { arbitrary: fc.record({ do: fc.constant('confirm' as const), period: periods }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant('deposit' as const), amount: amounts }), weight: 2 },
  {
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 4, 23, 24, 72, 168) }),
    weight: 2,
  },
)

test.each(Object.entries(EVENINGS))(
  'the service agrees with the model of limits after %s',
  { timeout: 300_000 },
  async (_, isRight) => {
    const property = fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 20 }), async (steps) => {
      moveToEvening(isRight)
      await compare(steps)
    })
    await fc.assert(property, { numRuns: propertyRuns(8), endOnFailure: true })
  },
)
