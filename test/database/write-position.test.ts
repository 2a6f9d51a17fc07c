// x-write-position: who has written sees it on any machine. Two services, and a replica that is held back.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Paddock } from '../../clients/typescript/src/index.ts'
import { fateOf, parsePosition, textOfPosition } from '../../src/platform/database/replicas/write-position.ts'
import { isEachChange } from '../harness/each-change.ts'
import { withReplayPaused as paused } from '../harness/replica-replay.ts'
import { type ReplicatedService, startReplicatedService } from '../harness/replicated-service.ts'
import { engine, KEY, SECRET, type TestCustomer, type TestService } from '../harness/service.ts'
import { deposit, newDepositor } from '../harness/wallets.ts'

const position = { database: 'abcdefgh', timeline: 3, position: 123_456_789_012, beat: 40 }

describe('a position', () => {
  test('is read as it was written; anything else is none', () => {
    expect(parsePosition(textOfPosition(position))).toEqual(position)
    const unreadable = [
      '',
      'lost',
      'abc.1.1.1',
      'abcdefgh.1.1',
      'abcdefgh.1.1.1.1',
      'abcdefgh.-1.1.1',
      'abcdefgh.1.1.zzzzzzzzzzzz',
    ]
    expect(unreadable.map(parsePosition)).toEqual(unreadable.map(() => undefined))
  })

  test.each([
    ['contained', { number: 50, timeline: 4, timeline_start: 41 }],
    ['unknown', { number: 50, timeline: 4, timeline_start: 40 }],
    ['lost', { number: 50, timeline: 4, timeline_start: 39 }],
    // A promotion between them may have counted on without the write.
    ['unknown', { number: 50, timeline: 5, timeline_start: 45 }],
    ['lost', { number: 50, timeline: 5, timeline_start: 39 }],
  ] as const)('of an earlier timeline is %s in a history with the heartbeat %o', (fate, heartbeat) => {
    expect(fateOf(position, heartbeat)).toBe(fate)
  })
})

describe.runIf(engine === 'postgres' && !isEachChange)('own writes on another machine', () => {
  let cluster: ReplicatedService
  let here: TestService
  let there: TestService
  let member: TestCustomer & { profileId: number }

  beforeAll(async () => {
    cluster = await startReplicatedService({ DATABASE_REPLICA_MAX_LAG_MS: '60000' })
    here = cluster.service
    there = await cluster.another()
    member = await here.member()
  })
  afterAll(async () => {
    await cluster?.endOthers()
    await cluster?.close()
  })

  const write = async (text: string) => {
    const reply = await here.call('PUT', `/v1/profiles/me?biography=${text}`, { ticket: member.ticket })
    expect(reply.status).toBe(200)
    return reply.headers.get('x-write-position') as string
  }
  async function biographyAt(service: TestService, sent?: string) {
    const headers = sent === undefined ? {} : { headers: { 'x-write-position': sent } }
    const options = { ticket: member.ticket, accept: 'application/json', ...headers }
    const reply = await service.call('GET', `/v1/profiles/${member.profileId}`, options)
    return reply.status === 200 ? reply.json().whoProfiles[0].profile.biography : reply.status
  }
  async function withReplayPaused(work: () => Promise<void>): Promise<void> {
    await cluster.caughtUp(there)
    await paused(cluster.replica, work)
  }

  test('with the position the write is seen there, without it what the replica shows', async () => {
    await write('first')
    await withReplayPaused(async () => {
      const sent = await write('second')
      expect(await biographyAt(there)).toBe('first')
      expect(await biographyAt(there, sent)).toBe('second')
    })
    await cluster.caughtUp(there)
    expect(await biographyAt(there, await write('third'))).toBe('third')
  })

  test('while the primary is away, a position ahead of the replicas is 503 for that request only', async () => {
    const shown = await write('fourth')
    await withReplayPaused(async () => {
      const sent = await write('fifth')
      await cluster.whileAway(async () => {
        expect(await biographyAt(there, sent)).toBe(503)
        expect(await biographyAt(there, shown)).toBe('fourth')
        expect(await biographyAt(there)).toBe('fourth')
      }, [here, there])
    })
  })

  test('one that is unreadable or of another database is ignored; one of a newer timeline is served by nobody', async () => {
    const [database = '', ...rest] = (await write('sixth')).split('.')
    await withReplayPaused(async () => {
      await write('seventh')
      expect(await biographyAt(there, 'nonsense')).toBe('sixth')
      expect(await biographyAt(there, ['12345678', ...rest].join('.'))).toBe('sixth')
      expect(await biographyAt(there, [database, '9', '1', '1'].join('.'))).toBe(503)
    })
  })

  test('an idempotent answer that is replayed has one, a read has none', async () => {
    const depositor = await newDepositor(here)
    const first = await deposit(here, { ...depositor, key: 'once' })
    const again = await deposit(here, { ...depositor, key: 'once' })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    for (const { headers: answered } of [first, again])
      expect(parsePosition(answered.get('x-write-position') ?? '')).toBeDefined()
    const read = await here.call('GET', `/v1/profiles/${member.profileId}`, { ticket: member.ticket })
    expect(read.headers.get('x-write-position')).toBe(null)
  })

  test('a like costs no further statement of its own, and no request without a write has one', async () => {
    const before = here.statementsByName()
    await write('eighth')
    const after = here.statementsByName()
    const more = [...after].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name)
    expect(more).not.toContain('commitPosition')
  })

  test('the TypeScript client keeps it for each ticket', async () => {
    const client = (service: TestService, options = {}) =>
      new Paddock({ baseUrl: service.publicUrl, apiKey: KEY, secret: SECRET, ...options })
    const sent: (string | undefined)[] = []
    const onRequest = ({ headers }: { headers: Record<string, string> }) => void sent.push(headers['x-write-position'])
    // A balancer sends each request to the machine that `at` names.
    let at = here
    const fetchThere = (url: string, init: RequestInit) => fetch(url.replace(here.publicUrl, at.publicUrl), init)
    const all = client(here, { onRequest, fetch: fetchThere })
    const mine = all.withTicket(member.ticket)
    await withReplayPaused(async () => {
      await mine.updateMyProfile({ biography: 'by the client' })
      at = there
      expect((await mine.getProfile({ id: member.profileId })).biography).toBe('by the client')
      expect((await all.getProfile({ id: member.profileId }, { ticket: member.ticket })).biography).toBe(
        'by the client',
      )
      expect((await all.getProfile({ id: member.profileId })).biography).not.toBe('by the client')
    })
    expect(sent).toEqual([undefined, expect.any(String), expect.any(String), undefined])
  })
})
