// Comments with `details=Y`: who wrote them, at which price, the result, and what they won or lost.

import { beforeAll, expect, test } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { expectDocument, expectFault } from '../harness/answers.ts'
import { gradedTips, recordTipsOf } from '../harness/records.ts'
import {
  call,
  type Json,
  KEY,
  type Reply,
  SECRET,
  startTestService,
  type TestCustomer,
  useService,
} from '../harness/service.ts'
import { newBet, newMatch, newTip, operatorOk, postTip, settle, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService({ LOG_LEVEL: 'silent' })
const AT = '/v1/communities/comments'

type Member = TestCustomer & { profileId: number }

let author: Member
let reader: Member
let tip: number

beforeAll(async () => {
  author = await service.member()
  reader = await service.member()
  await service.call('PUT', '/v1/profiles/me?name=Carol+%26+Co', { ticket: author.ticket })
  await service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket: reader.ticket })
  tip = await newTip(service, author, (await newOutcome()).id, { text: 'Detailed through and through' })
})

const newOutcome = async () => (await newMatch(service))[0] as TestOutcome

/** Every operation that reads comments. */
function reads(): { operation: string; path: string; ticket: string }[] {
  return [
    { operation: 'getCommentsById', path: `${AT}/${tip}?`, ticket: reader.ticket },
    {
      operation: 'getAllCommentbyProfileId',
      path: `${AT}/profiles/${author.profileId}?status=A`,
      ticket: reader.ticket,
    },
    { operation: 'getAllMyComments', path: `${AT}/profiles/me?status=A`, ticket: author.ticket },
    { operation: 'getAllMyFollowingsComments', path: `${AT}/profiles/me/followings?status=A`, ticket: reader.ticket },
    { operation: 'searchComments', path: '/v1/search/comments?q=detailed', ticket: reader.ticket },
  ]
}

const read = (path: string, ticket: string, accept = 'application/json') =>
  service.call('GET', path, { ticket, accept })

function commentsOf(reply: Reply): Json[] {
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return [reply.json().whoCommunities.comment].flat()
}

async function detailsOf(id: number) {
  const [comment] = commentsOf(await read(`${AT}/${id}?details=Y`, reader.ticket))
  const { profile, tipPrice, result } = comment
  return { profile, tipPrice, result }
}

const CAROL = () => ({ id: `${author.profileId}`, name: 'Carol & Co', picture: '/pictures/default.png' })
const AT_11_TO_10 = { priceNum: '11', priceDen: '10', priceFrac: '11/10', priceDec: '2.10', priceUS: '110' }

test('every operation adds them at the end, in both representations; otherwise it answers as before', async () => {
  for (const { operation, path, ticket } of reads()) {
    const [plain] = commentsOf(await read(path, ticket))
    expect([operation, Object.keys(plain).at(-1)]).toEqual([operation, 'event'])
    for (const more of ['&details=N', '&details=']) {
      expect((await read(path + more, ticket)).text).toBe((await read(path, ticket)).text)
    }
    const [detailed] = commentsOf(await read(`${path}&details=Y`, ticket))
    expect([operation, detailed]).toEqual([operation, { ...plain, profile: CAROL(), tipPrice: AT_11_TO_10 }])
    const { document } = allOperations.find(({ name }) => name === operation)?.answer ?? {}
    for (const accept of ['application/json', 'application/xml']) {
      expectDocument(await read(`${path}&details=Y`, ticket, accept), document as NonNullable<typeof document>)
    }
    expectFault(await read(`${path}&details=y`, ticket), AT, 'invalid', 'details')
  }
})

test('each comment of a feed has its own author and price, in one statement for all', async () => {
  const [fan, other] = [await service.member(), await service.member()]
  for (const { profileId } of [author, other]) {
    await service.call('POST', `/v1/profiles/me/followings/${profileId}`, { ticket: fan.ticket })
  }
  const { id } = await newOutcome()
  await operatorOk(service, 'PATCH', `/outcomes/${id}`, { price: { num: 4, den: 9 } })
  await newTip(service, other, id)
  const path = `${AT}/profiles/me/followings?status=A&details=Y`
  const countStatements = () => service.statementsByName().get('detailsOfComments') ?? 0
  const before = countStatements()
  const shown = commentsOf(await read(path, fan.ticket)).map((one) => [one.profile.id, one.tipPrice.priceFrac])
  expect(shown.slice(0, 2)).toEqual([
    [`${other.profileId}`, '4/9'],
    [`${author.profileId}`, '11/10'],
  ])
  expect(countStatements()).toBe(before + 1)
})

test('a new tip has them, by query or form, and they cost nothing', async () => {
  const { id } = await newOutcome()
  const before = service.statementsByName().get('detailsOfComments')
  const byQuery = commentsOf(await postTip(service, author, id, { more: '&details=Y' }))
  expect(byQuery).toMatchObject([{ profile: CAROL(), tipPrice: AT_11_TO_10 }])
  expect(commentsOf(await read(`${AT}/${byQuery[0]?.id}`, author.ticket))[0]).not.toHaveProperty('profile')
  const betId = await newBet(service, author.id, [id])
  const byForm = await service.call('POST', `${AT}/me/outcomes/${id}`, {
    ticket: author.ticket,
    accept: 'application/json',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `betId=${betId}&text=Fine&details=Y`,
  })
  expect(commentsOf(byForm)).toMatchObject([{ profile: CAROL() }])
  expect(service.statementsByName().get('detailsOfComments')).toBe(before)
})

test('the price is that of the record: what the price is now, and what the client gave, does not matter', async () => {
  const { id } = await newOutcome()
  const first = await newTip(service, author, id, { more: '&priceNum=50&priceDen=1' })
  await operatorOk(service, 'PATCH', `/outcomes/${id}`, { price: { num: 3, den: 1 } })
  expect(await detailsOf(first)).toMatchObject({ tipPrice: AT_11_TO_10 })
  const [shown] = commentsOf(await read(`${AT}/${first}?details=Y`, reader.ticket))
  expect(shown.event.market.outcome.livePrice.priceFrac).toBe('3/1')
  // Of an author's tips on one outcome the first counts.
  const second = await newTip(service, author, id)
  expect((await detailsOf(second)).tipPrice).toBeUndefined()
})

test('a tip at starting price says so, and has the price once it is reported', async () => {
  const outcome = await newOutcome()
  const betId = await newBet(service, author.id, [outcome.id])
  const legs = [{ outcomeId: `${outcome.id}`, startingPrice: true }]
  await operatorOk(service, 'PUT', `/bets/${betId}`, { customerId: author.id, outcomeIds: [outcome.id], legs })
  const id = await newTip(service, author, outcome.id, { betId })
  expect((await detailsOf(id)).tipPrice).toEqual({ startingPrice: 'Y' })
  await settle(service, outcome, { result: 'win', startingPrice: { num: 9, den: 2 } })
  expect((await detailsOf(id)).tipPrice).toMatchObject({ startingPrice: 'Y', priceFrac: '9/2', priceDec: '5.50' })
})

test.each(['win', 'lose', 'void', 'push', 'half-win', 'half-lose', 'place'] as const)(
  'the result %s',
  async (result) => {
    const outcome = await newOutcome()
    const id = await newTip(service, author, outcome.id)
    expect((await detailsOf(id)).result).toBeUndefined()
    await settle(service, outcome, result)
    expect((await detailsOf(id)).result).toBe(result)
  },
)

const FIFTH = { num: 1, den: 5 }
const HALF = { num: 1, den: 2 }

/** Worked out by hand, for one point on each part. */
const SETTLEMENTS = [
  {
    name: 'each way at 7/2 with 10p of Rule 4',
    leg: { price: { num: 7, den: 2 }, eachWay: { ...FIFTH, places: 3 } },
    told: { result: 'win', rule4: '0.10' },
    shown: { eachWay: '1/5', settlement: { status: 'W', staked: '2.00', profit: '3.78', rule4: '0.10' } },
  },
  {
    name: 'each way and placed in a dead heat',
    leg: { price: { num: 10, den: 1 }, eachWay: { ...FIFTH, places: 3 } },
    told: { result: 'place', placeDeadHeat: HALF },
    shown: { eachWay: '1/5', settlement: { status: 'L', staked: '2.00', profit: '-0.50', placeDeadHeat: '1/2' } },
  },
  {
    name: 'a dead heat for the win',
    leg: { price: { num: 10, den: 1 } },
    told: { result: 'win', deadHeat: HALF },
    shown: { settlement: { status: 'W', staked: '1.00', profit: '4.50', deadHeat: '1/2' } },
  },
  {
    name: 'at starting price, from which nothing is deducted',
    leg: { startingPrice: true },
    told: { result: 'win', startingPrice: { num: 4, den: 1 }, rule4: '0.25' },
    shown: { settlement: { status: 'W', staked: '1.00', profit: '4.00' } },
  },
  {
    name: 'void',
    leg: { price: { num: 7, den: 2 } },
    told: { result: 'void' },
    shown: { settlement: { status: 'V', staked: '0.00', profit: '0.00' } },
  },
]

test.each(SETTLEMENTS)('what a tip won or lost, as its record says it: $name', async ({ leg, told, shown }) => {
  const tipster = await service.member()
  const outcome = await newOutcome()
  await operatorOk(service, 'PATCH', `/outcomes/${outcome.id}`, { price: { num: 20, den: 1 } })
  const betId = await newBet(service, tipster.id, [outcome.id])
  const legs = [{ outcomeId: `${outcome.id}`, ...leg }]
  await operatorOk(service, 'PUT', `/bets/${betId}`, { customerId: tipster.id, outcomeIds: [outcome.id], legs })
  const id = await newTip(service, tipster, outcome.id, { betId })
  const termsOf = ({ eachWay, settlement }: Json) => ({ eachWay, settlement })
  const readTip = async () => termsOf(commentsOf(await read(`${AT}/${id}?details=Y`, reader.ticket))[0] as Json)
  expect(await readTip()).toEqual({ eachWay: shown.eachWay, settlement: undefined })

  await settle(service, outcome, told)
  expect(await readTip()).toEqual(shown)
  const [recorded] = (await recordTipsOf(service, tipster.profileId)) as [Json]
  const { status, staked, profit, deadHeat, placeDeadHeat, rule4 } = recorded
  expect(JSON.parse(JSON.stringify({ status, staked, profit, deadHeat, placeDeadHeat, rule4 }))).toEqual(
    shown.settlement,
  )
})

test('a tip that does not count has a result, but won and lost nothing', async () => {
  const outcome = await newOutcome()
  await newTip(service, author, outcome.id)
  const second = await newTip(service, author, outcome.id)
  await settle(service, outcome, 'win')
  const [shown] = commentsOf(await read(`${AT}/${second}?details=Y`, reader.ticket))
  expect([shown?.result, shown?.settlement]).toEqual(['win', undefined])
})

test('prices and results are those of getRecordTips', async () => {
  const other = await service.member()
  await gradedTips(service, other, [
    { grade: 'W', price: { num: 7, den: 4 } },
    { grade: 'L', startingPrice: { num: 5, den: 2 } },
    { grade: 'V' },
  ])
  const tips = await recordTipsOf(service, other.profileId)
  expect(tips).toHaveLength(3)
  for (const { id, price, startingPrice, odds, result } of tips) {
    const { tipPrice, ...details } = await detailsOf(Number(id))
    expect([tipPrice.priceFrac, tipPrice.startingPrice]).toEqual([price ?? startingPrice, startingPrice && 'Y'])
    expect([tipPrice.priceDec, details.result]).toEqual([odds, result])
    expect(details.profile).toMatchObject({ id: `${other.profileId}`, name: `player-${other.profileId}` })
  }
})

test('tips of an inactive profile, and across a block, are not shown with details either', async () => {
  const [hidden, blocker] = [await service.member(), await service.member()]
  const id = await newTip(service, hidden, (await newOutcome()).id)
  const path = `${AT}/${id}?details=Y`
  await service.call('PUT', `/v1/profiles/me/blocks/${hidden.profileId}`, { ticket: blocker.ticket })
  expectFault(await read(path, blocker.ticket), AT, 'noComment', 'id')
  expect((await read(path, reader.ticket)).status).toBe(200)
  await operatorOk(service, 'POST', `/moderation/profiles/${hidden.profileId}`, { action: 'deactivate', note: '' })
  expectFault(await read(path, reader.ticket), AT, 'noComment', 'id')
})

test('without extensions they are ignored, and nothing describes them', async () => {
  const contract = await startTestService({ EXTENSIONS: 'off', LOG_LEVEL: 'silent' })
  try {
    const own = await contract.member()
    const [outcome] = (await newMatch(contract)) as [TestOutcome]
    const betId = await newBet(contract, own.id, [outcome.id])
    const options = { key: KEY, secret: SECRET, ticket: own.ticket, accept: 'application/json' }
    const path = `${AT}/me/outcomes/${outcome.id}?betId=${betId}&text=Fine&details=Y`
    const [created] = commentsOf(await call(contract.publicUrl, 'POST', path, options))
    expect(Object.keys(created).at(-1)).toBe('event')
    const answer = async (query: string) =>
      (await call(contract.publicUrl, 'GET', `${AT}/${created.id}${query}`, options)).text
    expect(await answer('?details=Y')).toBe(await answer(''))
    expect(await answer('?details=x')).toBe(await answer(''))
    for (const page of ['/openapi.json', '/docs/getCommentsById', '/schemas/getCommentsById.xsd']) {
      const describes = async (url: string) => (await (await fetch(url + page)).text()).includes('tipPrice')
      expect([page, await describes(contract.publicUrl), await describes(service.publicUrl)]).toEqual([
        page,
        false,
        true,
      ])
    }
  } finally {
    await contract.close()
  }
})
