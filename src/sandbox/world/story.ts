// What people of the sandbox did until the first start: assets/sandbox/fixtures.json has the events and tips of the last days,
// which documents show; history.jsonl, an event on each line, those of 90 days; upcoming.json what begins soon. Times are in
// minutes: after the first start, and in the history after the midnight (UTC) that begins the day.

import { drainInProcess } from '../../communities/tip-status.ts'
import { putCustomer } from '../../identity/customers/customer.ts'
import { readAsset, readAssetLines } from '../../platform/runtime/assets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/runtime/durations.ts'
import { followProfile } from '../../profiles/follow.ts'
import { ensureProfile, updateOwnProfile } from '../../profiles/profile.ts'
import { putSport } from '../../sportsbook/catalogue-changes.ts'
import type { SandboxContext } from '../context.ts'
import { SANDBOX, SANDBOX_NAMES } from './customers.ts'
import { applyAll, endingOf, movePrices, newBet, newEvent, type StoredBet, type StoredEvent } from './events.ts'
import { at, betOf, reactToTips, removeTips, SLICE, type StoredTip, withdrawTips, writeTips } from './tips.ts'

type Fixtures = {
  sports: { [id: string]: string }
  events: StoredEvent[]
  /** Without a tip: `npm start` prints a tip on 70012, the reference shows one on 70013. */
  bets: StoredBet[]
  /** Oldest first. */
  tips: StoredTip[]
  /** Created after all others, whose ids documents show. */
  removedTips: StoredTip[]
}
const FIXTURES = readAsset<Fixtures>('sandbox/fixtures.json')

/** Before the first tip. */
const BEGINNING_DAYS = 100
const SETTLED_AT = 22 * HOUR_MS

/** Events of the next days begin on the hour. */
function nextHour({ now }: SandboxContext): number {
  return Math.ceil(now() / HOUR_MS) * HOUR_MS
}

export async function seedFixtures(context: SandboxContext): Promise<void> {
  const { sports, events, bets, tips } = FIXTURES
  const now = context.now()
  const changes = [
    ...Object.entries(sports).map(([id, name]) => putSport(Number(id), { name, communities: true })),
    ...events.map((event) => newEvent(event, nextHour(context))),
    ...bets.map((bet) => newBet(bet)),
    ...tips.map((tip) => betOf(tip, now)),
  ]
  await applyAll(context, changes, now - 72 * HOUR_MS)
  await writeTips(context, tips, now)
}

/** Likes and flags of these tips within the last hours, and results: written after the history, so that notifications are in order. */
export async function seedReactions(context: SandboxContext): Promise<void> {
  const { events, tips, removedTips } = FIXTURES
  const now = context.now()
  await reactToTips(context, tips, now)
  await applyAll(context, events.flatMap(endingOf), now)
  await applyAll(
    context,
    removedTips.map((tip) => betOf(tip, now)),
    now - 3 * HOUR_MS,
  )
  await writeTips(context, removedTips, now)
  await removeTips(context, removedTips)
}

// ---- Days

/** `day`: -1 is the day before the first start. */
type PastEvent = StoredEvent & { readonly day: number; readonly tips: readonly StoredTip[] }

/** Customers of `tipsters` have tips in every sandbox, the others only in one with `all`. */
export async function seedDays(context: SandboxContext, all: boolean): Promise<void> {
  const beginning = context.now() - BEGINNING_DAYS * DAY_MS
  for (const { customerId, ...profile } of [...SANDBOX.tipsters, ...(all ? SANDBOX.moreTipsters : [])]) {
    await putCustomer(context.database, customerId, { ...SANDBOX_NAMES.get(customerId) }, beginning)
    await updateOwnProfile(at(context, beginning), customerId, profile)
  }
  const always = new Set(SANDBOX.tipsters.map(({ customerId }) => customerId))
  const history = readAssetLines<PastEvent>('sandbox/history.jsonl')
    .map((event) => ({ ...event, tips: event.tips.filter(({ customer }) => all || always.has(customer)) }))
    .filter(({ tips }) => tips.length > 0)
  const today = Math.floor(context.now() / DAY_MS) * DAY_MS
  // A day at a time, so that its events, results and notifications have its time.
  for (const [day, events] of Map.groupBy(history, ({ day }) => day))
    await seedDay(context, today + day * DAY_MS, events)
}

async function seedDay(context: SandboxContext, day: number, events: readonly PastEvent[]): Promise<void> {
  const tips = events.flatMap((event) => event.tips)
  const changes = [...events.map((event) => newEvent(event, day)), ...tips.map((tip) => betOf(tip, day))]
  await applyAll(context, changes, day - 2 * DAY_MS)
  await writeTips(context, tips, day, SLICE)
  await reactToTips(context, tips, day, SLICE)
  await movePrices(context, events, day)
  await applyAll(context, events.flatMap(endingOf), day + SETTLED_AT)
  await drainInProcess(context.database, () => day + SETTLED_AT + MINUTE_MS, false).run()
  await withdrawTips(context, tips, day + SETTLED_AT + HOUR_MS)
}

// ---- What begins soon

type Upcoming = {
  /** Customer ids. */
  follows: [follower: number, followed: number][]
  events: StoredEvent[]
  /** Oldest first. */
  tips: StoredTip[]
}

export async function seedUpcoming(context: SandboxContext): Promise<void> {
  const { follows, events, tips } = readAsset<Upcoming>('sandbox/upcoming.json')
  const now = context.now()
  for (const [index, [follower, followed]] of follows.entries()) {
    const { id } = await ensureProfile(context, followed)
    await followProfile(at(context, now - (follows.length - index) * DAY_MS), follower, id)
  }
  const changes = [...events.map((event) => newEvent(event, nextHour(context))), ...tips.map((tip) => betOf(tip, now))]
  await applyAll(context, changes, now - 50 * HOUR_MS)
  await movePrices(context, [...FIXTURES.events, ...events], now - 2 * HOUR_MS)
  await writeTips(context, tips, now)
  await reactToTips(context, tips, now)
}
