import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { indexOld } from '../../src/search/indexer.ts'
import { indexed, searchIds } from '../harness/search.ts'
import { call, engine, newTestDatabase, startTestService, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService({ LOG_LEVEL: 'silent' })
const silent = createLog('silent', () => {}, 0)

async function tipWith(text: string) {
  const author = await service.member()
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  return { author, id: await newTip(service, author, outcome.id, { text }) }
}

const describeSelf = (ticket: string, fields: Record<string, string>) =>
  service.call('PUT', `/v1/profiles/me?${new URLSearchParams(fields)}`, { ticket })
const moderate = (path: string, action: string) =>
  service.operator('POST', `/operator/v1/moderation/${path}`, { action, note: '' })

test('a tip is found as soon as it is created, whatever the case and the accents', async () => {
  const { id } = await tipWith('Crème brûlée over hurdles')
  for (const q of ['creme', 'CRÈME', 'brul hurd', 'hurdles  Crème!', 'over']) {
    expect([q, await searchIds(service, 'comments', q)]).toEqual([q, [id]])
  }
  for (const q of ['rème', 'creme chase']) expect([q, await searchIds(service, 'comments', q)]).toEqual([q, []])
})

test('a removed tip is not found until it is restored; a withdrawn one never', async () => {
  const { id, author } = await tipWith('Quarantined')
  expect((await moderate(`comments/${id}`, 'remove')).status).toBe(200)
  expect(await searchIds(service, 'comments', 'quarantined')).toEqual([])
  expect((await moderate(`comments/${id}`, 'restore')).status).toBe(200)
  expect(await searchIds(service, 'comments', 'quarantined')).toEqual([id])
  await service.call('PUT', `/v1/communities/comments/${id}`, { ticket: author.ticket })
  expect(await searchIds(service, 'comments', 'quarantined')).toEqual([])
})

test('an inactive profile and its tips are not found', async () => {
  const { id, author } = await tipWith('Sleepwalker')
  await describeSelf(author.ticket, { name: 'Somnambulist' })
  expect((await moderate(`profiles/${author.profileId}`, 'deactivate')).status).toBe(200)
  expect(await searchIds(service, 'comments', 'sleepwalker')).toEqual([])
  expect(await searchIds(service, 'profiles', 'somnambulist')).toEqual([])
  expect((await moderate(`profiles/${author.profileId}`, 'reactivate')).status).toBe(200)
  expect(await searchIds(service, 'comments', 'sleepwalker')).toEqual([id])
  expect(await searchIds(service, 'profiles', 'somnambulist')).toEqual([author.profileId])
})

test('neither side of a block finds the other; everybody else does', async () => {
  const { id, author } = await tipWith('Barricaded')
  await describeSelf(author.ticket, { name: 'Barricader' })
  const other = await service.member()
  const found = async (ticket?: string) => [
    await searchIds(service, 'comments', 'barricaded', { ticket }),
    await searchIds(service, 'profiles', 'barricader', { ticket }),
  ]
  expect(await found(other.ticket)).toEqual([[id], [author.profileId]])
  await service.call('PUT', `/v1/profiles/me/blocks/${other.profileId}`, { ticket: author.ticket })
  expect(await found(other.ticket)).toEqual([[], []])
  for (const ticket of [undefined, author.ticket]) expect(await found(ticket)).toEqual([[id], [author.profileId]])
})

test('names come before biographies, and both follow every change', async () => {
  const [one, two, three] = [await service.member(), await service.member(), await service.member()]
  await describeSelf(one.ticket, { biography: 'A plain gardener' })
  await describeSelf(two.ticket, { name: 'Gardener Two' })
  await describeSelf(three.ticket, { name: 'Plain Jane', biography: 'gardener' })
  const found = (q: string) => searchIds(service, 'profiles', q)
  expect(await found('garden')).toEqual([two.profileId, one.profileId, three.profileId])
  // Of name and biography together.
  expect(await found('plain gardener')).toEqual([one.profileId, three.profileId])
  await describeSelf(two.ticket, { name: 'Florist Two' })
  expect(await found('garden')).toEqual([one.profileId, three.profileId])
  await moderate(`profiles/${two.profileId}`, 'reset-name')
  expect(await found('florist')).toEqual([])
  await moderate(`profiles/${one.profileId}`, 'reset-biography')
  expect(await found('garden')).toEqual([three.profileId])
})

test('answers have the shapes of the lists, and what the caller did', async () => {
  const { id, author } = await tipWith('Shapeshifter')
  const reader = await service.member()
  await service.call('POST', `/v1/communities/comments/${id}/like`, { ticket: reader.ticket })
  const byId = await service.call('GET', `/v1/communities/comments/${id}`, { ticket: reader.ticket })
  const found = await service.call('GET', '/v1/search/comments?q=shapeshifter', { ticket: reader.ticket })
  expect(found.text).toBe(byId.text)
  await describeSelf(author.ticket, { name: 'Mimic' })
  const profile = await service.call('GET', `/v1/profiles/${author.profileId}?communities=Y`, { ticket: reader.ticket })
  const foundProfile = await service.call('GET', '/v1/search/profiles?q=mimic&communities=Y', { ticket: reader.ticket })
  expect(foundProfile.text).toBe(profile.text)
})

const WORDS = 'select words from comment union all select name_words || biography_words from profile'

test('what was erased is neither found nor left in the index', async () => {
  const { author } = await tipWith('Unforgettable xylophonist')
  await describeSelf(author.ticket, { name: 'Xerxes Quillfeather', biography: 'Pseudonymous' })
  await indexOld(service.context.database, silent)
  await tipWith('Another one')
  await service.operator('DELETE', `/operator/v1/customers/${author.id}/personal-data`)
  for (const q of ['xylophonist', 'quillfeather', 'pseudonymous']) {
    expect([q, await searchIds(service, 'comments', q), await searchIds(service, 'profiles', q)]).toEqual([q, [], []])
  }
  const { database, config } = service.context
  const rows = await database.query(reading<NoParameters, { words: string }>('words', WORDS), {})
  expect(rows.filter(({ words }) => /xylophonist|quillfeather|pseudonymous/.test(words))).toEqual([])
  if (engine === 'postgres') return
  await database.script('pragma wal_checkpoint(truncate)')
  for (const file of readdirSync(config.dataFolder).filter((name) => name.startsWith('paddock.db'))) {
    const bytes = readFileSync(join(config.dataFolder, file)).toString('latin1')
    expect([file, /xylophonist|quillfeather|pseudonymous/i.exec(bytes)?.[0]]).toEqual([file, undefined])
  }
})

test('what was there before the search is indexed after the start, by a process that may be killed', async () => {
  const testDatabase = await newTestDatabase()
  const before = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
  const [outcome] = (await newMatch(before)) as [TestOutcome]
  const author = await before.member()
  await before.call('PUT', '/v1/profiles/me?name=Methuselah', { ticket: author.ticket })
  const tip = await newTip(before, author, outcome.id, { text: 'Older than the index' })
  await before.close()
  const service = await startTestService({ LOG_LEVEL: 'silent' }, testDatabase)
  const { database } = service.context
  try {
    await database.script(
      'update comment set words = null; update profile set name_words = null, biography_words = null',
    )
    const killed = { ...database, transaction: () => Promise.reject(new Error('killed')) }
    await expect(indexOld(killed, silent)).rejects.toThrow('killed')
    // A change meanwhile is indexed with the rest.
    await service.call('PUT', '/v1/profiles/me?biography=Ancient', { ticket: author.ticket })
    await Promise.all([indexOld(database, silent), indexOld(database, silent)])
    await indexed(service)
    expect(await searchIds(service, 'comments', 'older index')).toEqual([tip])
    expect(await searchIds(service, 'profiles', 'methuselah ancient')).toEqual([author.profileId])
  } finally {
    await service.close()
    await testDatabase.remove()
  }
})

test('without extensions there is no search', async () => {
  const testDatabase = await newTestDatabase()
  const plain = await startTestService({ EXTENSIONS: 'off', LOG_LEVEL: 'silent' }, testDatabase)
  try {
    expect((await call(plain.publicUrl, 'GET', '/v1/search/comments?q=word')).status).toBe(404)
  } finally {
    await plain.close()
    await testDatabase.remove()
  }
})
