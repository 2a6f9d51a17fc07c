// Blocks at the same time as follows, mutes and other blocks of the same pair.

import { afterEach, expect, test } from 'vitest'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { notificationProblems, notificationsOf } from '../harness/notifications.ts'
import { type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService({ LOG_LEVEL: 'silent' })
type Member = TestCustomer & { profileId: number }

afterEach(async () => expect(await brokenInvariants(service.context.database)).toEqual({}))

const send = (who: Member, method: string, list: string, whom: Member) =>
  service.call(method, `/v1/profiles/me/${list}/${whom.profileId}`, { ticket: who.ticket })

async function statusesOf(calls: Promise<{ status: number }>[]): Promise<number[]> {
  return (await Promise.all(calls)).map(({ status }) => status)
}

test('no follow is left across a block, whichever comes first', async () => {
  for (let round = 0; round < 15; round++) {
    const [one, other] = [await service.member(), await service.member()] as const
    const follows = [1, 2, 3].flatMap(() => [
      send(one, 'POST', 'followings', other),
      send(other, 'POST', 'followings', one),
    ])
    const statuses = await statusesOf([...follows.slice(0, round % 6), send(one, 'PUT', 'blocks', other), ...follows])
    expect(statuses.every((status) => status === 204 || status === 404)).toBe(true)
    for (const { profileId } of [one, other]) {
      const { text } = await service.call('GET', `/v1/profiles/${profileId}`)
      expect(text).toContain('<numFollowings>0</numFollowings>')
      expect(text).toContain('<numFollowers>0</numFollowers>')
    }
  }
})

test('two who block each other at once: one of them has blocked', async () => {
  for (let round = 0; round < 10; round++) {
    const [one, other] = [await service.member(), await service.member()] as const
    const statuses = await statusesOf([send(one, 'PUT', 'blocks', other), send(other, 'PUT', 'blocks', one)])
    expect(statuses.sort()).toEqual([204, 404])
  }
})

test('a follow and its mute at once: the follow has the mute', async () => {
  for (let round = 0; round < 10; round++) {
    const [reader, author] = [await service.member(), await service.member()] as const
    const calls = [send(reader, 'POST', 'followings', author), send(reader, 'PUT', 'mutes', author)]
    expect(await statusesOf(round % 2 === 0 ? calls : calls.reverse())).toEqual([204, 204])
  }
})

test('a like that is noted while its author is blocked is shown to neither', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  for (let round = 0; round < 5; round++) {
    const [author, fan] = [await service.member(), await service.member()] as const
    const tip = await newTip(service, author, outcome.id)
    const like = () => service.call('POST', `/v1/communities/comments/${tip}/like`, { ticket: fan.ticket })
    await Promise.all([like(), send(author, 'PUT', 'blocks', fan)])
    expect((await notificationsOf(service, author.ticket)).notification).toEqual([])
  }
  const { 'a like has an actor': _, ...problems } = await notificationProblems(service.context.database)
  expect(problems).toEqual({})
})
