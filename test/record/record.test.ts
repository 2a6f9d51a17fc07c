import { beforeAll, describe, expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import { DAY_MS, gradedTips, recordOf, recordTipsOf, type SettledTip } from '../harness/records.ts'
import { call, type Json, startTestService, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()
type Member = TestCustomer & { profileId: number }

const TWO_TO_ONE = { num: 2, den: 1 }
const date = (daysAgo: number) => new Date(service.clock.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
const idsOf = (tips: readonly { id: string }[]) => tips.map(({ id }) => Number(id))

beforeAll(() => service.clock.hold())

test('a profile without tips has a record of zeros', async () => {
  const { profileId } = await service.member()
  expect(await recordOf(service, profileId)).toEqual({
    numSettled: '0',
    numWon: '0',
    numLost: '0',
    numVoid: '0',
    numOpen: '0',
    numWithdrawn: '0',
    staked: '0.00',
    profit: '0.00',
    isRanked: 'N',
  })
  expect(await recordTipsOf(service, profileId)).toEqual([])
})

test('fields are in the order of the schema, in XML', async () => {
  const author = await service.member()
  await gradedTips(service, author, [
    { grade: 'W', daysAgo: 1, price: TWO_TO_ONE, closing: { num: 3, den: 2 } },
    { grade: 'L', daysAgo: 0 },
  ])
  const { text } = await service.call('GET', `/v1/profiles/${author.profileId}/record`)
  expect(text).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>\n<whoProfiles><profile id="${author.profileId}"><record><from>${date(1)}</from>` +
      `<to>${date(0)}</to><numSettled>2</numSettled><numWon>1</numWon><numLost>1</numLost><numVoid>0</numVoid>` +
      '<numOpen>0</numOpen><numWithdrawn>0</numWithdrawn><strikeRate>50.00</strikeRate><staked>2.00</staked>' +
      '<profit>1.00</profit><yield>50.00</yield><yieldLow>-196.75</yieldLow><yieldHigh>296.75</yieldHigh>' +
      '<averageOdds>2.50</averageOdds><closing><num>1</num><average>20.00</average><beaten>1</beaten></closing>' +
      '<streak><type>L</type><length>1</length></streak><longestLosing>1</longestLosing><isRanked>N</isRanked>' +
      '</record></profile></whoProfiles>',
  )
})

describe('windows and filters', () => {
  let author: Member
  const TIPS: readonly SettledTip[] = [
    { grade: 'W', daysAgo: 400 },
    { grade: 'L', daysAgo: 365 },
    { grade: 'W', daysAgo: 364, sportId: 2 },
    { grade: 'L', daysAgo: 90 },
    { grade: 'L', daysAgo: 89, sportId: 2 },
    { grade: 'W', daysAgo: 30, price: TWO_TO_ONE },
    { grade: 'L', daysAgo: 29, price: { num: 3, den: 1 } },
    { grade: 'W', daysAgo: 7, price: { num: 1, den: 2 } },
    { grade: 'V', daysAgo: 6 },
    { grade: 'L', daysAgo: 6, withdrawn: true },
    { grade: 'L', daysAgo: 0, price: { num: 15, den: 1 } },
    { grade: 'W', daysAgo: 0, inPlay: true },
  ]

  beforeAll(async () => {
    author = await service.member()
    await gradedTips(service, author, TIPS)
  })

  test.each([
    ['', { numSettled: '11', numWon: '4', numLost: '6', numVoid: '1', numWithdrawn: '1', profit: '-1.50' }],
    ['?numDays=', { numSettled: '11' }],
    ['?numDays=365', { numSettled: '9', numWon: '3', numLost: '5', from: 364 }],
    ['?numDays=90', { numSettled: '7', numWon: '2', numLost: '4', from: 89 }],
    ['?numDays=30', { numSettled: '5', numWon: '1', numLost: '3', from: 29 }],
    ['?numDays=7', { numSettled: '3', numWon: '0', numLost: '2', numVoid: '1', from: 6, longestLosing: '2' }],
    ['?sportId=2', { numSettled: '2', numWon: '1', numLost: '1', from: 364, to: 89 }],
    ['?sportId=2&numDays=90', { numSettled: '1', numLost: '1' }],
    ['?sportId=99', { numSettled: '0', staked: '0.00' }],
    ['?sportId=99999999999999999999', { numSettled: '0' }],
    ['?sportId=9007199254740991', { numSettled: '0' }],
    ['?band=1-2', { numSettled: '1', numWon: '1', averageOdds: '1.50' }],
    ['?band=2-4', { numSettled: '8' }],
    ['?band=4-8', { numSettled: '1', averageOdds: '4.00' }],
    ['?band=8-16', { numSettled: '0' }],
    ['?band=16-up', { numSettled: '1', averageOdds: '16.00' }],
    ['?inPlay=Y', { numSettled: '1', numWon: '1', isRanked: 'N' }],
    ['?inPlay=N', { numSettled: '11' }],
  ])('the record of %s', async (query, { from, to, ...expected }: Record<string, unknown>) => {
    const record = await recordOf(service, author.profileId, query)
    expect(record).toMatchObject(expected)
    if (from !== undefined) expect(record.from).toBe(date(from as number))
    if (to !== undefined) expect(record.to).toBe(date(to as number))
  })

  test('the next day, the oldest of a window is out', async () => {
    const later = await recordOf(service, author.profileId, '?numDays=30')
    service.clock.advance(DAY_MS)
    expect([later.numSettled, (await recordOf(service, author.profileId, '?numDays=30')).numSettled]).toEqual([
      '5',
      '4',
    ])
    service.clock.advance(-DAY_MS)
  })
})

describe('streaks', () => {
  test('are in the order of settlement, and void tips break none', async () => {
    const author = await service.member()
    await gradedTips(service, author, [
      { grade: 'W', daysAgo: 0 },
      { grade: 'L', daysAgo: 5 },
      { grade: 'L', daysAgo: 4 },
      { grade: 'V', daysAgo: 3 },
      { grade: 'L', daysAgo: 2 },
      { grade: 'W', daysAgo: 1 },
    ])
    const { profileId } = author
    const record = await recordOf(service, profileId)
    expect([record.streak, record.longestLosing]).toEqual([{ type: 'W', length: '2' }, '3'])
  })
})

test('open tips of the profile are counted until they are settled', async () => {
  const author = await service.member()
  const outcomes = (await newMatch(service, { outcomes: 3 })) as TestOutcome[]
  for (const { id } of outcomes) await newTip(service, author, id)
  const open = async (query = '') => (await recordOf(service, author.profileId, query)).numOpen
  expect([await open(), await open('?sportId=2')]).toEqual(['3', '3'])
  const [first] = outcomes as [TestOutcome]
  await operatorOk(service, 'POST', `/markets/${first.marketId}/settlement`, { results: { [first.id]: 'win' } })
  const record = await recordOf(service, author.profileId)
  expect([record.numOpen, record.numSettled, record.profit]).toEqual(['2', '1', '1.10'])
})

test('of two tips on one outcome the first counts', async () => {
  const author = await service.member()
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await newTip(service, author, outcome.id)
  await newTip(service, author, outcome.id)
  await operatorOk(service, 'POST', `/markets/${outcome.marketId}/settlement`, { results: { [outcome.id]: 'win' } })
  expect((await recordOf(service, author.profileId)).numSettled).toBe('1')
})

describe('the tips of a record', () => {
  let author: Member
  let ids: number[]

  beforeAll(async () => {
    author = await service.member()
    ids = await gradedTips(service, author, [
      {
        grade: 'W',
        daysAgo: 2,
        price: TWO_TO_ONE,
        closing: { num: 3, den: 2 },
        rule4: 25,
        cashOuts: '[{"at":1000,"num":1,"den":2}]',
      },
      { grade: 'L', daysAgo: 1, withdrawn: true, eachWay: { num: 1, den: 5 } },
      { grade: 'V', daysAgo: 1 },
      { grade: 'W', daysAgo: 0, startingPrice: { num: 7, den: 4 } },
      { grade: 'L', daysAgo: 0, inPlay: true },
    ])
  })

  test('are all there, the newest settlement first', async () => {
    const tips = await recordTipsOf(service, author.profileId)
    expect(idsOf(tips)).toEqual(ids.slice(0, 4).reverse())
    expect(tips.map(({ status, isWithdrawn, staked, profit }) => [status, isWithdrawn, staked, profit])).toEqual([
      ['W', 'N', '1.00', '1.75'],
      ['V', 'N', '0.00', '0.00'],
      ['L', 'Y', '2.00', '-2.00'],
      ['W', 'N', '1.00', '1.50'],
    ])
    expect(idsOf(await recordTipsOf(service, author.profileId, '?inPlay=Y'))).toEqual(ids.slice(4))
  })

  test('have their terms, their result and their event', async () => {
    const [atStartingPrice, , eachWay, first] = await recordTipsOf(service, author.profileId)
    expect(first).toEqual({
      id: `${ids[0]}`,
      betId: expect.stringMatching(/^\d+$/),
      status: 'W',
      isWithdrawn: 'N',
      createdDateTimeZoned: expect.stringMatching(/\+00:00$/),
      settled: date(2),
      odds: '3.00',
      price: '2/1',
      staked: '1.00',
      profit: '1.50',
      closing: '20.00',
      result: 'win',
      rule4: '0.25',
      text: expect.stringContaining('Tip on'),
      event: {
        id: expect.any(String),
        sportId: '1',
        name: expect.any(String),
        market: {
          id: expect.any(String),
          name: 'Match result',
          outcome: { id: expect.any(String), name: expect.stringContaining('Outcome') },
        },
      },
      cashOut: { dateTimeZoned: '1970-01-01T00:00:01.000+00:00', fraction: '1/2' },
    })
    expect(atStartingPrice).toMatchObject({ odds: '2.75', startingPrice: '7/4' })
    expect(atStartingPrice).not.toHaveProperty('price')
    expect(eachWay).toMatchObject({ eachWay: '1/5' })
    expect(eachWay).not.toHaveProperty('text')
  })

  test('are those that won, lost or are void, on request', async () => {
    const of = async (query: string) => idsOf(await recordTipsOf(service, author.profileId, query))
    expect(await of('?status=W')).toEqual([ids[3], ids[0]])
    expect(await of('?status=L')).toEqual([ids[1]])
    expect(await of('?status=V')).toEqual([ids[2]])
    expect(await of('?status=')).toEqual(ids.slice(0, 4).reverse())
    expect(await of('?status=L&inPlay=Y')).toEqual(ids.slice(4))
    expect(await of('?status=W&blockSize=1&blockNum=1')).toEqual([ids[0]])
    expect(await of('?status=W&blockNum=1')).toEqual([])
  })

  test('come in blocks', async () => {
    const block = async (query: string) => idsOf(await recordTipsOf(service, author.profileId, query))
    expect(await block('?blockSize=3')).toEqual([ids[3], ids[2], ids[1]])
    expect(await block('?blockSize=3&blockNum=1')).toEqual([ids[0]])
    expect(await block('?blockSize=3&blockNum=2')).toEqual([])
  })
})

test('tips that were written long before are where they were settled, in every block', async () => {
  const author = await service.member()
  const days = [3, 0, 5, 1, 3, 2, 0]
  const ids = await gradedTips(
    service,
    author,
    days.map((daysAgo, index) => ({ grade: index % 2 === 0 ? 'W' : 'L', daysAgo })),
  )
  const bySettlement = [6, 1, 3, 5, 4, 0, 2]
  const blocks = async (query: string) => {
    const found: Json[] = []
    for (let blockNum = 0; ; blockNum++) {
      const block = await recordTipsOf(service, author.profileId, `?blockSize=2&blockNum=${blockNum}${query}`)
      if (block.length === 0) return found
      found.push(...block)
    }
  }
  const all = await blocks('')
  expect(idsOf(all as { id: string }[])).toEqual(bySettlement.map((index) => ids[index]))
  expect(all.map(({ settled }) => settled)).toEqual([0, 0, 1, 2, 3, 3, 5].map(date))
  const won = bySettlement.filter((index) => index % 2 === 0).map((index) => ids[index])
  expect(idsOf((await blocks('&status=W')) as { id: string }[])).toEqual(won)
})

test('an inactive profile has neither record nor tips', async () => {
  const author = await service.member()
  await gradedTips(service, author, 'W')
  await operatorOk(service, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'deactivate', note: '' })
  for (const path of ['record', 'record/tips']) {
    const reply = await service.call('GET', `/v1/profiles/${author.profileId}/${path}`)
    expectFault(reply, `/v1/profiles/{id}/${path}`, 'noProfile', 'id')
  }
})

test('a tip that its author withdraws stays, without its text', async () => {
  const author = await service.member()
  const [id] = await gradedTips(service, author, 'L')
  await service.call('PUT', `/v1/communities/comments/${id}`, { ticket: author.ticket })
  expect(await recordOf(service, author.profileId)).toMatchObject({ numSettled: '1', numLost: '1', numWithdrawn: '1' })
  const [tip] = await recordTipsOf(service, author.profileId)
  expect(tip).toMatchObject({ id: `${id}`, isWithdrawn: 'Y', profit: '-1.00' })
  expect(tip).not.toHaveProperty('text')
})

test('without extensions there are no records, and nothing describes them', async () => {
  const contract = await startTestService({ EXTENSIONS: 'off' })
  try {
    const { profileId } = await contract.member()
    for (const path of [`${profileId}/record`, `${profileId}/record/tips`, 'ranking/records']) {
      const reply = await call(contract.publicUrl, 'GET', `/v1/profiles/${path}`, {})
      expectFault(reply, `/v1/profiles/${path}`, 'noSuchPath', undefined)
    }
    for (const path of ['/openapi.json', '/postman.json', '/docs', '/docs/search.json']) {
      expect(await (await fetch(contract.publicUrl + path)).text()).not.toMatch(/getRecord|yieldLow/)
    }
  } finally {
    await contract.close()
  }
})

test('every figure has its meaning in OpenAPI, in the XSD and in the reference', async () => {
  const page = (await (await fetch(`${service.publicUrl}/docs/getRecord`)).text()).replaceAll('<wbr/>', '')
  const xsd = await (await fetch(`${service.publicUrl}/schemas/getRecord.xsd`)).text()
  const openApi = (await (await fetch(`${service.publicUrl}/openapi.json`)).json()) as Json
  const { properties } =
    openApi.components.schemas.getRecord.properties.whoProfiles.items.properties.profile.properties.record
  for (const [name, { description }] of Object.entries(properties as Record<string, { description?: string }>)) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)])
    expect(xsd).toContain(`<xs:documentation>${description}</xs:documentation>`)
    expect(page).toContain(`.record.${name}</code>`)
    expect(page).toContain(`${description}`.replaceAll("'", '&#39;').replaceAll('<', '&lt;'))
  }
})
