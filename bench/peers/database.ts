import pg from 'pg'
import type { Size } from '../data/sizes.ts'

export async function runAll(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set maintenance_work_mem = '512MB'`)
    for (const sql of statements) await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Follows and likes of the writers, as the baseline paths of the requests that would create them. */
export async function existingPairs(url: string, { writers }: Size): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ path: string }>(
      `select '/follow/' || follower_id || '/' || followee_id as path from follow where follower_id <= ${writers}
       union all select '/like/' || profile_id || '/' || comment_id from comment_like where profile_id <= ${writers}`,
    )
    return new Set(rows.map(({ path }) => path))
  } finally {
    await client.end()
  }
}
