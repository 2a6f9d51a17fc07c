// The contract knows W, L and A. Each of the seven results of a settlement shows as one of them: at once, also in lists
// whose copies are not updated yet.

import { expect, test } from 'vitest'
import { eventKinds } from '../../src/operator/events/event-kinds.ts'
import { RESULTS, type Result } from '../../src/record/figures.ts'
import { applyChange } from '../../src/sportsbook/change.ts'
import { settleMarket } from '../../src/sportsbook/settlement.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { caughtUp, getNotifications } from '../harness/notifications.ts'
import { type Json, useService } from '../harness/service.ts'
import { commentIds, newMatch, newTip } from '../harness/sportsbook.ts'

const service = useService()

const STATUS: Record<Result, string> = {
  win: 'W',
  'half-win': 'W',
  lose: 'L',
  'half-lose': 'L',
  place: 'L',
  void: 'A',
  push: 'A',
}

test('a tip has the status of its result before and after lists are updated, and in its notification', async () => {
  const { database, tipStatus } = service.context
  const [author, reader] = [await service.member(), await service.member()]
  await service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket: reader.ticket })
  const outcomes = await newMatch(service, { outcomes: RESULTS.length })
  const { marketId, sportId } = outcomes[0]!
  const tips = new Map<number, Result>()
  for (const [index, result] of RESULTS.entries()) {
    tips.set(await newTip(service, author, outcomes[index]!.id), result)
  }
  const statuses = async () => {
    const shown: [number, string][] = []
    for (const id of tips.keys()) {
      const reply = await service.call('GET', `/v1/communities/comments/${id}`, { accept: 'application/json' })
      shown.push([id, reply.json().whoCommunities.comment.status])
    }
    return shown
  }
  const variants = ['', '&sortOrder=L', '&sortOrder=E'].flatMap((order) => [order, `${order}&sportId=${sportId}`])
  const lists = async () => {
    const found: (readonly number[])[] = []
    for (const list of variants) {
      for (const status of ['W', 'A']) {
        found.push(await commentIds(service, `profiles/${author.profileId}?status=${status}${list}`))
        found.push(await commentIds(service, `profiles/me/followings?status=${status}${list}`, reader.ticket))
      }
    }
    return found
  }
  const expected = [...tips].map(([id, result]) => [id, STATUS[result]])
  // Newest first: they have the same event, and nobody likes them.
  const winners = [...tips].flatMap(([id, result]) => (STATUS[result] === 'W' ? [id] : [])).reverse()

  // Only this test updates tips.
  await tipStatus.close()
  const results = Object.fromEntries(RESULTS.map((result, index) => [outcomes[index]!.id, result]))
  await database.transaction((transaction) => applyChange(transaction, settleMarket(marketId, results), () => 1))
  expect(await statuses()).toEqual(expected)
  expect(await lists()).toEqual(variants.flatMap(() => [winners, winners, [], []]))

  await tipStatus.begin()
  expect(await statuses()).toEqual(expected)
  expect(await lists()).toEqual(variants.flatMap(() => [winners, winners, [], []]))
  expect(await brokenInvariants(database)).toEqual({})

  await caughtUp(database)
  const { notification } = (await getNotifications(service, author.ticket)).json().whoNotifications
  const settled = notification.filter(({ type }: Json) => type === 'settled')
  const ofTips = settled.map(({ comment }: Json) => [Number(comment.id), comment.status])
  expect(ofTips.reverse()).toEqual(expected)
})

test('the events of settled tips may have every result', () => {
  for (const kind of ['tip.settled', 'tip.corrected'] as const) {
    expect(eventKinds[kind].data).toMatchObject({ properties: { result: { enum: RESULTS } } })
  }
})
