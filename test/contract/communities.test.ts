// The faults of createCommentOnOutcomeId in their order, and the parameters of lists.

import { describe, expect, test } from 'vitest'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import {
  commentIds,
  newBet,
  newMatch,
  newTip,
  operatorOk,
  postTip,
  settle,
  type TestOutcome,
} from '../harness/sportsbook.ts'

const service = useService()
const trusting = useService({ BET_CHECK: 'trust' })
const AT = '/v1/communities/comments'

function fault(reply: { status: number; json: () => Json }) {
  const { faultCode, faultName } = reply.json().whoFaults.fault
  return [reply.status, faultCode, faultName]
}

type TipParameters = Record<string, string | undefined>

async function create(ticket: string, outcome: string | number, parameters: TipParameters) {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const path = `${AT}/me/outcomes/${outcome}?${new URLSearchParams(pairs)}`
  return service.call('POST', path, { ticket, accept: 'application/json' })
}

async function prepared() {
  const [outcome] = (await newMatch(service, { sportId: 50 })) as [TestOutcome]
  const author = await service.member()
  const betId = await newBet(service, author.id, [outcome.id])
  return { outcome, author, betId, good: { betId: `${betId}`, text: 'Sound each way' } as TipParameters }
}

describe('the form of a tip', () => {
  test.each<[string, TipParameters, string, string]>([
    ['no bet', { betId: undefined }, '10070', 'betId'],
    ['an empty bet', { betId: '' }, '10070', 'betId'],
    ['no text', { text: undefined }, '10070', 'text'],
    ['missing comes before invalid', { betId: 'x', text: '' }, '10070', 'text'],
    ['a bet that is no number', { betId: '1x' }, '10071', 'betId'],
    ['a bet beyond any', { betId: '9'.repeat(30) }, '10071', 'betId'],
    ['a text too long', { text: 'é'.repeat(301) }, '10071', 'text'],
    ['a control character', { text: 'a\u0007b' }, '10071', 'text'],
    ['a linked id that is no number', { linkedId: 'x' }, '10071', 'linkedOutcomeId'],
    ['a numerator of nothing', { priceNum: '0', priceDen: '1' }, '10071', 'priceNum'],
    ['a broken denominator', { priceNum: '1', priceDen: '1.5' }, '10071', 'priceDen'],
    ['a numerator alone', { priceNum: '1' }, '10071', 'priceDen'],
    ['a denominator alone', { priceDen: '1' }, '10071', 'priceNum'],
    ['a starting price other than Y', { startingPrice: 'N' }, '10071', 'startingPrice'],
  ])('is refused with %s', async (_what, change, code, name) => {
    const { outcome, author, good } = await prepared()
    const reply = await create(author.ticket, outcome.id, { ...good, ...change })
    expect(fault(reply)).toEqual([400, code, name])
    expect(await commentIds(service, 'profiles/me?status=A', author.ticket)).toEqual([])
  })

  test('outcome ids', async () => {
    const { author, good } = await prepared()
    expect(fault(await create(author.ticket, '', good))).toEqual([400, '10070', 'outcomeId'])
    expect(fault(await create(author.ticket, 'x', good))).toEqual([400, '10071', 'outcomeId'])
    expect(fault(await create(author.ticket, '9'.repeat(30), good))).toEqual([400, '10071', 'outcomeId'])
  })

  test('numbers larger than any id are well-formed: an unknown linked id is ignored, a bet is checked after the outcome', async () => {
    const { outcome, author, good } = await prepared()
    const huge = '9'.repeat(30)
    const unknown = { ...good, betId: huge }
    expect(fault(await create(author.ticket, 999_999, unknown))).toEqual([400, '10071', 'outcomeId'])
    expect(fault(await create(author.ticket, outcome.id, { ...unknown, text: '...' }))).toEqual([400, '10071', 'betId'])
    const linked = (await create(author.ticket, outcome.id, { ...good, linkedId: huge })).json().whoCommunities.comment
    expect(linked.event.market.outcome).not.toHaveProperty('linkedId')
  })

  test('300 characters are accepted, blank optional parameters count as absent, a form works too', async () => {
    const { outcome, author, good } = await prepared()
    const blank = { linkedId: '', priceNum: '', priceDen: '', startingPrice: '' }
    const reply = await create(author.ticket, outcome.id, { ...good, ...blank, text: '😀é'.repeat(150) })
    expect(reply.json().whoCommunities.comment.text).toBe('😀é'.repeat(150))
    const betId = await newBet(service, author.id, [outcome.id])
    const form = await service.call('POST', `${AT}/me/outcomes/${outcome.id}?text=From+the+query`, {
      ticket: author.ticket,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `betId=${betId}&text=From+the+form&priceNum=1&priceDen=2`,
    })
    expect(form.text).toContain('<text>From the query</text>')
  })
})

test('refusals have the order of the contract', async () => {
  const { outcome, author, good } = await prepared()
  const stranger = await service.member()
  const ask = async (change: TipParameters, who: TestCustomer = author, id: number = outcome.id) =>
    fault(await create(who.ticket, id, { ...good, ...change }))
  const rude = { text: 'what the fuck' }
  // Everything is wrong at first; then one thing after the other is fixed.
  expect((await create(author.ticket, outcome.id, good)).status).toBe(200)
  await operatorOk(service, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'deactivate' })
  await operatorOk(service, 'PUT', '/sports/50', { name: 'Fifty', communities: false })
  await operatorOk(service, 'PATCH', `/events/${outcome.eventId}`, { status: 'suspended' })
  expect(await ask(rude, stranger, 999_999)).toEqual([400, '10071', 'outcomeId'])
  expect(await ask(rude, stranger)).toEqual([400, '10071', 'betId'])
  expect(await ask(rude)).toEqual([400, '30432', 'text'])
  expect(await ask({ text: '...' })).toEqual([400, '30431', 'text'])
  expect(await ask({})).toEqual([400, '30490', 'id'])
  await operatorOk(service, 'PATCH', `/events/${outcome.eventId}`, { status: 'active' })
  expect(await ask({})).toEqual([400, '30492', `${outcome.id}`])
  await operatorOk(service, 'PUT', '/sports/50', { name: 'Fifty', communities: true })
  expect(await ask({})).toEqual([400, '30491', ''])
  await operatorOk(service, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'reactivate' })
  expect(await ask({})).toEqual([409, '30520', 'betId'])
})

test('a bet must contain the outcome; a settled market accepts no tips; a deactivated tip can be replaced', async () => {
  const { outcome, author, betId, good } = await prepared()
  const [elsewhere] = (await newMatch(service)) as [TestOutcome]
  expect(fault(await create(author.ticket, elsewhere.id, good))).toEqual([400, '10071', 'betId'])
  const first = await newTip(service, author, outcome.id, { betId })
  await service.call('PUT', `${AT}/${first}`, { ticket: author.ticket })
  await newTip(service, author, outcome.id, { betId })
  await settle(service, outcome, 'lose')
  expect(fault(await create(author.ticket, outcome.id, good))).toEqual([400, '30490', 'id'])
})

test('BET_CHECK=trust accepts any well-formed bet', async () => {
  const [outcome] = (await newMatch(trusting)) as [TestOutcome]
  const author = await trusting.customer()
  expect((await postTip(trusting, author, outcome.id, { betId: 123_456 })).status).toBe(200)
  expect((await postTip(trusting, author, outcome.id, { betId: 123_456 })).status).toBe(409)
  // The owner of the bet is unknown, so that another customer may tip on it too.
  const other = await trusting.customer()
  expect((await postTip(trusting, other, outcome.id, { betId: 123_456 })).status).toBe(200)
  const path = `${AT}/me/outcomes/${outcome.id}?text=Sound&betId=${'9'.repeat(30)}`
  const beyond = await trusting.call('POST', path, { ticket: author.ticket, accept: 'application/json' })
  expect(fault(beyond)).toEqual([400, '10071', 'betId'])
})

test('prices: the catalogue’s own, else the one given, else none', async () => {
  const { outcome, author } = await prepared()
  const shown = async (more: string) => {
    const reply = await postTip(service, author, outcome.id, { more })
    const { livePrice, startingPrice } = reply.json().whoCommunities.comment.event.market.outcome
    return [livePrice, startingPrice]
  }
  const given = '&priceNum=2&priceDen=5&startingPrice=Y'
  expect((await shown(given))[0].priceFrac).toBe('11/10')
  await operatorOk(service, 'PATCH', `/outcomes/${outcome.id}`, { price: null })
  const price = { priceNum: '2', priceDen: '5', priceFrac: '2/5', priceDec: '1.40', priceUS: '-250' }
  expect(await shown(given)).toEqual([price, 'Y'])
  expect(await shown('')).toEqual([undefined, undefined])
})

describe('the parameters of lists', () => {
  test.each([
    ['', '10070', 'status'],
    ['status=', '10070', 'status'],
    ['status=L', '10071', 'status'],
    ['status=a', '10071', 'status'],
    ['status=A&status=A', '10071', 'status'],
    ['status=A&sortOrder=X', '10071', 'sortOrder'],
    ['status=A&sportId=x', '10071', 'sportId'],
    ['status=A&blockSize=0', '10071', 'blockSize|blockNum'],
    ['status=A&blockSize=21', '10071', 'blockSize|blockNum'],
    ['status=A&blockSize=', '10071', 'blockSize|blockNum'],
    ['status=A&blockNum=0', '10071', 'blockSize|blockNum'],
    ['status=A&blockNum=101', '10071', 'blockSize|blockNum'],
  ])('%s is refused', async (query, code, name) => {
    const { profileId, ticket } = await service.member()
    for (const list of [`profiles/${profileId}`, 'profiles/me', 'profiles/me/followings']) {
      const reply = await service.call('GET', `${AT}/${list}?${query}`, { ticket, accept: 'application/json' })
      expect(fault(reply)).toEqual([400, code, name])
    }
  })

  test('blank ones count as absent; a block after the last, and an unknown sport, are empty', async () => {
    const { outcome, author } = await prepared()
    const id = await newTip(service, author, outcome.id)
    const of = (query: string) => commentIds(service, `profiles/me?status=A${query}`, author.ticket)
    expect(await of('&sportId=&sortOrder=')).toEqual([id])
    expect(await of('&sportId=50&blockSize=20&blockNum=1')).toEqual([id])
    expect(await of('&blockNum=100')).toEqual([])
    expect(await of(`&sportId=${'9'.repeat(30)}`)).toEqual([])
  })
})

test('one comment is an object, several are an array; isLiked and isFlagged need a ticket', async () => {
  const { outcome, author } = await prepared()
  await newTip(service, author, outcome.id)
  const read = async (ticket?: string) => {
    const options = { accept: 'application/json', ...(ticket === undefined ? {} : { ticket }) }
    const reply = await service.call('GET', `${AT}/profiles/${author.profileId}?status=A`, options)
    return reply.json().whoCommunities.comment
  }
  expect(Object.keys(await read())).not.toContain('isLiked')
  expect(await read(author.ticket)).toMatchObject({ isLiked: 'N', isFlagged: 'N' })
  await newTip(service, author, outcome.id)
  expect(await read()).toHaveLength(2)
})

test('no request costs more statements than this', async () => {
  // The clock stands still, so that caches do not expire on a slow machine.
  service.clock.hold()
  const { outcome, author, good } = await prepared()
  const reader = await service.member()
  await service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket: reader.ticket })
  const cost = async (method: string, path: string, ticket: string) => {
    await service.call('GET', '/v1/profiles/me', { ticket })
    const before = service.statementsByName()
    expect((await service.call(method, AT + path, { ticket })).status).toBeLessThan(300)
    return [...service.statementsByName()].filter(([name, count]) => count !== before.get(name)).map(([name]) => name)
  }
  const tip = `/me/outcomes/${outcome.id}?${new URLSearchParams(good as Record<string, string>)}`
  expect(await cost('POST', tip, author.ticket)).toHaveLength(2)
  const [id] = await commentIds(service, 'profiles/me?status=A', author.ticket)
  expect(await cost('GET', `/${id}`, reader.ticket)).toHaveLength(1)
  expect(await cost('POST', `/${id}/like`, reader.ticket)).toHaveLength(1)
  expect(await cost('GET', '/profiles/me?status=A', author.ticket)).toHaveLength(1)
  expect(await cost('GET', `/profiles/${author.profileId}?status=A&sortOrder=L`, reader.ticket)).toHaveLength(1)
  expect(await cost('GET', '/profiles/me/followings?status=A&sortOrder=E', reader.ticket)).toHaveLength(2)
  expect(await cost('GET', '/outcomes/top', reader.ticket)).toHaveLength(1)
})
