// A match day with 50 customers: tips, likes, follows, moderation, suspensions, results and corrections in any order,
// and every list and count compared with a plain model, also while comments still follow a settlement.

import { expect, test } from 'vitest'
import { readFeed } from '../../src/communities/feed.ts'
import { settleMarket } from '../../src/sportsbook/settlement.ts'
import { dice, MatchDay, type ModelOutcome, type ModelTip, type Query, type Result } from '../harness/match-day.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { listed, newMatch, newTip, told } from '../harness/sportsbook.ts'

const service = useService({ LOG_LEVEL: 'silent' })
const SEED = Number(process.env.MATCH_DAY_SEED ?? 20_261_115)
const STEPS = 400
const CHECK_EVERY = 50

type Member = TestCustomer & { profileId: number }

test(`everything agrees with the model (MATCH_DAY_SEED=${SEED})`, async () => {
  // Only this test moves comments, so that it can look while they have not followed yet.
  await service.context.standing.close()
  const chance = dice(SEED)
  const model = new MatchDay()
  const members: Member[] = []
  for (let count = 0; count < 50; count++) members.push(await service.member())
  const outcomes = await offer(model)
  const live = () => model.tips.filter((tip) => model.isShown(tip))
  const react = (tip: ModelTip, member: Member, method: string, what: string) =>
    service.call(method, `/v1/communities/comments/${tip.id}/${what}`, { ticket: member.ticket })

  const deeds: [weight: number, deed: () => Promise<void>][] = [
    [
      12,
      async () => {
        const member = chance.pick(members)
        const outcome = chance.pick(outcomes.filter((one) => one.result === null))
        if (outcome === undefined || model.inactive.has(member.profileId)) return
        const id = await newTip(service, member, outcome.id)
        model.tips.push({ id, author: member.profileId, outcome, likes: new Set(), state: 'live' })
      },
    ],
    [
      10,
      async () => {
        const [tip, member] = [chance.pick(live()), chance.pick(members)]
        if (tip === undefined) return
        const takeBack = chance.below(4) === 0
        expect((await react(tip, member, takeBack ? 'DELETE' : 'POST', 'like')).status).toBe(204)
        if (takeBack) tip.likes.delete(member.profileId)
        else if (tip.author !== member.profileId) tip.likes.add(member.profileId)
      },
    ],
    [
      6,
      async () => {
        const [one, other] = [chance.pick(members), chance.pick(members)]
        if (one === other || model.inactive.has(other.profileId)) return
        const key = `${one.profileId} ${other.profileId}`
        const method = model.follows.has(key) ? 'DELETE' : 'POST'
        const path = `/v1/profiles/me/followings/${other.profileId}`
        expect((await service.call(method, path, { ticket: one.ticket })).status).toBeLessThan(300)
        if (!model.follows.delete(key)) model.follows.add(key)
      },
    ],
    [
      1,
      async () => {
        const tip = chance.pick(live())
        const owner = members.find((member) => member.profileId === tip?.author)
        if (tip === undefined || owner === undefined) return
        await service.call('PUT', `/v1/communities/comments/${tip.id}`, { ticket: owner.ticket })
        tip.state = 'deactivated'
      },
    ],
    [
      1,
      async () => {
        const tip = chance.pick(live())
        if (tip === undefined) return
        await told(service, 'POST', `/moderation/comments/${tip.id}`, { action: 'remove' })
        tip.state = 'removed'
      },
    ],
    [
      1,
      async () => {
        const { profileId } = chance.pick(members)
        const action = model.inactive.has(profileId) ? 'reactivate' : 'deactivate'
        await told(service, 'POST', `/moderation/profiles/${profileId}`, { action })
        if (!model.inactive.delete(profileId)) model.inactive.add(profileId)
      },
    ],
    [
      1,
      async () => {
        const { eventId } = chance.pick(outcomes)
        const start = Date.UTC(2030, 0, 1 + chance.below(20))
        await told(service, 'PATCH', `/events/${eventId}`, { startTime: new Date(start).toISOString() })
        model.starts.set(eventId, start)
      },
    ],
    [1, () => settleSomething(chance, outcomes)],
  ]
  const bag = deeds.flatMap(([weight, deed]) => new Array<typeof deed>(weight).fill(deed))
  for (let step = 1; step <= STEPS; step++) {
    await chance.pick(bag)()
    if (step % CHECK_EVERY !== 0) continue
    await settleSomething(chance, outcomes)
    await checkLists(chance, model, members)
    await service.context.standing.begin()
    await checkLists(chance, model, members)
    await checkCounts(model, members)
  }
  expect(model.tips.length).toBeGreaterThan(50)
})

async function offer(model: MatchDay): Promise<ModelOutcome[]> {
  const outcomes: ModelOutcome[] = []
  for (let match = 0; match < 8; match++) {
    const start = Date.UTC(2030, 0, 1 + (match % 3))
    const options = { sportId: 1 + (match % 2), startTime: new Date(start).toISOString(), outcomes: 3 }
    for (const outcome of await newMatch(service, options)) {
      outcomes.push({ ...outcome, result: null })
      model.starts.set(outcome.eventId, start)
    }
  }
  return outcomes
}

/** Without the batches that the operator's call would do: until its next call, comments have not followed. */
async function settleSomething(chance: ReturnType<typeof dice>, outcomes: ModelOutcome[]): Promise<void> {
  const { marketId } = chance.pick(outcomes)
  const mine = outcomes.filter((one) => one.marketId === marketId)
  const results = Object.fromEntries(mine.map(({ id }) => [id, chance.pick<Result>(['win', 'lose', 'void'])]))
  await service.context.database.transaction((transaction) =>
    settleMarket(transaction, marketId, results, service.clock.now()),
  )
  for (const outcome of mine) outcome.result = results[outcome.id] as Result
}

async function checkLists(chance: ReturnType<typeof dice>, model: MatchDay, members: Member[]): Promise<void> {
  for (const sortOrder of ['R', 'L', 'E'] as const) {
    for (const status of ['A', 'W'] as const) {
      for (const sportId of [null, 1 + chance.below(2)]) {
        const query: Query = { status, sortOrder, sportId, size: 1 + chance.below(20), num: 1 + chance.below(3) }
        const { profileId, ticket } = chance.pick(members)
        const sport = sportId === null ? '' : `&sportId=${sportId}`
        const asked = `status=${status}&sortOrder=${sortOrder}${sport}&blockSize=${query.size}&blockNum=${query.num}`
        const found = {
          mine: await listed(service, `profiles/me?${asked}`, ticket),
          feed: await listed(service, `profiles/me/followings?${asked}`, ticket),
          // As for one who follows many.
          window: (
            await readFeed(service.context.database, profileId, true, {
              ...query,
              blockSize: query.size,
              blockNum: query.num,
            })
          ).flatMap(({ id }) => (id === null ? [] : [id])),
        }
        expect({ asked, ...found }).toEqual({
          asked,
          mine: model.byAuthor(profileId, query),
          feed: model.feed(profileId, query),
          window: model.feed(profileId, query),
        })
      }
    }
  }
}

async function checkCounts(model: MatchDay, members: Member[]): Promise<void> {
  for (const { profileId, ticket } of members) {
    const reply = await service.call('GET', '/v1/profiles/me?communities=Y', { ticket, accept: 'application/json' })
    const { numLive, numWinning } = reply.json().whoProfiles[0].profile.communities.comments
    expect({ profileId, numLive: Number(numLive), numWinning: Number(numWinning) }).toEqual({
      profileId,
      ...model.counts(profileId),
    })
  }
  const top = await service.call('GET', '/v1/communities/comments/outcomes/top', { accept: 'application/json' })
  const events: Json[] = top.status === 204 ? [] : [top.json().whoCommunities.event].flat()
  const found = events.map(({ market: { outcome } }) => ({
    id: Number(outcome.id),
    numLive: Number(outcome.comments.numLive),
    numLikes: Number(outcome.numLikes),
  }))
  expect(found).toEqual(model.top())
}
