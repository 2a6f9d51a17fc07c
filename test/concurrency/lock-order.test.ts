// Every pair of operations that write, on the same rows at the same time: whoever takes locks in another order than the rest
// deadlocks with one of them (docs/invariants.md has the order).

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { operatorOperations } from '../../src/operator/operations.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { isEachChange } from '../harness/each-change.ts'
import { engine, type TestService, useService } from '../harness/service.ts'
import { plays } from '../harness/writing-plays.ts'
import { newWorld, type Play, sidesOf, type World } from '../harness/writing-world.ts'

const service = useService({
  LOG_LEVEL: 'silent',
  BET_CHECK: 'trust',
  PICTURES_PER_MINUTE: '0',
  DAILY_DEPOSIT_LIMIT: '100000000.00',
  REFUND_FOUR_EYES_ABOVE: '5.00',
})

/** They write rows that no play touches, and the audit trail as the last lock of their transaction. */
const APART = [
  ...['createApplication', 'revokeApplication', 'replaceApplicationSecret', 'putReturnAddresses'],
  ...['createToken', 'revokeToken', 'endConsoleSession', 'setPresence'],
  ...['createWebhook', 'changeWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'],
  ...['resendWebhookDelivery', 'resendWebhookDeliveries'],
  ...['replaceModerationTexts', 'replaceModerationSettings', 'replaceWords', 'testWords', 'rotateLogKey'],
  ...['saveView', 'deleteView'],
]

/** They only read, with another method than GET. */
const READING = ['checkTicket', 'getPaymentMethods']

test('every operation that writes is played, or has rows of its own', () => {
  const all = [...allOperations, ...operatorOperations]
  const played = Object.values(plays).flatMap(({ operations }) => operations)
  const listed = [...played, ...APART, ...READING]
  const writing = all.filter(({ method }) => method !== 'GET').map(({ name }) => name)
  expect(writing.filter((name) => !listed.includes(name))).toEqual([])
  expect(listed.filter((name) => !all.some((operation) => operation.name === name))).toEqual([])
})

/** So that the pairs below write what they name. */
test('every play succeeds if nobody interferes', async () => {
  const world = await newWorld(service)
  for (const { run } of Object.values(plays)) for (const side of sidesOf(world)) await run(side)
})

test.runIf(engine === 'postgres')('no pair of operations deadlocks', { timeout: 900_000 }, async () => {
  const gatekeeper = new pg.Client({ connectionString: service.context.config.databaseUrl as string })
  await gatekeeper.connect()
  const deadlocked: string[] = []
  for (const names of groupsOf(Object.keys(plays))) {
    const world = await newWorld(service)
    world.refusals = true
    const before = deadlocks(service)
    await playTogether(world, names, gatekeeper)
    if (deadlocks(service) > before) deadlocked.push(names.join(', '))
  }
  await gatekeeper.end()
  expect(deadlocked).toEqual([])
  await service.context.tipStatus.begin()
  expect(await brokenInvariants(service.context.database)).toEqual({})
})

/** More at once wait for connections to the database, rather than for each other's locks. */
const IN_HALF_A_GROUP = 3

/** In `npm test` each meets those of the next halves: every pair takes a minute. */
const MAX_OTHERS = isEachChange ? 4 : Number.POSITIVE_INFINITY

/** Groups of a few names at once: pair by pair takes four times as long. */
function groupsOf(names: readonly string[]): string[][] {
  const halves: string[][] = []
  for (let at = 0; at < names.length; at += IN_HALF_A_GROUP) halves.push(names.slice(at, at + IN_HALF_A_GROUP))
  const withOthers = (half: string[], index: number) =>
    halves.slice(index + 1, index + 1 + MAX_OTHERS).map((other) => [...half, ...other])
  return halves.flatMap(withOthers)
}

/** Likes and follows that share a batch, or wait for the one before, are one in the queue or none. */
const MAX_LOOKS = 100

/**
 * Both players play all of them, one in this and the other in the reverse order, while a tip and its author's profile are
 * locked: whoever needs them queues up, with the locks that it has already, and all go on together. Without this, statements
 * that lock in different orders rarely meet.
 */
async function playTogether(world: World, names: readonly string[], gatekeeper: pg.Client): Promise<void> {
  const { tip, profileId } = world.players[0]
  await gatekeeper.query(`begin; select 1 from comment where id = ${tip} for no key update;
    select 1 from profile where id = ${profileId} for no key update`)
  const lanes: Promise<unknown>[] = []
  let ended = 0
  const [one, other] = sidesOf(world)
  for (const index of names.keys()) {
    for (const [side, name] of [
      [one, names[index]],
      [other, names.at(-1 - index)],
    ] as const)
      lanes.push((plays[name as string] as Play).run(side).finally(() => ended++))
    let queue = 0
    for (let looks = 0; looks < MAX_LOOKS && queue <= index && queue + ended < lanes.length; looks++) {
      await pause(1)
      queue = await waiting(gatekeeper)
    }
  }
  await gatekeeper.query('commit')
  for (const end of await Promise.allSettled(lanes)) if (end.status === 'rejected') throw end.reason
}

async function waiting(gatekeeper: pg.Client): Promise<number> {
  const { rows } = await gatekeeper.query('select count(*) as waiting from pg_locks where not granted')
  return Number(rows[0].waiting)
}

function deadlocks({ context }: TestService): number {
  return context.metrics.peek().extras.paddock_database_conflicts_total?.['code="40P01"'] ?? 0
}
