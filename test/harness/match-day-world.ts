// The data of a match day, created through the operator API: six events of two sports, and 50 customers with a bet each.

import { expect } from 'vitest'
import type { Database } from '../../src/platform/database/database.ts'
import { type Catalogue, MatchDay } from './match-day-model.ts'
import type { Reply, TestService } from './service.ts'
import { operatorOk } from './sportsbook.ts'

/** Sends requests to one service, or to several in turn; then `one` is the next of them. */
export type Client = Pick<TestService, 'call' | 'operator'> & { one?: () => Client }

export type Member = { name: string; customerId: number; ticket: string; profileId: number; betId: number }

export type World = {
  client: Client
  members: Member[]
  /** Only for a test in the service's own process. */
  inside?: {
    /** Writes without starting the update of tips that the operator's call would start. */
    quietly(work: (transaction: Database) => Promise<unknown>): Promise<void>
    /** Waits until all tips are updated. */
    follow(): Promise<void>
  }
}

export const MEMBERS = 50
/** The last of the members, who follow everybody. */
export const FANS = 3
const EVENTS = 6
const FIRST_CUSTOMER = 70_001
const FIRST_EVENT = 700

export function newCatalogue(): Catalogue {
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    id: FIRST_EVENT + index,
    sportId: 1 + (index % 2),
    start: startOfDay(index % 3),
    suspended: false,
  }))
  const markets = events.flatMap((event) =>
    [1, 2].map((number) => ({ id: event.id * 10 + number, event, suspended: false, settled: false })),
  )
  const outcomes = markets.flatMap((market) =>
    [1, 2].map((number) => ({ id: market.id * 10 + number, market, suspended: false, result: null })),
  )
  return { events, markets, outcomes }
}

export function startOfDay(day: number): number {
  return Date.UTC(2030, 0, 1 + day)
}

/** A member's bet has one outcome of each market: the first for half of the members, the second for the others. */
export function isInBet(member: Member, outcomeId: number): boolean {
  return (member.customerId + outcomeId) % 2 === 0
}

export async function newWorld(client: Client): Promise<World> {
  const customers = Array.from({ length: MEMBERS }, (_, index) => FIRST_CUSTOMER + index)
  const members = await Promise.all(customers.map((customerId, index) => newMember(client, customerId, `#${index}`)))
  const report = await operatorOk(client, 'POST', '/feed', feedOf(newCatalogue(), members))
  expect(report).toMatchObject({ refused: 0, refusals: [] })
  return { client, members }
}

async function newMember(client: Client, customerId: number, name: string): Promise<Member> {
  await operatorOk(client, 'PUT', `/customers/${customerId}`, {})
  const { ticket } = await operatorOk(client, 'POST', `/customers/${customerId}/tickets`, {})
  const reply = await client.call('GET', '/v1/profiles/me', { ticket, accept: 'application/json' })
  const profileId = Number(reply.json().whoProfiles[0].profile.id)
  return { name, customerId, ticket, profileId, betId: customerId }
}

function feedOf({ events, markets, outcomes }: Catalogue, members: Member[]): Buffer {
  const lines = [
    ...[1, 2].map((id) => ({ put: 'sport', id: `${id}`, data: { name: `Sport ${id}`, communities: true } })),
    ...events.map(({ id, sportId, start }) => {
      const data = { sportId: `${sportId}`, name: `Event ${id}`, startTime: new Date(start).toISOString() }
      return { put: 'event', id: `${id}`, data }
    }),
    ...markets.map(({ id, event }) => {
      return { put: 'market', id: `${id}`, data: { eventId: `${event.id}`, name: `Market ${id}` } }
    }),
    ...outcomes.map(({ id, market }) => {
      return { put: 'outcome', id: `${id}`, data: { marketId: `${market.id}`, name: `Outcome ${id}` } }
    }),
    ...members.map((member) => {
      const outcomeIds = outcomes.filter(({ id }) => isInBet(member, id)).map(({ id }) => `${id}`)
      return { put: 'bet', id: `${member.betId}`, data: { customerId: `${member.customerId}`, outcomeIds } }
    }),
  ]
  return Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))
}

/** The status of an answer, and its fault code if it has one: 204, 404/30410. */
export function statusAndFault(reply: Reply): string {
  const code = /"faultCode":"(\d+)"/.exec(reply.text)?.[1]
  return code === undefined ? `${reply.status}` : `${reply.status}/${code}`
}

// ---- The state before each generated sequence of commands

/** With this many followings the home feed is read by its other plan (MANY_FOLLOWINGS). */
const MANY = 1_000
const FIRST_IDLE = 80_001

/** Profiles without tips, followed by the fans among the members. */
export async function addIdleProfiles(database: Database, members: Member[]): Promise<void> {
  const numbers = `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${MANY - 1})`
  const sql = `
    insert into customer (id, status, verified, currency, funds_statement_version, created_at)
    ${numbers} select ${FIRST_IDLE} + i, 'active', 1, 'GBP', 1, 0 from n;
    insert into profile (customer_id, biography, status, created_at)
    ${numbers} select ${FIRST_IDLE} + i, '', 'A', 0 from n;
    insert into follow (follower_id, followee_id, created_at, shown)
    select fan.id, idle.id, 0, 1 from profile fan cross join profile idle
    where fan.id in (${fansOf(members)}) and idle.customer_id >= ${FIRST_IDLE}`
  await database.transaction((transaction) => transaction.script(sql))
}

function fansOf(members: Member[]): number[] {
  return members.slice(-FANS).map(({ profileId }) => profileId)
}

/** Undoes all commands and returns the model of that state: nothing but fans who follow everybody. */
export async function resetWorld(database: Database, members: Member[]): Promise<MatchDay> {
  const catalogue = newCatalogue()
  const fans = fansOf(members)
  const model = new MatchDay(catalogue, new Map(fans.map((profileId) => [profileId, MANY])))
  const others = members.slice(0, -FANS).map(({ profileId }) => profileId)
  const pairs = fans.flatMap((fan) => others.map((other) => [fan, other] as const))
  for (const [fan, other] of pairs) model.follows.add(`${fan} ${other}`)
  const sql = `
    delete from comment_work; delete from counted_status; delete from outcome_count; delete from comment_like;
    delete from comment_count; delete from comment; delete from reporter_work;
    delete from flag; delete from reporter; delete from review; delete from decision;
    delete from follow where created_at > 0; update follow set shown = 1 where shown = 0;
    insert into follow (follower_id, followee_id, created_at, shown)
    values ${pairs.map(([fan, other]) => `(${fan}, ${other}, 1, 1)`).join(', ')};
    update profile set status = 'A' where status = 'I';
    update profile_count set num_live = 0, num_winning = 0, num_followings = 0, num_followers = ${FANS};
    update profile_count set num_followings = ${MANY + others.length}, num_followers = 0
    where profile_id in (${fans});
    update outcome set result = null, status = 'active';
    update market set settled_at = null, status = 'active';
    update event set settled_at = null, status = 'active';
    ${catalogue.events.map(({ id, start }) => `update event set start_time = ${start} where id = ${id}`).join('; ')}`
  await database.transaction((transaction) => transaction.script(sql))
  return model
}
