import { beforeAll, expect, test } from 'vitest'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()
const [DARTS, GOLF] = [901, 902]
type Member = TestCustomer & { profileId: number }
let ann: Member
let bob: Member
/** In the order in which they were created: ann and bob in turn, the last two on golf. */
const ids: number[] = []

async function read(query = ''): Promise<Json> {
  const reply = await service.operator('GET', `/operator/v1/comments${query}`)
  expect(reply.status).toBe(200)
  return reply.body
}

const idsIn = ({ items }: Json): number[] => items.map(({ id }: Json) => Number(id))

/** All pages of the list. */
async function allIds(query: string): Promise<number[]> {
  const found: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = await read(`?limit=2&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    found.push(...idsIn(page))
    cursor = page.cursor
  }
  return found
}

const decide = (id: number, action: string) =>
  service.operator('POST', `/operator/v1/moderation/comments/${id}`, { action, note: '' })

beforeAll(async () => {
  ann = await service.member()
  bob = await service.member()
  const outcomes: TestOutcome[] = []
  for (const sportId of [DARTS, DARTS, DARTS, GOLF, GOLF]) {
    outcomes.push(...((await newMatch(service, { sportId, outcomes: 1 })) as TestOutcome[]))
  }
  for (const [index, { id }] of outcomes.entries()) ids.push(await newTip(service, index % 2 === 0 ? ann : bob, id))
  const [first, , third] = ids as [number, number, number]
  for (const [liker, id] of [
    [ann, ids[1]],
    [bob, first],
    [ann, ids[3]],
  ] as const) {
    await service.call('POST', `/v1/communities/comments/${id}/like`, { ticket: liker.ticket })
  }
  await service.call('POST', `/v1/communities/comments/${first}/like`, { ticket: (await service.member()).ticket })
  expect((await decide(first, 'feature')).status).toBe(200)
  expect((await decide(third, 'remove')).status).toBe(200)
})

test('the newest tips come first, page by page, with author, outcome and likes', async () => {
  const newestFirst = [...ids].reverse()
  expect(await allIds('order=newest')).toEqual(newestFirst)
  const { items } = await read()
  expect(items.at(-1)).toEqual({
    id: String(ids[0]),
    text: expect.any(String),
    state: 'live',
    result: 'open',
    isFeatured: true,
    numLikes: 2,
    createdAt: expect.any(String),
    sportId: String(DARTS),
    profileId: String(ann.profileId),
    profileName: expect.any(String),
    outcome: expect.any(String),
    event: expect.any(String),
    startsAt: '2030-01-01T15:00:00.000Z',
  })
})

test('tips are filtered by state, sport, author and featured, in every combination', async () => {
  const sportOf = (id: number) => (ids.indexOf(id) < 3 ? DARTS : GOLF)
  const authorOf = (id: number) => (ids.indexOf(id) % 2 === 0 ? ann.profileId : bob.profileId)
  const stateOf = (id: number) => (id === ids[2] ? 'removed' : 'live')
  for (const sportId of ['', DARTS, GOLF]) {
    for (const profileId of ['', ann.profileId]) {
      for (const state of ['', 'live', 'removed', 'deactivated']) {
        for (const featured of ['', 'true']) {
          const sent = Object.entries({ sportId, profileId, state, featured }).filter(([, value]) => value !== '')
          const query = sent.map(([name, value]) => `${name}=${value}`).join('&')
          const expected = [...ids]
            .reverse()
            .filter((id) => sportId === '' || sportOf(id) === sportId)
            .filter((id) => profileId === '' || authorOf(id) === profileId)
            .filter((id) => state === '' || stateOf(id) === state)
            .filter((id) => featured === '' || id === ids[0])
          expect({ query, found: await allIds(query) }).toEqual({ query, found: expected })
        }
      }
    }
  }
})

test('the most liked come first, without removed ones', async () => {
  const [first, second, , fourth, fifth] = ids
  expect(await allIds('order=liked')).toEqual([first, fourth, second, fifth])
  expect(await allIds(`order=liked&sportId=${GOLF}`)).toEqual([fourth, fifth])
  expect(await allIds(`order=liked&profileId=${ann.profileId}`)).toEqual([first, fifth])
  expect(await allIds(`order=liked&profileId=${ann.profileId}&sportId=${DARTS}`)).toEqual([first])
})

test('bad input is refused', async () => {
  const queries = ['order=oldest', 'state=gone', 'sportId=x', 'cursor=x', 'limit=101', 'order=liked&state=live']
  for (const query of [...queries, 'order=liked&featured=true']) {
    const { status } = await service.operator('GET', `/operator/v1/comments?${query}`)
    expect({ query, status }).toEqual({ query, status: 422 })
  }
})

test('the outcomes that gather the most tips are listed with their likes', async () => {
  const [outcome] = (await newMatch(service, { sportId: GOLF, outcomes: 1 })) as [TestOutcome]
  for (const member of [ann, bob]) await newTip(service, member, outcome.id)
  const { body } = await service.operator('GET', '/operator/v1/outcomes/top')
  expect(body.items[0]).toMatchObject({ id: String(outcome.id), sportId: String(GOLF), numTips: 2, numLikes: 0 })
  // The removed tip counts no more.
  expect(body.items.map(({ numTips }: Json) => numTips)).toEqual([2, 1, 1, 1, 1])
  expect(body.items.map(({ numLikes }: Json) => numLikes)).toEqual([0, 2, 1, 1, 0])
})
