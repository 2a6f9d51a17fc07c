// Reads on a real streaming replica by several workers: a writer sees the write whichever worker serves the next request.

import { rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'
import { metric } from '../harness/metric.ts'
import { startReplicatedPostgres, type TestPostgres } from '../harness/postgres.ts'
import { POLL, withReplayPaused } from '../harness/replica-replay.ts'
import { engine } from '../harness/service.ts'
import { newBet, newMatch } from '../harness/sportsbook.ts'
import { type ReceivedReply, type ServiceWithWorkers, startServiceWithWorkers, waitUntil } from '../harness/workers.ts'

type Ticket = Record<string, string>

const FRESH_READS = 6

describe.runIf(engine === 'postgres')('replicas and workers', () => {
  let folder: string
  let primary: TestPostgres
  let replica: TestPostgres
  let service: ServiceWithWorkers

  beforeAll(async () => {
    folder = newDataFolder()
    const servers = await startReplicatedPostgres()
    primary = servers.primary
    replica = servers.replica
    const testDatabase = { settings: { DATA_DIR: folder }, remove: async () => {} }
    service = await startServiceWithWorkers(testDatabase, {
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: replica.url,
      DATABASE_REPLICA_MAX_LAG_MS: '60000',
    })
  })

  afterAll(async () => {
    service.child.kill('SIGTERM')
    await service.ended
    await replica.remove()
    await primary.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const profile = (id: number, ticket: Ticket = {}) => service.send('GET', `/v1/profiles/${id}`, ticket)

  /** On connections of their own, which the supervisor hands to the workers in turn. */
  async function eachRead(read: () => Promise<ReceivedReply>): Promise<string[]> {
    return (await Promise.all(Array.from({ length: FRESH_READS }, read))).map(({ text }) => text)
  }

  /** Every worker shows it. */
  async function expectSeen(read: () => Promise<ReceivedReply>, what: string): Promise<void> {
    const shown = await eachRead(read)
    expect(shown).toEqual(shown.map(() => expect.stringContaining(what)))
  }

  async function readsAt(where: 'primary' | 'replica 1'): Promise<number> {
    return metric(await service.metrics(), `paddock_reads_total{place="${where}"}`) || 0
  }

  /** Every worker reads from the replica. */
  function soonAtReplica(read: () => Promise<ReceivedReply>): Promise<void> {
    return vi.waitFor(async () => {
      const before = await readsAt('primary')
      const beforeThere = await readsAt('replica 1')
      await eachRead(read)
      expect(await readsAt('primary')).toBe(before)
      expect(await readsAt('replica 1')).toBeGreaterThanOrEqual(beforeThere + FRESH_READS)
    }, POLL)
  }

  /** The log is written in batches, shortly after the events. */
  async function workersThatServed(operation: string, count: number): Promise<number[]> {
    const served = () => service.lines().filter((line) => line.operation === operation)
    await waitUntil(() => served().length >= count)
    return [...new Set(served().map((line) => line.worker as number))].sort()
  }

  async function written(reply: Promise<ReceivedReply>): Promise<void> {
    const { status, text } = await reply
    expect([status, text]).toEqual([expect.toBeOneOf([200, 204]), text])
  }

  test('a writer sees the write in every worker while replay is paused; others are served by the replica', async () => {
    const [me, star, other] = [await service.member(1), await service.member(2), await service.member(3)]
    const [outcome] = await newMatch(service)
    const betId = await newBet(service, star.id, [outcome?.id as number])
    const path = `/v1/communities/comments/me/outcomes/${outcome?.id}?betId=${betId}&text=A+fine+price`
    const tip = Number(/<comment id="(\d+)"/.exec((await service.send('POST', path, star.ticket)).text)?.[1])
    const comment = () => service.send('GET', `/v1/communities/comments/${tip}`, me.ticket)
    const followings = `/v1/profiles/me/followings/${star.profileId}`
    for (const { ticket } of [me, other]) await soonAtReplica(() => profile(star.profileId, ticket))

    await withReplayPaused(replica, async () => {
      await written(service.send('PUT', '/v1/profiles/me?biography=Mine', me.ticket))
      await expectSeen(() => profile(me.profileId, me.ticket), '<biography>Mine</biography>')
      await soonAtReplica(async () => {
        const shown = await profile(me.profileId, other.ticket)
        expect(shown.text).not.toContain('Mine')
        return shown
      })
      for (let round = 1; round <= 3; round++) {
        await written(service.send('PUT', `/v1/profiles/me?biography=Round+${round}`, me.ticket))
        await expectSeen(() => profile(me.profileId, me.ticket), `<biography>Round ${round}</biography>`)
        await written(service.send('POST', followings, me.ticket))
        await expectSeen(() => profile(star.profileId, me.ticket), '<numFollowers>1</numFollowers>')
        await written(service.send('DELETE', followings, me.ticket))
        await expectSeen(() => profile(star.profileId, me.ticket), '<numFollowers>0</numFollowers>')
      }
      await written(service.send('POST', `/v1/communities/comments/${tip}/like`, me.ticket))
      await expectSeen(comment, '<isLiked>Y</isLiked>')
    })
    await soonAtReplica(() => profile(me.profileId, me.ticket))
    // Both workers were read, whichever took the write.
    expect(await workersThatServed('getProfile', 50)).toEqual([1, 2])
  })

  test('concurrent writers each see their own write', async () => {
    const members = await Promise.all(Array.from({ length: 10 }, (_, index) => service.member(100 + index)))
    await soonAtReplica(() => profile(1))
    await withReplayPaused(replica, async () => {
      const rounds = members.map(async ({ profileId, ticket }) => {
        for (let round = 1; round <= 5; round++) {
          await written(service.send('PUT', `/v1/profiles/me?biography=Round+${round}`, ticket))
          expect((await profile(profileId, ticket)).text).toContain(`Round ${round}`)
        }
      })
      await Promise.all(rounds)
    })
  })

  test('everybody sees an operator’s change in every worker at once', async () => {
    const gone = await service.member(200)
    const read = () => profile(gone.profileId)
    await soonAtReplica(read)
    await withReplayPaused(replica, async () => {
      await expectSeen(read, `<profile id="${gone.profileId}"`)
      await service.operatorOk('POST', `/moderation/profiles/${gone.profileId}`, { action: 'deactivate', note: 'n' })
      await expectSeen(read, '<faultCode>')
    })
    await soonAtReplica(() => profile(1))
  })

  test('a stalled worker delays writes only briefly, and never shows stale data', async () => {
    const [me, other] = [await service.member(300), await service.member(301)]
    for (const { profileId, ticket } of [me, other]) await soonAtReplica(() => profile(profileId, ticket))
    const { first, second } = await connectionsToBoth()
    const update = ({ ticket }: { ticket: Ticket }) =>
      written(service.sendOver(first.agent, 'PUT', '/v1/profiles/me?biography=Meanwhile', { headers: ticket }))
    const read = ({ profileId, ticket }: typeof me) =>
      service.sendOver(second.agent, 'GET', `/v1/profiles/${profileId}`, { headers: ticket })

    const began = Date.now()
    await withReplayPaused(replica, async () => {
      process.kill(second.pid, 'SIGSTOP')
      await update(me)
      // The supervisor no longer waits for this worker or notifies it.
      await update(other)
      const shown = [read(me), read(other)]
      process.kill(second.pid, 'SIGCONT')
      for (const { text } of await Promise.all(shown)) expect(text).toContain('<biography>Meanwhile</biography>')
      for (const { profileId, ticket } of [me, other]) await expectSeen(() => profile(profileId, ticket), 'Meanwhile')
    })

    await soonAtReplica(() => profile(me.profileId, me.ticket))
    // The first write was acknowledged only when the supervisor gave up on the other worker.
    const updates = () => service.lines().filter((line) => line.operation === 'updateMyProfile' && line.time >= began)
    const silent = () => service.lines().find((line) => /^a worker has been silent/.test(line.msg))
    await waitUntil(() => updates().length === 2 && silent() !== undefined)
    expect(updates()[0].time).toBeGreaterThanOrEqual(silent().time)
    for (const { agent } of [first, second]) agent.destroy()
  })

  /** A keep-alive connection to each worker. */
  async function connectionsToBoth() {
    const operation = 'getMostFollowedProfiles'
    const served = () => service.lines().filter((line) => line.operation === operation)
    const connections: Connection[] = []
    for (const agent of [keptConnection(), keptConnection()]) {
      await service.sendOver(agent, 'GET', '/v1/profiles/followers/mostFollowed', {})
      await waitUntil(() => served().length > connections.length)
      const { worker } = served()[connections.length]
      const began = service.lines().find((line) => line.msg === 'a worker is serving' && line.worker === worker)
      connections.push({ agent, pid: began.pid as number })
    }
    const [first, second] = connections as [Connection, Connection]
    expect(first.pid).not.toBe(second.pid)
    return { first, second }
  }
})

type Connection = { agent: Agent; pid: number }

const keptConnection = () => new Agent({ keepAlive: true, maxSockets: 1 })
