import { expect, vi } from 'vitest'
import { tipsToIndex } from '../../src/search/fts-store.ts'
import { missingWords } from '../../src/search/indexer-store.ts'
import type { Json, TestService } from './service.ts'

/** Everything that was written without words is indexed. */
export async function indexed(service: TestService): Promise<void> {
  const { database } = service.context
  const isDone = async () => {
    const missing = await database.one(missingWords, {})
    expect([Boolean(missing?.comments), Boolean(missing?.profiles)]).toEqual([false, false])
    if (database.engine === 'sqlite') expect((await database.one(tipsToIndex, {}))?.left).toBeLessThanOrEqual(0)
  }
  await vi.waitFor(isDone, { timeout: 60_000, interval: 20 })
}

type SearchOptions = { blockSize?: number; blockNum?: number; ticket?: string | undefined }

/** The ids that a search answers with, in their order. */
export async function searchIds(
  service: TestService,
  what: 'profiles' | 'comments',
  q: string,
  { ticket, ...block }: SearchOptions = {},
): Promise<number[]> {
  const query = new URLSearchParams({ q, ...Object.fromEntries(Object.entries(block).map(([k, v]) => [k, `${v}`])) })
  const options = { accept: 'application/json', ...(ticket === undefined ? {} : { ticket }) }
  const reply = await service.call('GET', `/v1/search/${what}?${query}`, options)
  if (reply.status === 204) return []
  expect([q, reply.status, reply.text]).toEqual([q, 200, expect.any(String)])
  const found =
    what === 'profiles'
      ? reply.json().whoProfiles.map(({ profile }: Json) => profile)
      : [reply.json().whoCommunities.comment].flat()
  return found.map(({ id }: Json) => Number(id))
}
