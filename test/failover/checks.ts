// What the database has after a fault, compared with what was answered.

import { openPostgres } from '../../src/platform/database/postgres/postgres.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import type { Cluster } from './cluster.ts'
import { repetitions } from './deposits.ts'
import { type Recorded, rowExists, storedBiography } from './load.ts'

/** Adds to `recorded.lost` what was answered last and is not stored. */
export async function findLostWrites(cluster: Cluster, recorded: Recorded): Promise<void> {
  const { registers, biographies, bets, tips, lost } = recorded
  for (const [name, { table, pair, there }] of registers) {
    if (there !== 'unknown' && (await rowExists(cluster, table, pair)) !== there) lost.add(`${name}: ${there}`)
  }
  for (const [profileId, number] of biographies) {
    if ((await storedBiography(cluster, profileId)) < number) lost.add(`biography ${number} of profile ${profileId}`)
  }
  const stored = await rowsOfBets(cluster, bets)
  for (const id of bets) if (!stored.bets.has(id)) lost.add(`bet ${id}`)
  for (const id of tips) if (!stored.tips.includes(id)) lost.add(`tip on bet ${id}`)
}

export async function doubledTips(cluster: Cluster, { bets }: Recorded): Promise<string[]> {
  const { tips } = await rowsOfBets(cluster, bets)
  return repetitions(tips.map((id) => `tip on bet ${id}`))
}

async function rowsOfBets(cluster: Cluster, ids: Set<number>): Promise<{ bets: Set<number>; tips: number[] }> {
  const bets = await cluster.queryPrimary('select bet_id as id from bet_outcome where bet_id = any($1)', [[...ids]])
  const tips = await cluster.queryPrimary('select bet_id as id from comment where bet_id = any($1)', [[...ids]])
  return { bets: new Set(bets.map(({ id }) => Number(id))), tips: tips.map(({ id }) => Number(id)) }
}

/** The names of the invariants that counters break. */
export async function wrongCounters(cluster: Cluster): Promise<string[]> {
  const database = openPostgres({ url: cluster.multiHostUrl })
  try {
    return Object.entries(await brokenInvariants(database)).map(([name, found]) => `${name}: not so for ${found}`)
  } finally {
    await database.close()
  }
}
