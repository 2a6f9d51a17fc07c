import { expect, test } from 'vitest'
import { type Json, startTestService, useService } from '../harness/service.ts'
import { listed, newBet, newMatch, newTip, postTip, told } from '../harness/sportsbook.ts'

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
  const decide = (action: string) => told(service, 'POST', `/moderation/comments/${id}`, { action, note: 'n' })
  return { id, author, outcome: outcome!, betId, react, inQueue, decide }
}

test('flags queue a comment, and taking them back takes it out', async () => {
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
    flags: 2,
    flaggedAt: expect.any(String),
    content: {
      text: 'Back this one',
      state: 'live',
      featured: false,
      likes: 0,
      createdAt: expect.any(String),
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

test('a kept comment leaves the queue until new flags come, and an old flag taken back counts nothing', async () => {
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

test('removing hides a comment everywhere, and its bet takes no other', async () => {
  const { id, author, outcome, betId, decide } = await tipped()
  expect(await decide('remove')).toMatchObject({ id: `${id}`, content: { state: 'removed' } })
  expect((await service.call('GET', `/v1/communities/comments/${id}`)).text).toContain('30500')
  expect(await listed(service, `profiles/${author.profileId}?status=A`)).toEqual([])
  const profile = await service.call('GET', `/v1/profiles/${author.profileId}?communities=Y`)
  expect(profile.text).toContain('<numLive>0</numLive>')
  expect((await postTip(service, author, outcome.id, { betId })).status).toBe(409)
  const path = `/v1/communities/comments/${id}`
  expect((await service.call('PUT', path, { ticket: author.ticket })).status).toBe(204)
  expect((await postTip(service, author, outcome.id, { betId })).status).toBe(409)
})

test('featuring shows', async () => {
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

test('an inactive profile takes its comments out of sight and out of the counts, and back', async () => {
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
      mine: await listed(service, 'profiles/me?status=A', author.ticket),
      feed: await listed(service, 'profiles/me/followings?status=A', fan.ticket),
      numLive: /<numLive>(\d+)/.exec(own.text)?.[1],
      top: events.map((event) => event.market.outcome).find((one) => one.id === `${outcome.id}`)?.numLikes,
      liked: (await service.call('POST', `/v1/communities/comments/${id}/like`, { ticket: fan.ticket })).status,
    }
  }
  const shown = { alone: 200, mine: [id], feed: [id], numLive: '1', top: '1', liked: 204 }
  expect(await seen()).toEqual(shown)
  await told(service, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'deactivate' })
  expect(await seen()).toEqual({ alone: 400, mine: [], feed: [], numLive: '0', top: undefined, liked: 400 })
  await told(service, 'POST', `/moderation/profiles/${author.profileId}`, { action: 'reactivate' })
  expect(await seen()).toEqual(shown)
})

test('the operator’s words count at once here, and on another process when it looks', async () => {
  const { settings } = service.context.config.databaseUrl
    ? { settings: { DATABASE_URL: service.context.config.databaseUrl } }
    : { settings: {} }
  const place = { settings: { ...settings, DATA_DIR: service.context.config.dataFolder }, remove: async () => {} }
  const other = await startTestService({}, place)
  try {
    const { author, outcome } = await tipped()
    const say = async (text: string) => (await postTip(service, author, outcome.id, { text })).text
    expect(await say('Grimblewick all day')).toContain('"comment"')
    const lists = { blocked: [' grimblewick ', 'grimblewick'], allowed: ['Dick Grimblewick'] }
    expect(await told(service, 'PUT', '/moderation/words', lists)).toEqual({
      blocked: ['grimblewick'],
      allowed: ['Dick Grimblewick'],
    })
    expect(await say('Grimblewick all day')).toContain('"solution":"*********** all day"')
    expect(await say('Dick Grimblewick all day')).toContain('"comment"')
    expect(other.context.textRules('Grimblewick').verdict).toBe('fine')
    await other.context.words.refresh()
    expect(other.context.textRules('Grimblewick').verdict).toBe('inappropriate')
    await told(service, 'PUT', '/moderation/words', {})
    expect(await say('Grimblewick all day')).toContain('"comment"')
  } finally {
    await other.close()
  }
})

test('a tip may name its own event and outcome, whatever they are called', async () => {
  const [outcome] = await newMatch(service)
  const author = await service.member()
  await told(service, 'PATCH', `/outcomes/${outcome!.id}`, { name: 'Fanny Wanker' })
  const text = 'Fanny Wanker wins it'
  expect((await postTip(service, author, outcome!.id, { text })).status).toBe(200)
  await told(service, 'PATCH', `/outcomes/${outcome!.id}`, { name: 'Someone Else' })
  expect((await postTip(service, author, outcome!.id, { text })).text).toContain('30432')
})
