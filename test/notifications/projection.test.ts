// The projection counts each event exactly once: when it fails at any statement, when several run, after a settlement of
// many tips, and while everything is read and written at once.

import { AsyncResource } from 'node:async_hooks'
import { describe, expect, test, vi } from 'vitest'
import { catchUp } from '../../src/event-log/projection.ts'
import { eventList, logEvents, newEvent } from '../../src/event-log/store.ts'
import { moderationKinds } from '../../src/moderation/event-kinds.ts'
import { listNotifications, markNotificationsRead } from '../../src/notifications/notifications.ts'
import { notificationsProjection } from '../../src/notifications/projection.ts'
import { openDatabase } from '../../src/platform/configured-database.ts'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import {
  caughtUp,
  getNotifications,
  markRead,
  notificationProblems,
  notificationsOf,
  positioned,
  type Shown,
  shownIn,
  summary,
} from '../harness/notifications.ts'
import { outcomeWithTips } from '../harness/outcome-with-tips.ts'
import {
  engine,
  newTestDatabase,
  startTestService,
  type TestCustomer,
  type TestDatabase,
  type TestService,
} from '../harness/service.ts'
import { sessionsWait } from '../harness/sessions-wait.ts'
import { newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'

type Member = TestCustomer & { profileId: number }

async function withDatabase(work: (testDatabase: TestDatabase) => Promise<void>): Promise<void> {
  const testDatabase = await newTestDatabase()
  try {
    await work(testDatabase)
  } finally {
    await testDatabase.remove()
  }
}

async function withService<T>(
  testDatabase: TestDatabase,
  extensions: 'on' | 'off',
  work: (service: TestService) => Promise<T>,
): Promise<T> {
  const service = await startTestService({ EXTENSIONS: extensions, LOG_LEVEL: 'silent' }, testDatabase)
  try {
    return await work(service)
  } finally {
    await service.close()
  }
}

async function members(service: TestService, count: number): Promise<Member[]> {
  const created: Member[] = []
  for (let index = 0; index < count; index++) created.push(await service.member())
  return created
}

const send = (service: TestService, { ticket }: Member, method: string, path: string) =>
  service.call(method, path, { ticket })
const tipPath = (tip: number) => `/v1/communities/comments/${tip}`
const followingPath = ({ profileId }: Member) => `/v1/profiles/me/followings/${profileId}`

/** Everything that the projection reads: likes, follows, a result, decisions, an erasure. */
async function happenings(service: TestService) {
  const [author, one, other, gone] = (await members(service, 4)) as [Member, Member, Member, Member]
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const tip = await newTip(service, author, outcome.id)
  for (const fan of [one, other, gone]) {
    await send(service, fan, 'POST', `${tipPath(tip)}/like`)
    await send(service, fan, 'POST', followingPath(author))
  }
  await send(service, one, 'DELETE', `${tipPath(tip)}/like`)
  await settle(service, outcome, 'win')
  await operatorOk(service, 'POST', `/moderation/comments/${tip}`, { action: 'feature', note: '' })
  await operatorOk(service, 'POST', `/moderation/profiles/${one.profileId}`, { action: 'deactivate', note: '' })
  await service.operator('DELETE', `/operator/v1/customers/${gone.id}/personal-data`)
  await positioned(service.context.database)
  const expected = [
    `decision feature tip ${tip}`,
    `settled tip ${tip}`,
    `followed 1 by ${other.profileId}`,
    `liked tip ${tip} 1 by ${other.profileId}`,
  ]
  return { author, expected }
}

/** Fails once, before the statement of this number or after it. */
function failing(database: Database, number: number, when: 'before' | 'after'): Database & { reached(): boolean } {
  let seen = 0
  const watch = async <T>(work: () => T | Promise<T>): Promise<T> => {
    seen++
    if (seen === number && when === 'before') throw new Error('killed')
    const result = await work()
    if (seen === number && when === 'after') throw new Error('killed')
    return result
  }
  const inside = (transaction: Database): Database => ({
    ...transaction,
    query: (statement, parameters, last) => watch(() => transaction.query(statement, parameters, last)),
    one: (statement, parameters, last) => watch(() => transaction.one(statement, parameters, last)),
    run: (statement, parameters, last) => watch(() => transaction.run(statement, parameters, last)),
  })
  return {
    ...database,
    transaction: (work, durability) => database.transaction((transaction) => work(inside(transaction)), durability),
    reached: () => seen >= number,
  }
}

const written = reading<NoParameters, { notifications: number; actors: number; position: number }>(
  'writtenSoFar',
  `select (select count(*) from notification) as notifications, (select count(*) from notification_actor) as actors,
     position from notification_cursor`,
)

test.each(['before', 'after'] as const)('a batch that fails %s any statement leaves nothing, or all', async (when) => {
  await withDatabase(async (testDatabase) => {
    const { author, expected } = await withService(testDatabase, 'off', async (service) => {
      const happened = await happenings(service)
      const { database } = service.context
      let failures = 0
      for (let number = 1; ; number++) {
        const attempt = failing(database, number, when)
        const failed = await catchUp(attempt, notificationsProjection).then(
          () => false,
          () => true,
        )
        if (!failed) break
        failures++
        const { notifications, actors, position } = (await database.one(written, {})) as Record<string, number>
        // The last statement commits.
        if (position === 0) expect([notifications, actors]).toEqual([0, 0])
      }
      expect(failures).toBeGreaterThan(8)
      return happened
    })
    await withService(testDatabase, 'on', async (service) => {
      expect(summary(await notificationsOf(service, author.ticket))).toEqual(expected)
    })
  })
})

test.each([0, 1_000])('an erasure that is read %i events later, after the customer was taken back', async (events) => {
  await withDatabase(async (testDatabase) => {
    const { author, expected } = await withService(testDatabase, 'off', async (service) => {
      const [author, gone] = (await members(service, 2)) as [Member, Member]
      await send(service, gone, 'POST', followingPath(author))
      await send(service, author, 'POST', followingPath(gone))
      const kept = { decisionId: '1', action: 'keep' }
      const decided = newEvent(moderationKinds, 'decision.made', { id: author.profileId, data: kept, now: Date.now() })
      const other = { ...decided, subject_type: 'profile' }
      await service.context.database.run(logEvents, { rows: eventList.of(Array(events).fill(other)) })
      await service.operator('DELETE', `/operator/v1/customers/${gone.id}/personal-data`)
      await operatorOk(service, 'POST', `/customers/${gone.id}/reinstatement`, { reason: 'came back' })
      const [outcome] = (await newMatch(service)) as [TestOutcome]
      const tip = await newTip(service, author, outcome.id)
      const ticket = (await service.context.sessions?.issue(gone.id, null))?.ticket as string
      await send(service, { ...gone, ticket }, 'POST', `${tipPath(tip)}/like`)
      return { author: { ...author, gone: ticket }, expected: [`liked tip ${tip} 1 by ${gone.profileId}`] }
    })
    await withService(testDatabase, 'on', async (service) => {
      expect(summary(await notificationsOf(service, author.ticket))).toEqual(expected)
      expect(summary(await notificationsOf(service, author.gone))).toEqual([])
    })
  })
})

test('several processes at once', async () => {
  await withDatabase(async (testDatabase) => {
    await withService(testDatabase, 'on', async (service) => {
      const { config, database } = service.context
      const others = engine === 'postgres' ? [1, 2, 3].map(() => openDatabase(config)) : [database, database]
      try {
        const [author, ...fans] = (await members(service, 21)) as [Member, ...Member[]]
        const [outcome] = (await newMatch(service)) as [TestOutcome]
        const tip = await newTip(service, author, outcome.id)
        for (const fan of fans) {
          await Promise.all([
            send(service, fan, 'POST', `${tipPath(tip)}/like`),
            send(service, fan, 'POST', followingPath(author)),
            ...others.map((other) => catchUp(other, notificationsProjection)),
          ])
        }
        const { notification } = await notificationsOf(service, author.ticket)
        expect(notification.map(({ type, numActors }) => `${type} ${numActors}`).sort()).toEqual([
          'followed 20',
          'liked 20',
        ])
        expect(await notificationProblems(database)).toEqual({})
      } finally {
        if (engine === 'postgres') for (const other of others) await other.close()
      }
    })
  })
})

// SQLite has one writer at a time.
test.runIf(engine === 'postgres')('a group cannot be marked as read while an actor is being added', async () => {
  await withDatabase(async (testDatabase) => {
    await withService(testDatabase, 'off', async (service) => {
      const { context } = service
      const [author, one, other] = (await members(service, 3)) as [Member, Member, Member]
      const project = async (database: Database) => {
        await positioned(context.database)
        await catchUp(database, notificationsProjection)
      }
      const listed = () => listNotifications(context, author.id, { blockSize: 20, blockNum: 0 })
      await send(service, one, 'POST', followingPath(author))
      await project(context.database)
      const seen = (await listed())?.notification[0]?.id as number
      await send(service, other, 'POST', followingPath(author))
      let reading: Promise<void> | undefined
      await project(
        beforeStatement(context.database, 'insertActors', async () => {
          // The transaction has begun: what it starts must not count as part of it.
          reading = outside(() => markNotificationsRead(context, author.id, seen))
          await Promise.race([reading, sessionsWait(testDatabase, 1)])
        }),
      )
      await reading
      const after = await listed()
      expect(after?.numUnread).toBe(1)
      expect(after?.notification).toMatchObject([{ isRead: false, numActors: 2, profile: { id: other.profileId } }])
    })
  })
})

const outside = AsyncResource.bind((work: () => Promise<void>) => work())

function beforeStatement(database: Database, name: string, work: () => Promise<unknown>): Database {
  const inside = (transaction: Database): Database => ({
    ...transaction,
    async run(statement, parameters, last) {
      if (statement.name === name) await work()
      return transaction.run(statement, parameters, last)
    },
  })
  return {
    ...database,
    transaction: (run, durability) => database.transaction((transaction) => run(inside(transaction)), durability),
  }
}

const authorOf = reading<{ outcomeId: number }, { customer_id: number }>(
  'authorOf',
  `select p.customer_id from comment c join profile p on p.id = c.author_id where c.outcome_id = :outcomeId limit 1`,
)

test('a settlement of 1,200 tips passes in batches; unread ones are counted up to 1,000', async () => {
  const TIPS = 1_200
  await withDatabase(async (testDatabase) => {
    const outcome = await outcomeWithTips(testDatabase, TIPS)
    await withService(testDatabase, 'on', async (service) => {
      const { database, sessions, metrics } = service.context
      const author = (await database.one(authorOf, { outcomeId: outcome.id }))?.customer_id as number
      const ticket = (await sessions?.issue(author, null))?.ticket as string
      await settle(service, outcome, 'lose')
      const lastBlock = () => getNotifications(service, ticket, `?blockSize=100&blockNum=${TIPS / 100 - 1}`)
      await vi.waitFor(async () => expect((await lastBlock()).status).toBe(200), { timeout: 100_000, interval: 100 })
      await caughtUp(database)
      const last = shownIn(await lastBlock())
      expect([last.numUnread, last.notification.length]).toEqual([1_000, 100])
      expect((await getNotifications(service, ticket, `?blockSize=100&blockNum=${TIPS / 100}`)).status).toBe(204)
      const first = shownIn(await getNotifications(service, ticket))
      expect(first.notification[0]).toMatchObject({ type: 'settled', comment: { status: 'L' } })
      const [, statements] = /_count\{statement="insertNotifications"\} (\d+)/.exec(metrics.render()) ?? []
      expect(Number(statements)).toBeLessThan(TIPS / 10)
      await markRead(service, ticket, first.notification[0].id)
      expect(shownIn(await lastBlock()).numUnread).toBe(0)
    })
  })
})

describe('everything at once', () => {
  /** Repeatable numbers. */
  function dice(seed: number): (sides: number) => number {
    let state = seed
    return (sides) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * sides)
    }
  }

  test('likes, follows, reads and moderation', async () => {
    await withDatabase(async (testDatabase) => {
      await withService(testDatabase, 'on', async (service) => {
        const people = await members(service, 6)
        const [outcome] = (await newMatch(service)) as [TestOutcome]
        const tips: number[] = []
        for (const author of people.slice(0, 3)) tips.push(await newTip(service, author, outcome.id))
        const play = async (seed: number) => {
          const roll = dice(seed)
          const member = () => people[roll(people.length)] as Member
          const method = () => (roll(3) === 0 ? 'DELETE' : 'POST')
          for (let turn = 0; turn < 60; turn++) {
            const what = roll(20)
            if (what < 9) await send(service, member(), method(), `${tipPath(tips[roll(3)] as number)}/like`)
            else if (what < 15) await send(service, member(), method(), followingPath(member()))
            else if (what < 19) await readSome(service, member(), roll(3))
            else await moderate(service, member(), roll(2) === 0 ? 'deactivate' : 'reactivate')
          }
        }
        await Promise.all([1, 2, 3, 4, 5, 6].map(play))
        await caughtUp(service.context.database)
        expect(await notificationProblems(service.context.database)).toEqual({})
      })
    })
  })

  async function readSome(service: TestService, { ticket }: Member, index: number): Promise<void> {
    const { notification }: Shown = shownIn(await getNotifications(service, ticket))
    const id = notification[index]?.id
    if (id !== undefined) await markRead(service, ticket, id)
  }

  async function moderate(service: TestService, { profileId }: Member, action: string): Promise<void> {
    await operatorOk(service, 'POST', `/moderation/profiles/${profileId}`, { action, note: '' })
  }
})
