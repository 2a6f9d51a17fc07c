// The rows that plays (writing-plays.ts) share, and how they are called.

import { expect } from 'vitest'
import { putCustomer } from '../../src/identity/customers/customer.ts'
import { registerReturnAddresses } from './challenges.ts'
import type { CallOptions, OperatorReply, Reply, TestCustomer, TestService } from './service.ts'
import { newMatch, type TestOutcome } from './sportsbook.ts'
import { addCard } from './wallets.ts'

type Player = TestCustomer & {
  profileId: number
  tip: number
  card: number
  refusedCard: number
  challengedCard: number
}
/** `refusals`: whether an answer may be one. */
export type World = {
  service: TestService
  players: [Player, Player]
  outcomes: TestOutcome[]
  ids: number
  refusals: boolean
}
export type Side = { world: World; service: TestService; me: Player; you: Player }
export type Play = { operations: readonly string[]; run(side: Side): Promise<unknown> }

export const PASSWORD = 'correct horse battery'

/** Two players who have tipped on the same outcome, follow each other, and have a follower and a followee in common. */
export async function newWorld(service: TestService): Promise<World> {
  const members = [await service.member(), await service.member(), await service.member(), await service.member()]
  const [first, one, other, last] = members as [Player, Player, Player, Player]
  const outcomes = await newMatch(service)
  const world: World = { service, players: [one, other], outcomes, ids: one.id * 1_000, refusals: false }
  await registerReturnAddresses(service)
  for (const side of sidesOf(world)) {
    await restoreLogIn(side)
    await restoreSession(side)
    side.me.card = await addCard(service, side.me)
    side.me.refusedCard = await addCard(service, side.me, { token: 'sandbox:capture-refused' })
    side.me.challengedCard = await addCard(service, side.me, { token: 'sandbox:challenge' })
    await tip(side)
  }
  for (const [me, you] of [
    [one, other],
    [other, one],
    [one, last],
    [other, last],
    [first, one],
    [first, other],
  ] as const) {
    await service.call('POST', `/v1/profiles/me/followings/${you.profileId}`, { ticket: me.ticket })
  }
  return world
}

export function sidesOf(world: World): [Side, Side] {
  const [one, other] = world.players
  const { service } = world
  return [
    { world, service, me: one, you: other },
    { world, service, me: other, you: one },
  ]
}

export async function send(
  { world, me }: Side,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply> {
  const reply = await world.service.call(method, path, { ticket: me.ticket, accept: 'application/json', ...options })
  expectAnswer(world, `${method} ${path}`, reply.status, reply.text)
  return reply
}

export async function operate({ world }: Side, method: string, path: string, body?: unknown): Promise<OperatorReply> {
  const reply = await world.service.operator(method, `/operator/v1${path}`, body)
  expectAnswer(world, `${method} ${path}`, reply.status, reply.body)
  return reply
}

export function expectAnswer({ refusals }: World, call: string, status: number, answer: unknown): void {
  expect([call, status < (refusals ? 500 : 300) ? 'answered' : answer]).toEqual([call, 'answered'])
}

/** One after the other. */
export async function operateAll(side: Side, method: string, path: string, bodies: readonly object[]): Promise<void> {
  for (const body of bodies) await operate(side, method, path, body)
}

/** A customer without a live session gets a new one. */
export async function restoreSession({ service, me }: Side): Promise<void> {
  me.ticket = (await service.context.sessions?.issue(me.id, null))?.ticket ?? me.ticket
}

export async function restoreLogIn({ service, me }: Side): Promise<void> {
  const { database, now } = service.context
  await putCustomer(database, me.id, { username: `player-${me.id}`, password: PASSWORD }, now()).catch(() => {})
}

/** On one of the world's outcomes; undefined: it was refused. */
export async function tip({ world, ...side }: Side, which = 0): Promise<number | undefined> {
  const outcome = world.outcomes[which] as TestOutcome
  const path = `/v1/communities/comments/me/outcomes/${outcome.id}?betId=${++world.ids}&text=A+fine+price`
  const reply = await send({ world, ...side }, 'POST', path)
  if (reply.status !== 200) return undefined
  const id = Number(reply.json().whoCommunities.comment.id)
  side.me.tip = id
  return id
}
