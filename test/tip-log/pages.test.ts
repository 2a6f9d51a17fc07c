// Pages of the log: from a cache that every change of their tips invalidates, with ETags; leaves alone never change.

import { beforeAll, describe, expect, test } from 'vitest'
import { readPage } from '../../src/tip-log/log.ts'
import { logPages } from '../../src/tip-log/pages.ts'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { entriesOf, logged } from '../harness/tip-log.ts'

const service = useService({ LOG_LEVEL: 'silent' })

// Pages are cached for a minute, however slow the machine is.
beforeAll(() => service.clock.hold())

type Member = Awaited<ReturnType<typeof service.member>>

async function newLoggedTip(author?: Member) {
  const member = author ?? (await service.member())
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const id = await newTip(service, member, outcome.id)
  await logged(service.context.database)
  const entries = await entriesOf(service)
  const start = entries.findIndex(({ leaf }: Json) => leaf.startsWith(`tip id=${id} `))
  return { member, outcome, id, start }
}

function read(query: string, headers: Record<string, string> = {}, accept = 'application/json') {
  return service.call('GET', `/v1/communities/log/entries${query}`, { key: null, secret: null, accept, headers })
}

const pageReads = () => service.statementsByName().get('entriesFrom') ?? 0

describe('a page', () => {
  test('is read once while nothing changes, and answered 304 to those who have it', async () => {
    const { start } = await newLoggedTip()
    const query = `?start=${start}&count=1`
    const before = pageReads()
    const first = await read(query)
    const etag = first.headers.get('etag') as string
    expect([first.status, first.headers.get('cache-control'), etag]).toEqual([
      200,
      'no-cache',
      expect.stringMatching(/^"[\w-]{22}"$/),
    ])
    // Something else happens.
    await newLoggedTip()
    const between = pageReads()
    const again = await read(query)
    expect([again.text, again.headers.get('etag')]).toEqual([first.text, etag])
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await read(query, { 'if-none-match': known })
      expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await read(query, { 'if-none-match': '"other"' })).text).toBe(first.text)
    const xml = await read(query, { 'if-none-match': etag }, 'application/xml')
    expect([xml.status, xml.text]).toEqual([200, expect.stringMatching(/^<\?xml/)])
    expect(pageReads()).toBe(between)
    expect(between).toBeGreaterThan(before)
  })

  test('shows every change of its tips at once, through every process', async () => {
    const { database, now } = service.context
    const { member, outcome, id, start } = await newLoggedTip()
    const request = { start, count: 1, leavesOnly: false }
    // As another process has it.
    const elsewhere = logPages(database, now)
    const seen: string[] = []
    const changes = [
      () => settle(service, outcome, 'win'),
      () => settle(service, outcome, 'lose'),
      () => operatorOk(service, 'POST', `/moderation/comments/${id}`, { action: 'remove', note: 'spam' }),
      () => operatorOk(service, 'POST', `/moderation/comments/${id}`, { action: 'restore', note: '' }),
      () => service.call('PUT', `/v1/communities/comments/${id}`, { ticket: member.ticket }),
    ]
    for (const change of changes) {
      const before = [await elsewhere.read(request), (await read(`?start=${start}&count=1`)).headers.get('etag')]
      // From the cache: the same object.
      expect(await elsewhere.read(request)).toBe(before[0])
      await change()
      await logged(database)
      const [page, etag] = [await elsewhere.read(request), (await read(`?start=${start}&count=1`)).headers.get('etag')]
      expect([page, etag]).not.toEqual(before)
      expect(page).toEqual((await readPage(database, request))?.page)
      const [entry] = (await entriesOf(service, `?start=${start}&count=1`)) as [Json]
      seen.push(`${entry.status} ${entry.state} ${entry.grade}`)
    }
    expect(seen).toEqual(['W live W', 'L live L', 'L removed L', 'L live L', 'L deactivated L'])
  })

  test('at the end of the log shows what is appended', async () => {
    const { start } = await newLoggedTip()
    const last = () => entriesOf(service, `?start=${start}&count=5`)
    expect(await last()).toHaveLength(1)
    await newLoggedTip()
    expect(await last()).toHaveLength(2)
  })
})

describe('leaves alone', () => {
  test('are those of the entries, and a full page of them can be cached for ever', async () => {
    const { member, start } = await newLoggedTip()
    const all = await entriesOf(service)
    const count = all.length
    const full = await read(`?start=0&count=${count}&leavesOnly=Y`)
    expect(full.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const leaves = [full.json().whoLog.entry].flat()
    expect(leaves).toEqual(all.map(({ index, leaf }) => ({ index, leaf })))
    const partial = await read(`?start=${start}&count=${count + 1}&leavesOnly=Y`)
    expect(partial.headers.get('cache-control')).toBe('no-cache')
    await service.operator('DELETE', `/operator/v1/customers/${member.id}/personal-data`)
    service.clock.advance(60_000)
    const after = await read(`?start=0&count=${count}&leavesOnly=Y`)
    expect([after.text, after.headers.get('etag')]).toEqual([full.text, full.headers.get('etag')])
  })
})
