// Rules and pre-moderation hold new tips back: nobody sees them before a moderator publishes them.

import { afterEach, beforeAll, expect, test } from 'vitest'
import { watchModeration } from '../../src/moderation/appeals/appeals.ts'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'
import { newToken } from '../operator/cases.ts'

const service = useService({ LOG_LEVEL: 'silent' })
const BASE = '/operator/v1/moderation'
type Member = Awaited<ReturnType<typeof service.member>>
const NO_RULES = { links: null, words: [], rate: null }
let mo: { token: string; name: string }

const operator = (method: string, path: string, body?: object) =>
  service.operator(method, `${BASE}${path}`, body, mo.token)
const setRules = async (rules: object) => {
  const { labels, groups } = (await operator('GET', '/settings')).body
  const { status } = await service.operator('PUT', `${BASE}/settings`, {
    labels,
    groups,
    rules: { ...NO_RULES, ...rules },
  })
  expect(status).toBe(200)
}
const held = async (): Promise<string[]> =>
  (await operator('GET', '/queue?kind=comment&lane=held&limit=100')).body.items.map(({ id }: Json) => id)
const commentNow = async (id: number): Promise<Json> => (await operator('GET', `/comments/${id}`)).body
const decide = (id: number, action: string) => operator('POST', `/comments/${id}`, { action })
const trailOf = async (id: number): Promise<string[]> => {
  const { items } = (
    await service.operator('GET', `/operator/v1/audit?subjectKind=comment&subjectId=${id}&operation=holdComment`)
  ).body
  return items.map(({ sentence }: Json) => sentence)
}

/** How often the public API shows the tip: by its id, in its author's list, in the list of its event, and in the author's count. */
async function shown(id: number, { profileId }: Member, outcome: { id: number; eventId: number }): Promise<unknown[]> {
  const json = { accept: 'application/json' }
  const one = await service.call('GET', `/v1/communities/comments/${id}`, json)
  const lists = [
    `/v1/communities/comments/profiles/${profileId}?status=A`,
    `/v1/communities/events/${outcome.eventId}/comments`,
  ]
  const found: unknown[] = [one.status]
  for (const list of lists) found.push((await service.call('GET', list, json)).text.includes(`"${id}"`))
  return found
}

async function written(author: Member, text: string) {
  const [outcome] = await newMatch(service)
  const id = await newTip(service, author, outcome!.id, { text })
  return { id, outcome: outcome! }
}

beforeAll(async () => {
  mo = (await newToken(service, 'moderator')) as typeof mo
})
afterEach(async () => {
  await setRules({})
  for (const id of await held()) await decide(Number(id), 'remove')
})

test('without rules nothing is held', async () => {
  const author = await service.member()
  const { id, outcome } = await written(author, 'See www.tips.example for more')
  expect(await held()).toEqual([])
  expect(await commentNow(id)).toMatchObject({ content: { state: 'live' }, decisions: [] })
  expect((await shown(id, author, outcome))[0]).toBe(200)
})

test('a tip with a link of a new profile is held before anybody sees it, explained, and published by a moderator', async () => {
  await setRules({ links: { newerThanDays: 7 } })
  const author = await service.member()
  const seen = await written(author, 'No link in this one')
  const { id, outcome } = await written(author, 'More at www.tips.example')
  expect(await held()).toEqual([`${id}`])
  const where = await shown(id, author, outcome)
  expect(where).toEqual([where[0], false, false])
  expect(where[0]).not.toBe(200)
  expect((await shown(seen.id, author, seen.outcome))[0]).toBe(200)
  const why = 'The rule on links of new profiles: the profile is 0 days old, less than 7, and the tip has a link.'
  expect(await trailOf(id)).toEqual([`service held comment ${id} (reason: ${why})`])
  expect(await commentNow(id)).toMatchObject({
    content: { state: 'held' },
    actions: ['publish', 'remove'],
    decisions: [{ action: 'hold', actor: 'service', automated: true, note: why }],
  })
  const own = await service.call('GET', '/v1/moderation/me', { ticket: author.ticket, accept: 'application/json' })
  expect(own.text).toMatch(/hold.*waits for a moderator/)

  expect((await decide(id, 'keep')).status).toBe(409)
  expect((await decide(id, 'publish')).body).toMatchObject({ content: { state: 'live' } })
  expect(await shown(id, author, outcome)).toEqual([200, true, true])
  expect(await held()).toEqual([])
  expect((await decide(id, 'publish')).status).toBe(409)
})

test('words hold a tip however they are written, and a held tip that is removed stays hidden until it is restored', async () => {
  await setRules({ words: ['sure thing'] })
  const author = await service.member()
  const { id, outcome } = await written(author, 'A SURE  thíng!')
  expect((await commentNow(id)).decisions).toMatchObject([{ note: 'The rule on words: the tip has “sure thing”.' }])
  expect((await decide(id, 'remove')).body).toMatchObject({ content: { state: 'removed' } })
  expect(await held()).toEqual([])
  expect((await shown(id, author, outcome))[0]).not.toBe(200)
  expect((await decide(id, 'restore')).body).toMatchObject({ content: { state: 'live' } })
  expect(await shown(id, author, outcome)).toEqual([200, true, true])
})

test('from so many tips within so many minutes on, the next one of a profile is held', async () => {
  await setRules({ rate: { tips: 2, minutes: 10 } })
  const author = await service.member()
  const ids: number[] = []
  for (const text of ['First', 'Second', 'Third']) ids.push((await written(author, text)).id)
  const other = await written(await service.member(), 'Of somebody else')
  expect(await held()).toEqual([`${ids[2]}`])
  expect((await commentNow(ids[2] as number)).decisions).toMatchObject([
    { note: expect.stringContaining('2 tips or more within 10 minutes') },
  ])
  expect((await commentNow(other.id)).content.state).toBe('live')
})

test('every tip of a pre-moderated profile is held, and its author may take it back', async () => {
  const author = await service.member()
  const path = `/profiles/${author.profileId}/premoderation`
  expect((await operator('PUT', path, { on: true, reason: 'Three removed' })).body).toMatchObject({
    premoderated: true,
  })
  const { id, outcome } = await written(author, 'A harmless one')
  expect(await held()).toEqual([`${id}`])
  expect(await trailOf(id)).toEqual([expect.stringContaining('Pre-moderation')])
  const { status } = await service.call('PUT', `/v1/communities/comments/${id}`, { ticket: author.ticket })
  expect(status).toBeLessThan(300)
  expect(await held()).toEqual([])
  expect(await commentNow(id)).toMatchObject({ content: { state: 'deactivated' } })
  expect((await decide(id, 'publish')).status).toBe(409)
  await operator('PUT', path, { on: false, reason: 'A month without' })
  const next = await written(author, 'Shown at once')
  expect((await shown(next.id, author, next.outcome))[0]).toBe(200)
  expect((await shown(id, author, outcome))[0]).not.toBe(200)
  expect((await operator('PUT', '/profiles/999999/premoderation', { on: true, reason: 'Unknown' })).status).toBe(404)
})

test('tips that arrive together are held one by one, and the counts of what is shown stay right', async () => {
  await setRules({ words: ['hushhush'] })
  const [outcome] = await newMatch(service)
  const authors = await Promise.all(Array.from({ length: 6 }, () => service.member()))
  const ids = await Promise.all(
    authors.map((author, index) =>
      newTip(service, author, outcome!.id, { text: index % 2 === 0 ? 'hushhush' : 'Loud' }),
    ),
  )
  const waiting = ids.filter((_, index) => index % 2 === 0)
  expect((await held()).map(Number).sort()).toEqual([...waiting].sort())
  const counts = async () => {
    const numbers: number[] = []
    for (const { profileId } of authors) {
      const { text } = await service.call('GET', `/v1/profiles/${profileId}?communities=Y`, {
        accept: 'application/json',
      })
      numbers.push(Number(/"numLive":"(\d+)"/.exec(text)?.[1]))
    }
    return numbers
  }
  expect(await counts()).toEqual([0, 1, 0, 1, 0, 1])
  for (const id of waiting) await decide(id, 'publish')
  expect(await counts()).toEqual([1, 1, 1, 1, 1, 1])
})

test('metrics count the tips that wait, and those that moderators decided', async () => {
  const metric = (name: string) => {
    const line = service.context.metrics
      .render()
      .split('\n')
      .find((one) => one.startsWith(`${name} `))
    return line === undefined ? 0 : Number(line.split(' ').at(-1))
  }
  const waiting = async () => {
    await watchModeration(service.context)
    return metric('paddock_held_tips_waiting')
  }
  const decided = () => ['publish', 'remove'].map((one) => metric(`paddock_held_tips_decided_total{action="${one}"}`))
  await setRules({ words: ['hushhush'] })
  const before = decided()
  const author = await service.member()
  const [one, other] = [await written(author, 'hushhush one'), await written(author, 'hushhush two')]
  expect(await waiting()).toBe(2)
  await decide(one.id, 'publish')
  await decide(other.id, 'remove')
  // No longer held: it is not counted again.
  await decide(one.id, 'remove')
  expect([await waiting(), decided()]).toEqual([0, before.map((count) => count + 1)])
})
