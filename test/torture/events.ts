// Likes and follows under kills, and a reader of the log of events. Each client changes its own like or follow back and
// forth, and repeats a request until it is answered: whatever was killed, each step must have exactly one event.

import { randomInt } from 'node:crypto'
import type { Operator } from './calls.ts'
import { sleep } from './processes.ts'

type Call = (method: string, path: string, ticket: string) => Promise<number | null>

export type Event = {
  position: number
  id: string
  type: string
  subject: { type: string; id: string }
  customerId: string | null
  data: { byProfileId?: string; withdrawalId?: string; refundId?: string; reference?: string; verified?: boolean }
}

/** `subject` and `byProfileId` name the like or follow; `steps`: how often it was changed, as far as was answered. */
export type Toggle = { kind: 'like' | 'follow'; subject: string; byProfileId: string; steps: number; inDoubt: boolean }

const SPORT = 1
const EVENT = 10
const MARKET = 20
const OUTCOME = 30
const AUTHORS = 4

/** The first AUTHORS customers write a tip each. Returns their ids as (tip, profile). */
export async function createTips(operator: Operator, publicUrl: string, tickets: readonly string[]) {
  await operator('PUT', `/sports/${SPORT}`, { name: 'Football', communities: true })
  await operator('PUT', `/events/${EVENT}`, {
    sportId: SPORT,
    name: 'A match',
    startTime: '2040-01-01T15:00:00Z',
    markets: [{ id: MARKET, name: 'Result', outcomes: [{ id: OUTCOME, name: 'Home', price: { num: 1, den: 1 } }] }],
  })
  const tips: { tip: string; profile: string }[] = []
  for (let author = 1; author <= AUTHORS; author++) {
    await operator('PUT', `/bets/${author}`, { customerId: author, outcomeIds: [OUTCOME] })
    const ticket = tickets[author - 1] as string
    const path = `/v1/communities/comments/me/outcomes/${OUTCOME}?betId=${author}&text=Fine`
    const comment = await answer(publicUrl, 'POST', path, ticket)
    tips.push({ tip: comment.whoCommunities.comment.id, profile: await profileOf(publicUrl, ticket) })
  }
  return tips
}

export async function profileOf(publicUrl: string, ticket: string): Promise<string> {
  return (await answer(publicUrl, 'GET', '/v1/profiles/me', ticket)).whoProfiles[0].profile.id
}

const HEADERS = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret', accept: 'application/json' }

// biome-ignore lint/suspicious/noExplicitAny: answers of two shapes
async function answer(publicUrl: string, method: string, path: string, ticket: string): Promise<any> {
  const response = await fetch(`${publicUrl}${path}`, { method, headers: { ...HEADERS, 'who-ticket': ticket } })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** null: no answer. */
export function callerOf(publicUrl: string): Call {
  return async (method, path, ticket) => {
    try {
      const response = await fetch(`${publicUrl}${path}`, { method, headers: { ...HEADERS, 'who-ticket': ticket } })
      await response.arrayBuffer()
      return response.status
    } catch {
      return null
    }
  }
}

/** Likes and unlikes, or follows and unfollows, until `isStopping`. */
export async function toggleRepeatedly(
  call: Call,
  ticket: string,
  toggle: Toggle,
  isStopping: () => boolean,
): Promise<void> {
  const path =
    toggle.kind === 'like'
      ? `/v1/communities/comments/${toggle.subject}/like`
      : `/v1/profiles/me/followings/${toggle.subject}`
  while (!isStopping()) {
    const method = toggle.steps % 2 === 0 ? 'POST' : 'DELETE'
    toggle.inDoubt = true
    const status = await call(method, path, ticket)
    if (status !== null && status < 300) {
      toggle.steps++
      toggle.inDoubt = false
    }
    // Money gets its share of the service.
    await sleep(randomInt(500))
  }
}

/** Reads the log as a consumer does, without a pause, and never asks for a position twice. */
export async function readRepeatedly(operator: Operator, read: Event[], isStopping: () => boolean): Promise<void> {
  while (!isStopping()) {
    const after = read.at(-1)?.position ?? 0
    const page = (await operator('GET', `/events?after=${after}&limit=1000`).catch(() => undefined)) as
      | { events: Event[] }
      | undefined
    read.push(...(page?.events ?? []))
    if (page === undefined) await sleep(20)
  }
}

/** The whole log, once nothing is added to it any more. */
export async function readAll(operator: Operator): Promise<Event[]> {
  const all: Event[] = []
  for (let still = 0; still < 5; ) {
    const after = all.at(-1)?.position ?? 0
    const { events } = (await operator('GET', `/events?after=${after}&limit=1000`)) as { events: Event[] }
    all.push(...events)
    if (events.length === 0) {
      still++
      await sleep(200)
    }
  }
  return all
}

type Evidence = {
  log: readonly Event[]
  /** What the reader saw while the service was killed. */
  read: readonly Event[]
  toggles: readonly Toggle[]
  deposits: readonly { paymentId: string; state: string }[]
}

export function eventViolations({ log, read, toggles, deposits }: Evidence): string[] {
  const found: string[] = []
  log.forEach(({ position }, index) => {
    const before = log[index - 1]?.position ?? 0
    if (position !== before + 1) found.push(`position ${position} comes after ${before}`)
  })
  const seen = new Set(read.map(({ id }) => id))
  const last = read.at(-1)?.position ?? 0
  for (const { id, type, position } of log) {
    if (position <= last && !seen.has(id)) found.push(`${id} (${type}): skipped by the reader`)
  }
  const logged = new Set(log.map(({ id }) => id))
  for (const { id } of read) if (!logged.has(id)) found.push(`${id}: read, and not in the log`)
  return [...found, ...toggles.flatMap((toggle) => toggleViolations(toggle, log)), ...depositViolations(deposits, log)]
}

function toggleViolations(toggle: Toggle, log: readonly Event[]): string[] {
  const { kind, subject, byProfileId, steps, inDoubt } = toggle
  const own = log.filter(
    (event) =>
      event.type.startsWith(`${kind}.`) && event.subject.id === subject && event.data.byProfileId === byProfileId,
  )
  const name = `${kind} of ${subject} by ${byProfileId}`
  const wrong = own.findIndex(({ type }, index) => type !== `${kind}.${index % 2 === 0 ? 'created' : 'ended'}`)
  if (wrong !== -1) return [`${name}: event ${wrong + 1} is ${own[wrong]?.type}`]
  // The last step may have been committed without an answer.
  const expected = inDoubt ? [steps, steps + 1] : [steps]
  return expected.includes(own.length) ? [] : [`${name}: ${steps} steps were answered, ${own.length} events`]
}

const EVENTS_OF_STATE: Record<string, string[]> = {
  CAPTURED: ['deposit.authorised', 'deposit.captured'],
  DECLINED: ['deposit.declined'],
  VOIDED: ['deposit.voided'],
}

function depositViolations(deposits: Evidence['deposits'], log: readonly Event[]): string[] {
  const bySubject = Map.groupBy(
    log.filter(({ subject }) => subject.type === 'deposit'),
    ({ subject }) => subject.id,
  )
  return deposits.flatMap(({ paymentId, state }) => {
    // Refunds and disputes have the deposit as their subject too.
    const types = (bySubject.get(paymentId) ?? []).map(({ type }) => type).filter((type) => type.startsWith('deposit.'))
    const expected = EVENTS_OF_STATE[state]
    // Those that were challenged have that event before all others.
    const decided = types[0] === 'deposit.challenged' ? types.slice(1) : types
    // Without an answer of the gateway for long, persons decide.
    if (decided.includes('deposit.review') && decided.at(-1) === 'deposit.resolved') return []
    return expected === undefined || expected.join() === decided.join()
      ? []
      : [`${paymentId} is ${state}; its events: ${types.join(', ') || 'none'}`]
  })
}

/** The negative control: events get their identities as positions, in which commits overtake each other. */
export const POSITIONS_BY_IDENTITY = `
  create function position_by_identity() returns trigger language plpgsql as $$
  begin
    insert into event_log (position, kind, subject_type, subject_id, profile_id, customer_id, at, data)
    values (new.id, new.kind, new.subject_type, new.subject_id, new.profile_id, new.customer_id, new.at, new.data);
    return null;
  end $$;
  create trigger position_by_identity before insert on new_event for each row execute function position_by_identity()`
