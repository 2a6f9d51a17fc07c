import { beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/platform/runtime/durations.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { boardOf, boardUpToDate, DAY_MS, gradedTips, rankingOf, recordOf, type SettledTip } from '../harness/records.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { operatorOk } from '../harness/sportsbook.ts'

const service = useService()
type Member = TestCustomer & { profileId: number }

const idsOf = (ranking: readonly Json[]) => ranking.map(({ id }) => Number(id))
const ranked = async (query = '') => idsOf(await rankingOf(service, query))

/** Tips on so many days, one day after another from `first` days ago on. */
function tips(
  grades: string,
  { first = 4, days = 5, ...more }: Partial<SettledTip> & { first?: number; days?: number },
) {
  return [...grades].map(
    (grade, index): SettledTip => ({ ...more, grade: grade as 'W', daysAgo: first - (index % days) }),
  )
}

beforeAll(() => service.clock.hold())

test('without records the ranking is empty', async () => {
  expect(await rankingOf(service)).toEqual([])
})

describe('the sample', () => {
  let twenty: Member
  let nineteen: Member
  let fourDays: Member
  let old: Member

  beforeAll(async () => {
    const members = await Promise.all(Array.from({ length: 4 }, () => service.member()))
    ;[twenty, nineteen, fourDays, old] = members as [Member, Member, Member, Member]
    await gradedTips(service, twenty, tips('W'.repeat(20), {}))
    await gradedTips(service, nineteen, [...tips('W'.repeat(19), {}), { grade: 'V' }])
    await gradedTips(service, fourDays, tips('W'.repeat(24), { days: 4 }))
    await gradedTips(service, old, tips('W'.repeat(50), { first: 60 }))
  })

  test.each([
    ['', () => [twenty]],
    ['?numDays=30', () => [twenty]],
    ['?numDays=7', () => [twenty]],
    ['?numDays=90', () => [old]],
    ['?numDays=365', () => []],
    ['?numDays=0', () => []],
    ['?band=2-4', () => [twenty]],
    ['?band=1-2', () => []],
    ['?sportId=1', () => [twenty]],
    ['?sportId=2', () => []],
    ['?sportId=1&band=2-4&numDays=90', () => [old]],
  ] as [string, () => Member[]][])('of the ranking %s', async (query, expected) => {
    expect(await ranked(query)).toEqual(expected().map(({ profileId }) => profileId))
  })

  test('a record says whether it is ranked', async () => {
    const isRanked = async ({ profileId }: Member, query: string) =>
      (await recordOf(service, profileId, query)).isRanked
    expect(await isRanked(twenty, '?numDays=30')).toBe('Y')
    expect(await isRanked(twenty, '?numDays=90')).toBe('N')
    expect(await isRanked(twenty, '?numDays=30&inPlay=Y')).toBe('N')
    expect(await isRanked(nineteen, '?numDays=30')).toBe('N')
    expect(await isRanked(fourDays, '?numDays=30')).toBe('N')
    expect(await isRanked(old, '?numDays=90')).toBe('Y')
    expect(await isRanked(old, '')).toBe('N')
  })

  test('an entry has the profile and its figures, with n and dates', async () => {
    const [entry] = await rankingOf(service, '', nineteen.ticket)
    const { from, to, numSettled, yieldLow, ...rest } = await recordOf(service, twenty.profileId, '?numDays=30')
    expect(entry).toMatchObject({ rank: '1', id: `${twenty.profileId}`, name: expect.any(String), isFollowed: 'N' })
    expect(entry.record).toMatchObject({ from, to, numSettled, yieldLow, numWon: rest.numWon, profit: rest.profit })
    for (const absent of ['numOpen', 'streak', 'longestLosing', 'isRanked']) {
      expect(entry.record).not.toHaveProperty(absent)
    }
  })
})

describe('the order', () => {
  // In sport 7 only.
  const rank = () => ranked('?sportId=7')
  const seven = { sportId: 7 }
  let members: Member[] = []

  test('is by the lower end of the interval, then more settled, then lower id', async () => {
    members = await Promise.all(Array.from({ length: 5 }, () => service.member()))
    members.sort((one, other) => one.profileId - other.profileId)
    const [good, sameLater, withVoid, lucky, bad] = members as [Member, Member, Member, Member, Member]
    const even = tips('WWWL'.repeat(6), seven)
    await gradedTips(service, bad, tips('WLLL'.repeat(6), seven))
    // A higher yield with a wider interval: one winner at 40/1.
    const outsider: SettledTip = { grade: 'W', daysAgo: 1, price: { num: 40, den: 1 }, ...seven }
    await gradedTips(service, lucky, [...tips('L'.repeat(20), seven), outsider])
    await gradedTips(service, sameLater, even)
    await gradedTips(service, good, even)
    await gradedTips(service, withVoid, [...even, { grade: 'V', ...seven }])
    expect(await rank()).toEqual([withVoid, good, sameLater, bad, lucky].map(({ profileId }) => profileId))
    const [first, , , , last] = await rankingOf(service, '?sportId=7')
    expect(Number(last.record.yield)).toBeGreaterThan(Number(first.record.yield))
  })

  test('leaves out whoever is excluded, by an operator or by themselves', async () => {
    const before = await rank()
    const owner = members.find(({ profileId }) => profileId === before[0])?.id as number
    await operatorOk(service, 'PUT', `/customers/${owner}`, { status: 'self-excluded' })
    expect(await rank()).toEqual(before.slice(1))
    await operatorOk(service, 'POST', `/customers/${owner}/reinstatement`, { reason: 'asked for' })
    expect(await rank()).toEqual(before)
    await excludeCustomer(service.context, owner, 'time-out', (now) => now + HOUR_MS)
    expect(await rank()).toEqual(before.slice(1))
    service.clock.advance(HOUR_MS)
    expect(await rank()).toEqual(before)
  })

  test('leaves out profiles that are inactive or erased, until they come back', async () => {
    const before = await rank()
    const [first, second] = before as [number, number]
    await operatorOk(service, 'POST', `/moderation/profiles/${first}`, { action: 'deactivate', note: '' })
    expect(await rank()).toEqual(before.slice(1))
    const { body } = await service.operator('GET', '/operator/v1/records/ranking?sportId=7')
    expect(body.items.map(({ profileId, isShown }: Json) => [Number(profileId), isShown])).toEqual(
      before.map((id, index) => [id, index !== 0]),
    )
    await operatorOk(service, 'POST', `/moderation/profiles/${first}`, { action: 'reactivate', note: '' })
    expect(await rank()).toEqual(before)
    const owner = members.find(({ profileId }) => profileId === second)?.id
    await service.operator('DELETE', `/operator/v1/customers/${owner}/personal-data`)
    expect(await rank()).toEqual(before.filter((id) => id !== second))
  })
})

test('only the first 20 are shown', async () => {
  const members = await Promise.all(Array.from({ length: 22 }, () => service.member()))
  for (const member of members) await gradedTips(service, member, tips('WL'.repeat(10), { sportId: 8 }))
  const expected = members.map(({ profileId }) => profileId).sort((one, other) => one - other)
  expect(await ranked('?sportId=8')).toEqual(expected.slice(0, 20))
  await operatorOk(service, 'POST', `/moderation/profiles/${expected[3]}`, { action: 'deactivate', note: '' })
  expect(await ranked('?sportId=8')).toEqual(expected.filter((_, index) => index !== 3).slice(0, 20))
})

test('tips in play are not ranked', async () => {
  const author = await service.member()
  await gradedTips(service, author, tips('W'.repeat(25), { sportId: 9, inPlay: true }))
  expect(await ranked('?sportId=9')).toEqual([])
})

test('when a day begins, what left a window is no longer ranked by it', async () => {
  const author = await service.member()
  await gradedTips(service, author, tips('WL'.repeat(12), { sportId: 10, first: 6 }))
  const windows = async () => {
    const found = []
    for (const days of [7, 30, 90, 365]) if ((await ranked(`?sportId=10&numDays=${days}`)).length > 0) found.push(days)
    return found
  }
  expect(await windows()).toEqual([7, 30])
  service.clock.advance(DAY_MS)
  expect(await windows()).toEqual([30])
  service.clock.advance(22 * DAY_MS)
  expect(await windows()).toEqual([30])
  service.clock.advance(DAY_MS)
  expect(await windows()).toEqual([])
  await boardUpToDate(service)
  expect((await boardOf(service.context.database)).filter(({ sport_id }) => sport_id === 10)).toEqual([])
})
