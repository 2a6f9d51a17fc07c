// What the owner of a profile reads, through the public interface.

import { beforeAll, describe, expect, test } from 'vitest'
import { deleteOldNotifications } from '../../src/notifications/retention.ts'
import { notificationList } from '../../src/notifications/shapes.ts'
import { expectDocument, parseXml } from '../harness/answers.ts'
import {
  caughtUp,
  getNotifications,
  markRead,
  NONE,
  notificationsOf,
  type Shown,
  shownIn,
  summary,
} from '../harness/notifications.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'

type Member = TestCustomer & { profileId: number }

const service = useService()
let outcome: TestOutcome

beforeAll(async () => {
  ;[outcome] = (await newMatch(service)) as [TestOutcome]
})

async function send(who: Member, method: string, path: string): Promise<void> {
  const reply = await service.call(method, path, { ticket: who.ticket })
  expect([path, reply.status]).toEqual([path, expect.toSatisfy((status) => status < 300)])
}
const like = (who: Member, tip: number) => send(who, 'POST', `/v1/communities/comments/${tip}/like`)
const unlike = (who: Member, tip: number) => send(who, 'DELETE', `/v1/communities/comments/${tip}/like`)
const follow = (who: Member, whom: Member) => send(who, 'POST', `/v1/profiles/me/followings/${whom.profileId}`)
const unfollow = (who: Member, whom: Member) => send(who, 'DELETE', `/v1/profiles/me/followings/${whom.profileId}`)
const decide = (subject: string, action: string) =>
  operatorOk(service, 'POST', `/moderation/${subject}`, { action, note: 'a note that stays here' })
const erase = async ({ id }: Member) =>
  expect((await service.operator('DELETE', `/operator/v1/customers/${id}/personal-data`)).status).toBe(204)

async function members(count: number): Promise<Member[]> {
  const created: Member[] = []
  for (let index = 0; index < count; index++) created.push(await service.member())
  return created
}
const seen = ({ ticket }: Member, query?: string) => notificationsOf(service, ticket, query)
const read = (who: Member, { notification: [newest] }: Shown) => markRead(service, who.ticket, newest?.id)

describe('groups', () => {
  test('the latest actor and 12 others liked a tip', async () => {
    const [author, ...fans] = (await members(14)) as [Member, ...Member[]]
    const tip = await newTip(service, author, outcome.id, { text: 'Liked by many' })
    for (const fan of fans) await like(fan, tip)
    const shown = await seen(author)
    const latest = fans.at(-1) as Member
    expect(shown).toEqual({
      numUnread: 1,
      notification: [
        {
          id: expect.stringMatching(/^[0-9]+$/),
          type: 'liked',
          isRead: 'N',
          createdDateTimeZoned: expect.stringMatching(/^\d{4}-.*\+00:00$/),
          numActors: '13',
          profile: {
            id: `${latest.profileId}`,
            name: `player-${latest.profileId}`,
            biography: '',
            picture: '/pictures/default.png',
            createdDateTimeZoned: expect.any(String),
            numFollowings: '0',
            numFollowers: '0',
            isFlagged: 'N',
            isFollowed: 'N',
          },
          comment: { id: `${tip}`, text: 'Liked by many', status: 'A' },
        },
      ],
    })
  })

  test('each tip has its own, and followers have one', async () => {
    const [author, one, other] = (await members(3)) as [Member, Member, Member]
    const [first, second] = [await newTip(service, author, outcome.id), await newTip(service, author, outcome.id)]
    await like(one, first)
    await follow(one, author)
    await like(one, second)
    await follow(other, author)
    await like(other, first)
    expect(summary(await seen(author))).toEqual([
      `liked tip ${first} 2 by ${other.profileId}`,
      `followed 2 by ${other.profileId}`,
      `liked tip ${second} 1 by ${one.profileId}`,
    ])
    expect(await seen(one)).toEqual(NONE)
  })

  test('whether the owner follows or flagged the actor', async () => {
    const [author, fan] = (await members(2)) as [Member, Member]
    await follow(fan, author)
    await follow(author, fan)
    await send(author, 'PUT', `/v1/profiles/${fan.profileId}/flag`)
    const [newest] = (await seen(author)).notification
    expect(newest.profile).toMatchObject({ isFollowed: 'Y', isFlagged: 'Y', numFollowers: '1', numFollowings: '1' })
  })

  test('a like that is withdrawn, and a follower who leaves', async () => {
    const [author, one, other] = (await members(3)) as [Member, Member, Member]
    const tip = await newTip(service, author, outcome.id)
    for (const fan of [one, other]) await like(fan, tip)
    await follow(one, author)
    await seen(author)
    await unlike(other, tip)
    await unfollow(one, author)
    expect(summary(await seen(author))).toEqual([`liked tip ${tip} 1 by ${one.profileId}`])
    await unlike(one, tip)
    expect(await seen(author)).toEqual(NONE)
    await like(one, tip)
    await unlike(one, tip)
    await like(one, tip)
    expect(summary(await seen(author))).toEqual([`liked tip ${tip} 1 by ${one.profileId}`])
  })
})

describe('reading', () => {
  test('marks what was seen; a like that arrives meanwhile stays unread', async () => {
    const [author, one, other] = (await members(3)) as [Member, Member, Member]
    const [first, second] = [await newTip(service, author, outcome.id), await newTip(service, author, outcome.id)]
    await like(one, first)
    await like(one, second)
    const before = await seen(author)
    expect(before.numUnread).toBe(2)
    await like(other, first)
    await caughtUp(service.context.database)
    await read(author, before)
    const after = await seen(author)
    expect(after.numUnread).toBe(1)
    expect(summary(after)).toEqual([
      `liked tip ${first} 2 by ${other.profileId}`,
      `liked tip ${second} 1 by ${one.profileId} read`,
    ])
    expect(Number(after.notification[0].id)).toBeGreaterThan(Number(before.notification[0].id))
  })

  test('a group that was read stays as it is, and the next like begins another', async () => {
    const [author, one, other] = (await members(3)) as [Member, Member, Member]
    const tip = await newTip(service, author, outcome.id)
    await like(one, tip)
    await follow(one, author)
    await read(author, await seen(author))
    await like(other, tip)
    await follow(other, author)
    const [followedAgain, likedAgain] = [`followed 1 by ${other.profileId}`, `liked tip ${tip} 1 by ${other.profileId}`]
    const earlier = [`followed 1 by ${one.profileId} read`, `liked tip ${tip} 1 by ${one.profileId} read`]
    expect(summary(await seen(author))).toEqual([followedAgain, likedAgain, ...earlier])
    await unlike(one, tip)
    expect(summary(await seen(author))).toEqual([followedAgain, likedAgain, earlier[0]])
    await like(one, tip)
    expect(summary(await seen(author))).toEqual([`liked tip ${tip} 2 by ${one.profileId}`, followedAgain, earlier[0]])
  })

  test('can be repeated, takes any number, and is each customer’s own', async () => {
    const [author, fan] = (await members(2)) as [Member, Member]
    await follow(fan, author)
    await follow(author, fan)
    await seen(author)
    await markRead(service, author.ticket, 0)
    expect((await seen(author)).numUnread).toBe(1)
    for (const upTo of ['9'.repeat(40), Number.MAX_SAFE_INTEGER]) await markRead(service, author.ticket, upTo)
    expect((await seen(author)).numUnread).toBe(0)
    expect((await seen(fan)).numUnread).toBe(1)
  })

  test('a customer without a profile has none, and gets none by asking', async () => {
    const { id, ticket } = await service.customer()
    expect(await notificationsOf(service, ticket)).toEqual(NONE)
    await markRead(service, ticket, 5)
    const data = await service.operator('GET', `/operator/v1/customers/${id}/personal-data`)
    expect([data.body.profile, data.body.notifications]).toEqual([null, []])
  })
})

describe('results and decisions', () => {
  test('a settled tip, and a corrected one that is unread again', async () => {
    const [own] = (await newMatch(service)) as [TestOutcome]
    const [author] = (await members(1)) as [Member]
    const tip = await newTip(service, author, own.id)
    await settle(service, own, 'win')
    const won = await seen(author)
    expect(won.notification).toEqual([
      {
        id: expect.any(String),
        type: 'settled',
        isRead: 'N',
        createdDateTimeZoned: expect.any(String),
        comment: { id: `${tip}`, text: 'A fine price', status: 'W', result: 'win' },
      },
    ])
    await read(author, won)
    expect(summary(await seen(author))).toEqual([`settled tip ${tip} read`])
    for (const [result, status] of [
      ['lose', 'L'],
      ['void', 'A'],
    ] as const) {
      await settle(service, own, result)
      const corrected = await seen(author)
      expect([corrected.numUnread, summary(corrected)]).toEqual([1, [`settled tip ${tip}`]])
      expect(corrected.notification[0].comment).toMatchObject({ status, result })
      await read(author, corrected)
    }
  })

  test('decisions that the owner notices', async () => {
    const [author] = (await members(1)) as [Member]
    const tip = await newTip(service, author, outcome.id, { text: 'Removed and restored' })
    for (const action of ['keep', 'feature', 'unfeature', 'remove', 'restore']) await decide(`comments/${tip}`, action)
    const profile = `profiles/${author.profileId}`
    for (const action of ['keep', 'reset-name', 'reset-biography', 'reset-picture']) await decide(profile, action)
    for (const action of ['deactivate', 'reactivate']) await decide(profile, action)
    const shown = await seen(author)
    expect(shown.numUnread).toBe(8)
    expect(summary(shown)).toEqual([
      'decision reactivate',
      'decision deactivate',
      'decision reset-picture',
      'decision reset-biography',
      'decision reset-name',
      `decision restore tip ${tip}`,
      `decision remove tip ${tip}`,
      `decision feature tip ${tip}`,
    ])
    expect(shown.notification.at(-1).comment).toEqual({ id: `${tip}`, text: 'Removed and restored', status: 'A' })
    expect(JSON.stringify(shown)).not.toContain('stays here')
  })

  test('of a tip that is removed or deactivated only decisions are shown, at once', async () => {
    const [own] = (await newMatch(service)) as [TestOutcome]
    const [author, fan] = (await members(2)) as [Member, Member]
    const tip = await newTip(service, author, own.id)
    await like(fan, tip)
    await settle(service, own, 'win')
    const all = [`settled tip ${tip}`, `liked tip ${tip} 1 by ${fan.profileId}`]
    expect(summary(await seen(author))).toEqual(all)
    await decide(`comments/${tip}`, 'remove')
    const now = async () => summary(shownIn(await getNotifications(service, author.ticket)))
    expect((await now()).filter((one) => !one.startsWith('decision'))).toEqual([])
    expect(summary(await seen(author))).toEqual([`decision remove tip ${tip}`])
    await decide(`comments/${tip}`, 'restore')
    const decisions = [`decision restore tip ${tip}`, `decision remove tip ${tip}`]
    expect(summary(await seen(author))).toEqual([...decisions, ...all])
    await send(author, 'PUT', `/v1/communities/comments/${tip}`)
    expect(await now()).toEqual(decisions)
    const after = await seen(author)
    expect([after.numUnread, summary(after)]).toEqual([2, decisions])
  })
})

describe('actors who are gone', () => {
  test('a deactivated profile disappears, and returns when it is reactivated', async () => {
    const [author, one, other] = (await members(3)) as [Member, Member, Member]
    const [liked, alone] = [await newTip(service, author, outcome.id), await newTip(service, author, outcome.id)]
    await like(other, alone)
    for (const fan of [one, other]) await like(fan, liked)
    await follow(other, author)
    const before = await seen(author)
    expect(before.numUnread).toBe(3)
    await decide(`profiles/${other.profileId}`, 'deactivate')
    // At once, before the projection has seen it.
    const atOnce = shownIn(await getNotifications(service, author.ticket))
    expect(atOnce.notification.map(({ profile }: Json) => profile.id)).toEqual([`${one.profileId}`])
    expect(atOnce.numUnread).toBe(1)
    const hidden = await seen(author)
    expect([hidden.numUnread, summary(hidden)]).toEqual([1, [`liked tip ${liked} 1 by ${one.profileId}`]])
    await decide(`profiles/${other.profileId}`, 'reactivate')
    expect(await seen(author)).toEqual(before)
  })

  test('who follows while inactive is shown when active', async () => {
    const [author, fan] = (await members(2)) as [Member, Member]
    await decide(`profiles/${fan.profileId}`, 'deactivate')
    await follow(fan, author)
    expect(await seen(author)).toEqual(NONE)
    await decide(`profiles/${fan.profileId}`, 'reactivate')
    expect(summary(await seen(author))).toEqual([`followed 1 by ${fan.profileId}`])
  })

  test('an erased customer disappears for ever, with their own notifications', async () => {
    const [author, one, other] = (await members(3)) as [Member, Member, Member]
    const [liked, alone] = [await newTip(service, author, outcome.id), await newTip(service, author, outcome.id)]
    await like(other, alone)
    for (const fan of [one, other]) await like(fan, liked)
    await follow(author, other)
    expect((await seen(other)).numUnread).toBe(1)
    expect((await seen(author)).numUnread).toBe(2)
    // Not yet seen by the projection, perhaps.
    await follow(other, author)
    await erase(other)
    const expected = [`liked tip ${liked} 1 by ${one.profileId}`]
    expect(summary(shownIn(await getNotifications(service, author.ticket)))).toEqual(expected)
    expect(summary(await seen(author))).toEqual(expected)
    const path = `/operator/v1/customers/${other.id}/personal-data`
    expect((await service.operator('GET', path)).body.notifications).toEqual([])
    // Nobody is told of what happens to them from now on.
    await follow(one, other)
    await caughtUp(service.context.database)
    expect((await service.operator('GET', path)).body.notifications).toEqual([])
    // Who is taken back begins anew.
    await operatorOk(service, 'POST', `/customers/${other.id}/reinstatement`, { reason: 'came back' })
    expect(summary(await seen(author))).toEqual(expected)
  })
})

describe('lists', () => {
  test('in blocks, with the same number of unread ones', async () => {
    const [author, fan] = (await members(2)) as [Member, Member]
    const tips: number[] = []
    for (let index = 0; index < 7; index++) {
      const tip = await newTip(service, author, outcome.id)
      tips.unshift(tip)
      await like(fan, tip)
    }
    const found: number[] = []
    for (const [block, length] of [3, 3, 1].entries()) {
      const { numUnread, notification } = await seen(author, `?blockSize=3&blockNum=${block}`)
      expect([numUnread, notification.length]).toEqual([7, length])
      found.push(...notification.map(({ comment }: Json) => Number(comment.id)))
    }
    expect(found).toEqual(tips)
    for (const query of ['?blockSize=3&blockNum=3', `?blockNum=${'9'.repeat(30)}`]) {
      expect((await getNotifications(service, author.ticket, query)).status).toBe(204)
    }
  })

  test('conform to their schemas, in XML and JSON', async () => {
    const [own] = (await newMatch(service)) as [TestOutcome]
    const [author, fan] = (await members(2)) as [Member, Member]
    const tip = await newTip(service, author, own.id, { text: 'Fresher <than> & "before"' })
    await follow(fan, author)
    await like(fan, tip)
    await settle(service, own, 'lose')
    await decide(`comments/${tip}`, 'feature')
    await decide(`profiles/${author.profileId}`, 'reset-name')
    await caughtUp(service.context.database)
    for (const query of ['', '?blockSize=1']) {
      const replies = [
        await getNotifications(service, author.ticket, query),
        await getNotifications(service, author.ticket, query, 'application/xml'),
      ]
      for (const reply of replies) expectDocument(reply, notificationList)
    }
    const xml = parseXml((await getNotifications(service, author.ticket, '', 'application/xml')).text)
    expect([xml.name, xml.children.map(({ name, attributes }) => [name, attributes.type])]).toEqual([
      'whoNotifications',
      [
        ['numUnread', undefined],
        ...['decision', 'decision', 'settled', 'liked', 'followed'].map((type) => ['notification', type]),
      ],
    ])
    const texts = xml.children.flatMap((one) => one.children).filter(({ name }) => name === 'comment')
    expect(texts.map(({ children }) => children[0]?.text)).toEqual(Array(3).fill('Fresher <than> & "before"'))
  })

  test('old ones are deleted', async () => {
    const [author, fan] = (await members(2)) as [Member, Member]
    await follow(fan, author)
    const { database } = service.context
    await seen(author)
    await deleteOldNotifications(database, Date.now() - 3_600_000)
    expect((await seen(author)).numUnread).toBe(1)
    await deleteOldNotifications(database, Date.now() + 3_600_000)
    expect(await seen(author)).toEqual(NONE)
    // The log still knows of the follow; what was deleted can end.
    await unfollow(fan, author)
    await follow(fan, author)
    expect(summary(await seen(author))).toEqual([`followed 1 by ${fan.profileId}`])
  })
})
