import { expect, test } from 'vitest'
import { type Json, startTestService, useService } from '../harness/service.ts'
import { commentIds, newBet, newMatch, newTip, operatorOk, postTip } from '../harness/sportsbook.ts'
import { newToken } from './cases.ts'

const service = useService()

async function queue(): Promise<Json[]> {
  return (await service.operator('GET', '/operator/v1/moderation/queue?kind=comment&limit=100')).body.items
}

async function tipped() {
  const [outcome] = await newMatch(service)
  const author = await service.member()
  const betId = await newBet(service, author.id, [outcome!.id])
  const id = await newTip(service, author, outcome!.id, { betId, text: 'Back this one' })
  const react = (method: string, what: string, ticket: string) =>
    service.call(method, `/v1/communities/comments/${id}/${what}`, { ticket })
  const inQueue = async () => (await queue()).find((one) => one.id === `${id}`)
  const decide = (action: string) => operatorOk(service, 'POST', `/moderation/comments/${id}`, { action, note: 'n' })
  return { id, author, outcome: outcome!, betId, react, inQueue, decide }
}

test('flags put a comment into the queue, and unflagging removes it', async () => {
  const { id, author, react, inQueue, outcome } = await tipped()
  const [one, other] = [await service.member(), await service.customer()]
  await react('POST', 'flag', author.ticket)
  expect(await inQueue()).toBeUndefined()
  await react('POST', 'flag', one.ticket)
  await react('POST', 'flag', one.ticket)
  await react('POST', 'flag', other.ticket)
  expect(await inQueue()).toEqual({
    kind: 'comment',
    id: `${id}`,
    version: expect.any(String),
    flags: 2,
    weight: '1.00',
    trustedFlags: 0,
    reasons: [],
    labels: [],
    assignment: null,
    flaggedAt: expect.any(String),
    actions: ['remove', 'keep', 'feature'],
    content: {
      text: 'Back this one',
      state: 'live',
      featured: false,
      likes: 0,
      createdAt: expect.any(String),
      startsAt: '2030-01-01T15:00:00.000Z',
      event: `Event ${outcome.eventId}`,
      market: 'Match result',
      outcome: `Outcome ${outcome.id}`,
    },
    author: { customerId: `${author.id}`, profileId: `${author.profileId}` },
    decisions: [],
  })
  const seen = await service.call('GET', `/v1/communities/comments/${id}`, { ticket: one.ticket })
  expect(seen.text).toContain('<isFlagged>Y</isFlagged>')
  await react('DELETE', 'flag', one.ticket)
  await react('DELETE', 'flag', one.ticket)
  expect((await inQueue())?.flags).toBe(1)
  await react('DELETE', 'flag', other.ticket)
  expect(await inQueue()).toBeUndefined()
})

test('a kept comment leaves the queue until it is flagged again, and removing an old flag changes nothing', async () => {
  const { react, inQueue, decide } = await tipped()
  const [one, other] = [await service.member(), await service.member()]
  await react('POST', 'flag', one.ticket)
  await decide('keep')
  expect(await inQueue()).toBeUndefined()
  await react('POST', 'flag', other.ticket)
  expect(await inQueue()).toMatchObject({ flags: 1, decisions: [{ action: 'keep' }] })
  await react('DELETE', 'flag', one.ticket)
  expect((await inQueue())?.flags).toBe(1)
})

test('a removed comment is hidden everywhere, and its bet accepts no other', async () => {
  const { id, author, outcome, betId, decide } = await tipped()
  expect(await decide('remove')).toMatchObject({ id: `${id}`, content: { state: 'removed' } })
  expect((await service.call('GET', `/v1/communities/comments/${id}`)).text).toContain('30500')
  expect(await commentIds(service, `profiles/${author.profileId}?status=A`)).toEqual([])
  const profile = await service.call('GET', `/v1/profiles/${author.profileId}?communities=Y`)
  expect(profile.text).toContain('<numLive>0</numLive>')
  expect((await postTip(service, author, outcome.id, { betId })).status).toBe(409)
  const path = `/v1/communities/comments/${id}`
  expect((await service.call('PUT', path, { ticket: author.ticket })).status).toBe(204)
  expect((await postTip(service, author, outcome.id, { betId })).status).toBe(409)
})

test('a restored comment returns to every list and count, with the current data of the catalogue', async () => {
  const { id, author, outcome, decide } = await tipped()
  const fan = await service.member()
  await service.call('POST', `/v1/communities/comments/${id}/like`, { ticket: fan.ticket })
  const seen = async () => {
    const top = await service.call('GET', '/v1/communities/comments/outcomes/top', { accept: 'application/json' })
    const events = top.status === 204 ? [] : [top.json().whoCommunities.event].flat()
    const profile = await service.call('GET', `/v1/profiles/${author.profileId}?communities=Y`)
    return {
      alone: (await service.call('GET', `/v1/communities/comments/${id}`)).status,
      active: await commentIds(service, `profiles/${author.profileId}?status=A`),
      winning: await commentIds(service, `profiles/${author.profileId}?status=W`),
      numLive: /<numLive>(\d+)/.exec(profile.text)?.[1],
      numWinning: /<numWinning>(\d+)/.exec(profile.text)?.[1],
      top: events.map((event) => event.market.outcome).find((one) => one.id === `${outcome.id}`)?.numLikes,
    }
  }
  const live = { alone: 200, active: [id], winning: [], numLive: '1', numWinning: '0', top: '1' }
  const gone = { alone: 400, active: [], winning: [], numLive: '0', numWinning: '0', top: undefined }
  expect(await seen()).toEqual(live)
  await decide('remove')
  expect(await seen()).toEqual(gone)
  expect(await decide('restore')).toMatchObject({ content: { state: 'live' }, actions: ['remove', 'feature'] })
  expect(await seen()).toEqual(live)

  await decide('remove')
  await operatorOk(service, 'POST', `/markets/${outcome.marketId}/settlement`, { results: { [outcome.id]: 'win' } })
  await decide('restore')
  expect(await seen()).toEqual({ ...gone, alone: 200, winning: [id], numWinning: '1' })
  const { items } = (await service.operator('GET', '/operator/v1/audit?limit=1')).body
  expect(items[0]).toMatchObject({
    action: 'moderateComment',
    subject: `${id}`,
    detail: { body: { action: 'restore' } },
  })
})

test('a decision that does not fit the state of a comment is refused with that state', async () => {
  const { id, author, decide } = await tipped()
  const refused = async (action: string) => {
    const reply = await service.operator('POST', `/operator/v1/moderation/comments/${id}`, { action })
    return [reply.status, reply.body.detail, reply.body.current?.content.state]
  }
  expect(await refused('restore')).toEqual([409, expect.stringContaining('only a removed one'), 'live'])
  await decide('remove')
  for (const action of ['keep', 'feature', 'unfeature']) {
    expect(await refused(action)).toEqual([409, expect.stringContaining('restore it first'), 'removed'])
  }
  await service.operator('DELETE', `/operator/v1/customers/${author.id}/personal-data`)
  expect(await refused('restore')).toEqual([409, expect.stringContaining('erased'), 'removed'])
  const taken = await tipped()
  await service.call('PUT', `/v1/communities/comments/${taken.id}`, { ticket: taken.author.ticket })
  const reply = await service.operator('POST', `/operator/v1/moderation/comments/${taken.id}`, { action: 'remove' })
  expect([reply.status, reply.body.current.content.state]).toEqual([409, 'deactivated'])
})

test('the second of two moderators is refused when the first has changed the comment, with the first decision', async () => {
  const { id } = await tipped()
  const path = `/operator/v1/moderation/comments/${id}`
  const { version } = (await service.operator('GET', path)).body
  const [ann, bob] = [await newToken(service, 'moderator', 'Ann'), await newToken(service, 'moderator', 'Bob')]
  const first = await service.operator('POST', path, { action: 'remove', note: 'rude', version }, ann.token)
  expect(first.status).toBe(200)
  const second = await service.operator('POST', path, { action: 'keep', version }, bob.token)
  expect(second.status).toBe(409)
  expect(second.body).toMatchObject({
    detail: expect.stringContaining('Ann decided: remove'),
    meanwhile: [{ action: 'remove', actor: 'Ann', note: 'rude' }],
    current: { content: { state: 'removed' }, version: first.body.version },
  })
  expect((await service.operator('GET', path)).body.decisions).toHaveLength(1)
  const third = await service.operator('POST', path, { action: 'restore', version: first.body.version }, bob.token)
  expect([third.status, third.body.content.state]).toEqual([200, 'live'])
})

test('of twenty concurrent decisions on the same state, one is made', async () => {
  const { id } = await tipped()
  const path = `/operator/v1/moderation/comments/${id}`
  const { version } = (await service.operator('GET', path)).body
  const decide = (action: string) => service.operator('POST', path, { action, version })
  const replies = await Promise.all(Array.from({ length: 20 }, (_, turn) => decide(turn % 2 ? 'keep' : 'remove')))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...new Array(19).fill(409)])
})

test('a featured comment is shown as featured', async () => {
  const { id, decide } = await tipped()
  const shown = async () => (await service.call('GET', `/v1/communities/comments/${id}`)).text
  await decide('feature')
  expect(await shown()).toContain('<isFeatured>Y</isFeatured>')
  await decide('unfeature')
  expect(await shown()).toContain('<isFeatured>N</isFeatured>')
  const read = await service.operator('GET', `/operator/v1/moderation/comments/${id}`)
  expect(read.body.decisions.map((one: Json) => one.action)).toEqual(['feature', 'unfeature'])
  const unknown = await service.operator('POST', '/operator/v1/moderation/comments/999999', { action: 'keep' })
  expect(unknown.status).toBe(404)
})

test('deactivating a profile hides its comments and removes them from counts; reactivating restores them', async () => {
  const { id, author, outcome } = await tipped()
  const fan = await service.member()
  await service.call('POST', `/v1/profiles/me/followings/${author.profileId}`, { ticket: fan.ticket })
  await service.call('POST', `/v1/communities/comments/${id}/like`, { ticket: fan.ticket })
  const seen = async () => {
    const top = await service.call('GET', '/v1/communities/comments/outcomes/top', { accept: 'application/json' })
    const events = top.status === 204 ? [] : [top.json().whoCommunities.event].flat()
    const own = await service.call('GET', '/v1/profiles/me?communities=Y', { ticket: author.ticket })
    return {
      alone: (await service.call('GET', `/v1/communities/comments/${id}`)).status,
      mine: await commentIds(service, 'profiles/me?status=A', author.ticket),
      feed: await commentIds(service, 'profiles/me/followings?status=A', fan.ticket),
      numLive: /<numLive>(\d+)/.exec(own.text)?.[1],
      top: events.map((event) => event.market.outcome).find((one) => one.id === `${outcome.id}`)?.numLikes,
      liked: (await service.call('POST', `/v1/communities/comments/${id}/like`, { ticket: fan.ticket })).status,
    }
  }
  const shown = { alone: 200, mine: [id], feed: [id], numLive: '1', top: '1', liked: 204 }
  expect(await seen()).toEqual(shown)
  await operatorOk(service, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'deactivate' })
  expect(await seen()).toEqual({ alone: 400, mine: [], feed: [], numLive: '0', top: undefined, liked: 400 })
  await operatorOk(service, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'reactivate' })
  expect(await seen()).toEqual(shown)
})

test('new blocked words apply at once in this process, and in another one at its next check', async () => {
  const { settings } = service.context.config.databaseUrl
    ? { settings: { DATABASE_URL: service.context.config.databaseUrl } }
    : { settings: {} }
  const testDatabase = {
    settings: { ...settings, DATA_DIR: service.context.config.dataFolder },
    remove: async () => {},
  }
  const other = await startTestService({}, testDatabase)
  try {
    const { author, outcome } = await tipped()
    const say = async (text: string) => (await postTip(service, author, outcome.id, { text })).text
    expect(await say('Grimblewick all day')).toContain('"comment"')
    const lists = { blocked: [' grimblewick ', 'grimblewick'], allowed: ['Dick Grimblewick'] }
    expect(await operatorOk(service, 'PUT', '/moderation/words', lists)).toEqual({
      version: expect.any(Number),
      blocked: ['grimblewick'],
      allowed: ['Dick Grimblewick'],
    })
    expect(await say('Grimblewick all day')).toContain('"solution":"*********** all day"')
    expect(await say('Dick Grimblewick all day')).toContain('"comment"')
    expect(other.context.textRules('Grimblewick').verdict).toBe('fine')
    await other.context.words.refresh()
    expect(other.context.textRules('Grimblewick').verdict).toBe('inappropriate')
    await operatorOk(service, 'PUT', '/moderation/words', {})
    expect(await say('Grimblewick all day')).toContain('"comment"')
  } finally {
    await other.close()
  }
})

test('an update of the words is refused when somebody else has changed them since', async () => {
  const save = (blocked: string[], version?: number) =>
    service.operator('PUT', '/operator/v1/moderation/words', { blocked, ...(version === undefined ? {} : { version }) })
  const { version } = (await service.operator('GET', '/operator/v1/moderation/words')).body
  const first = await save(['plinkety'], version)
  expect([first.status, first.body.version > version]).toEqual([200, true])
  expect((await save(['plonkety'], version)).status).toBe(409)
  expect((await service.operator('GET', '/operator/v1/moderation/words')).body).toEqual(first.body)
  expect((await save(['plonkety'], first.body.version)).status).toBe(200)
  expect((await save([])).status).toBe(200)
})

test('a word cannot be both blocked and allowed', async () => {
  const before = (await service.operator('GET', '/operator/v1/moderation/words')).body
  const lists = { blocked: ['zorbly', 'fine'], allowed: ['  ZORBLY', 'Zorbly Smith'] }
  const { status, body } = await service.operator('PUT', '/operator/v1/moderation/words', lists)
  expect(status).toBe(422)
  expect(body.errors).toEqual([{ pointer: '/allowed', detail: 'must not contain blocked words: ZORBLY' }])
  expect((await service.operator('GET', '/operator/v1/moderation/words')).body).toEqual(before)
})

test('a tip may contain the names of its own event and outcome, even with blocked words', async () => {
  const [outcome] = await newMatch(service)
  const author = await service.member()
  await operatorOk(service, 'PATCH', `/outcomes/${outcome!.id}`, { name: 'Fanny Wanker' })
  const text = 'Fanny Wanker wins it'
  expect((await postTip(service, author, outcome!.id, { text })).status).toBe(200)
  await operatorOk(service, 'PATCH', `/outcomes/${outcome!.id}`, { name: 'Someone Else' })
  expect((await postTip(service, author, outcome!.id, { text })).text).toContain('30432')
})
