// A service with a primary that can fall silent, and a replica of it.

import { expect, vi } from 'vitest'
import { type FreezableProxy, freezableProxy } from './freezable-proxy.ts'
import { startReplicatedPostgres, type TestPostgres } from './postgres.ts'
import { POLL } from './replica-replay.ts'
import { newTestDatabase, type Settings, startTestService, type TestService } from './service.ts'

export type ReplicatedService = Awaited<ReturnType<typeof startReplicatedService>>

/** Beyond what a test takes on a slow machine. */
const UP_TO_SECONDS = '600'
/** A busy machine answers late. */
const DATABASE_SILENT_MS = '1500'

async function away({ context }: TestService): Promise<void> {
  await vi.waitFor(() => expect(context.replicas?.stale?.watch.isAway()).toBe(true), POLL)
}

async function back({ context }: TestService): Promise<void> {
  await vi.waitFor(() => expect(context.replicas?.stale?.watch.isAway()).toBe(false), POLL)
  await vi.waitFor(() => expect(context.replicas?.leftOut()).toEqual([]), POLL)
}

async function caughtUp({ context }: TestService): Promise<void> {
  const since = performance.now()
  await vi.waitFor(() => {
    expect(context.replicas?.leftOut()).toEqual([])
    expect(context.replicas?.freshness()).toBeGreaterThan(since)
  }, POLL)
}

export async function startReplicatedService(given: Settings = {}) {
  const { primary, replica } = await startReplicatedPostgres()
  const [way, wayToReplica] = [await freezableProxy(primary.port), await freezableProxy(replica.port)]
  const testDatabase = await newTestDatabase()
  const others: TestService[] = []
  const urlOf = ({ port }: FreezableProxy | TestPostgres) => `postgres://paddock@127.0.0.1:${port}/postgres`

  function serviceWith(settings: Settings): Promise<TestService> {
    const [DATABASE_URL, DATABASE_REPLICA_URLS] = [urlOf(way), urlOf(wayToReplica)]
    const STALE_READS_UP_TO_SECONDS = UP_TO_SECONDS
    return startTestService(
      { DATABASE_URL, DATABASE_REPLICA_URLS, STALE_READS_UP_TO_SECONDS, DATABASE_SILENT_MS, ...given, ...settings },
      testDatabase,
    )
  }

  const service = await serviceWith({})

  return {
    ...{ primary, replica, way, wayToReplica, service, urlOf },
    away: (at = service) => away(at),
    back: (at = service) => back(at),
    /** The replica shows all that was written before the call. */
    caughtUp: (at = service) => caughtUp(at),
    /** Another process of the same service. */
    async another(settings: Settings = {}): Promise<TestService> {
      const other = await serviceWith(settings)
      others.push(other)
      return other
    },
    /** The primary answers nothing while `work` runs. */
    async whileAway(work: () => Promise<void>, services = [service]): Promise<void> {
      way.freeze()
      try {
        for (const one of services) await away(one)
        await work()
      } finally {
        way.thaw()
        for (const one of services) await back(one)
      }
    },
    async endOthers(): Promise<void> {
      for (const other of others.splice(0)) await other.close()
    },
    async close(): Promise<void> {
      await service.close()
      await testDatabase.remove()
      await way.close()
      await wayToReplica.close()
      await replica.remove()
      await primary.remove()
    },
  }
}
