// How moderators share the work: labels, assignments to a person or a group, and the queue of what is assigned.

import { beforeAll, expect, test } from 'vitest'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'
import { newToken } from '../operator/cases.ts'

const service = useService({ LOG_LEVEL: 'silent' })
const BASE = '/operator/v1/moderation'
type Member = Awaited<ReturnType<typeof service.member>>
type Moderator = { token: string; name: string }

let ann: Moderator
let bob: Moderator
let author: Member
let reporter: Member

const call = (method: string, path: string, body?: object, by = ann.token) =>
  service.operator(method, `${BASE}${path}`, body, by)
const settings = async (): Promise<Json> => (await call('GET', '/settings')).body
const replace = (body: object) => service.operator('PUT', `${BASE}/settings`, body)
const queued = async (query: string, by = ann.token): Promise<string[]> =>
  (await call('GET', `/queue?limit=100&${query}`, undefined, by)).body.items.map(({ id }: Json) => id)

async function flaggedTip(text: string): Promise<string> {
  const [outcome] = await newMatch(service)
  const id = await newTip(service, author, outcome!.id, { text })
  await service.call('POST', `/v1/communities/comments/${id}/flag`, { ticket: reporter.ticket })
  return `${id}`
}

beforeAll(async () => {
  ann = await newToken(service, 'moderator')
  bob = await newToken(service, 'moderator')
  author = await service.member()
  reporter = await service.member()
  await replace({ labels: ['watch', 'tout', 'tout'], groups: [{ name: 'second line', members: [bob.name] }] })
})

test('settings have labels, groups and who may decide; admins replace them, unless somebody else has', async () => {
  const { version, ...now } = await settings()
  expect(now).toMatchObject({ labels: ['tout', 'watch'], groups: [{ name: 'second line', members: [bob.name] }] })
  expect(now.people).toEqual(expect.arrayContaining([ann.name, bob.name]))
  const same = { labels: now.labels, groups: now.groups }
  expect((await call('PUT', '/settings', { ...same, version })).status).toBe(403)
  expect((await replace({ ...same, version })).body.version).toBe(version + 1)
  expect((await replace({ ...same, version })).status).toBe(409)
  const twice = [
    { name: 'x', members: [] },
    { name: 'x', members: [] },
  ]
  expect((await replace({ labels: [], groups: twice })).status).toBe(422)
})

test('a tip and a profile are labelled with labels of the settings, and the queue is filtered by them', async () => {
  const [tip, other] = [await flaggedTip('Labelled'), await flaggedTip('Without a label')]
  expect((await call('PUT', `/comments/${tip}/labels`, { labels: ['watch', 'tout'] })).body.labels).toEqual([
    'tout',
    'watch',
  ])
  expect((await call('GET', `/comments/${tip}`)).body.labels).toEqual(['tout', 'watch'])
  expect((await call('PUT', `/comments/${tip}/labels`, { labels: ['watch'] })).body.labels).toEqual(['watch'])
  expect(await queued('kind=comment&label=watch')).toEqual([tip])
  expect(await queued('kind=comment')).toEqual(expect.arrayContaining([tip, other]))
  expect(await queued('kind=comment&label=tout')).toEqual([])
  expect((await call('PUT', `/comments/${tip}/labels`, { labels: ['unheard-of'] })).status).toBe(422)
  expect((await call('PUT', '/comments/999999/labels', { labels: [] })).status).toBe(404)
  const profile = `/profiles/${author.profileId}`
  expect((await call('PUT', `${profile}/labels`, { labels: ['tout'] })).body).toMatchObject({
    kind: 'profile',
    labels: ['tout'],
  })
  // A label that admins have taken from the settings stays, and others can be added beside it.
  const { groups } = await settings()
  await replace({ labels: ['watch'], groups })
  expect((await call('PUT', `${profile}/labels`, { labels: ['tout', 'watch'] })).body.labels).toEqual(['tout', 'watch'])
  await replace({ labels: ['tout', 'watch'], groups })
})

test('a subject is assigned to a group or a person, waits in their queue, and a decision ends it', async () => {
  const [first, second] = [await flaggedTip('For the second line'), await flaggedTip('For Ann')]
  const group = { assignee: 'group:second line', note: 'A tout?' }
  const { body } = await call('PUT', `/comments/${first}/assignment`, group)
  expect(body.assignment).toMatchObject({ ...group, by: ann.name })
  await call('PUT', `/comments/${second}/assignment`, { assignee: `person:${ann.name}` }, bob.token)
  expect(await queued('kind=comment&lane=assigned', bob.token)).toEqual([first])
  expect(await queued('kind=comment&lane=assigned', ann.token)).toEqual([second])
  expect(await queued(`kind=comment&lane=assigned&assignee=${encodeURIComponent('group:second line')}`)).toEqual([
    first,
  ])
  expect(await queued('kind=profile&lane=assigned', bob.token)).toEqual([])
  expect(await queued('kind=comment')).toEqual(expect.arrayContaining([first, second]))
  await call('PUT', `/comments/${first}/labels`, { labels: ['watch'] })
  expect(await queued('kind=comment&lane=assigned&label=watch', bob.token)).toEqual([first])
  expect(await queued('kind=comment&lane=assigned&label=tout', bob.token)).toEqual([])

  await call('POST', `/comments/${first}`, { action: 'keep' }, bob.token)
  expect((await call('GET', `/comments/${first}`)).body.assignment).toBeNull()
  expect(await queued('kind=comment&lane=assigned', bob.token)).toEqual([])
  expect((await call('PUT', `/comments/${second}/assignment`, { assignee: null })).body.assignment).toBeNull()
  expect(await queued('kind=comment&lane=assigned')).toEqual([])
})

test('what nobody flagged is assigned too, oldest first and page by page', async () => {
  const profiles = [await service.member(), await service.member(), await service.member()].map(
    ({ profileId }) => profileId,
  )
  for (const id of profiles) await call('PUT', `/profiles/${id}/assignment`, { assignee: `person:${bob.name}` })
  const seen: string[] = []
  let cursor = ''
  do {
    const path = `/queue?kind=profile&lane=assigned&limit=2${cursor && `&cursor=${cursor}`}`
    const { body } = await call('GET', path, undefined, bob.token)
    expect(body.waiting).toBe(3)
    seen.push(...body.items.map(({ id }: Json) => id))
    cursor = body.cursor ?? ''
  } while (cursor !== '')
  expect(seen).toEqual(profiles.map(String))
})

test('an assignee that may not decide is refused', async () => {
  const auditor = await newToken(service, 'auditor')
  const path = `/profiles/${author.profileId}/assignment`
  for (const assignee of ['group:unheard of', 'person:nobody we know', `person:${auditor.name}`])
    expect((await call('PUT', path, { assignee })).status).toBe(422)
  expect((await call('PUT', path, { assignee: 'somebody' })).status).toBe(422)
  expect((await call('PUT', '/profiles/999999/assignment', { assignee: null })).status).toBe(404)
})

test('labels are exported with the personal data, and erased with it', async () => {
  const member = await service.member()
  const [outcome] = await newMatch(service)
  const tip = await newTip(service, member, outcome!.id)
  await call('PUT', `/profiles/${member.profileId}/labels`, { labels: ['watch'] })
  await call('PUT', `/comments/${tip}/labels`, { labels: ['tout'] })
  await call('PUT', `/comments/${tip}/assignment`, { assignee: 'group:second line', note: 'Known to us as Larry' })
  const data = `/operator/v1/customers/${member.id}/personal-data`
  expect((await service.operator('GET', data)).body.labels).toMatchObject([
    { kind: 'profile', id: `${member.profileId}`, label: 'watch' },
    { kind: 'comment', id: `${tip}`, label: 'tout' },
  ])
  await service.operator('DELETE', data)
  expect((await call('GET', `/comments/${tip}`)).body).toMatchObject({ labels: [], assignment: { note: '' } })
  expect((await call('GET', `/profiles/${member.profileId}`)).body.labels).toEqual([])
})
