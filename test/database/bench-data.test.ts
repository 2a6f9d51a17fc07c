import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, openHand, type Target } from '../../bench/data/builder.ts'
import { celebrity, readerOf, sizes } from '../../bench/data/sizes.ts'
import type { Database } from '../../src/database/database.ts'
import { statement } from '../../src/database/database.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { brokenInvariants } from '../harness/community-invariants.ts'
import { newPlace, type Place } from '../harness/service.ts'

const size = sizes.tiny
const silent = { begin() {}, advance() {}, end() {} }

const wrongFollows = statement<[], { id: number }>(
  'wrongFollows',
  `select profile_id as id from profile_count p
   where num_followers <> (select count(*) from follow where followee_id = p.profile_id and shown = 1)
      or num_followings <> (select count(*) from follow where follower_id = p.profile_id and shown = 1)
   union all
   select f.id from follow f join profile a on a.id = f.follower_id join profile b on b.id = f.followee_id
   where f.shown <> case when a.status = 'A' and b.status = 'A' then 1 else 0 end`,
)

const countsOf = statement<[id: number], { num_followers: number; num_followings: number }>(
  'countsOf',
  'select num_followers, num_followings from profile_count where profile_id = $1',
)

let place: Place
let target: Target
let database: Database

beforeAll(async () => {
  place = await newPlace()
  const { DATABASE_URL: url, DATA_DIR: folder = '' } = place.settings
  target = url === undefined ? { engine: 'sqlite', file: join(folder, 'paddock.db') } : { engine: 'postgres', url }
  await build(target, size, Date.now(), silent)
  database = target.engine === 'sqlite' ? openSqlite(target.file) : openPostgres({ url: target.url })
})
afterAll(async () => {
  await database?.close()
  await place?.remove()
})

test('the data set of the bench is as the service would have left it', async () => {
  expect(await brokenInvariants(database)).toEqual({})
  expect(await database.query(wrongFollows, [])).toEqual([])
})

test('rows name only rows that are there, though nothing checked it while they were made', async () => {
  const hand = await openHand(target)
  const missing =
    target.engine === 'sqlite'
      ? await hand.rows('pragma foreign_key_check')
      : await hand.rows(orphansInPostgres(await hand.rows<ForeignKey>(FOREIGN_KEYS)))
  await hand.close()
  expect(missing).toEqual([])
})

test('every index is there again', async () => {
  const hand = await openHand(target)
  const names = await hand.rows<{ name: string }>(
    target.engine === 'sqlite'
      ? `select name from sqlite_master where type = 'index'`
      : 'select indexname as name from pg_indexes',
  )
  await hand.close()
  expect(names.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['comment_newest', 'follow_by_followee', 'job_due']),
  )
})

test('those who are known by name follow, and are followed, as their names say', async () => {
  for (const followings of size.followings) {
    const reader = readerOf(size, followings) as number
    expect(await database.one(countsOf, [reader])).toMatchObject({ num_followings: followings })
  }
  const star = await database.one(countsOf, [celebrity(size)])
  expect(star?.num_followers).toBeGreaterThanOrEqual((size.profiles * 4) / 5)
})

type ForeignKey = { child: string; columns: string; parent: string; keys: string }

const FOREIGN_KEYS = `select conrelid::regclass::text as child, confrelid::regclass::text as parent,
  (select string_agg(a.attname, ',' order by k.place) from unnest(conkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = conrelid and a.attnum = k.number) as columns,
  (select string_agg(a.attname, ',' order by k.place) from unnest(confkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = confrelid and a.attnum = k.number) as keys
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`

function orphansInPostgres(keys: ForeignKey[]): string {
  return keys
    .map(
      ({ child, columns, parent, keys }) =>
        `select '${child}' as child from ${child} where (${columns}) is not null and (${columns}) not in (select ${keys} from ${parent})`,
    )
    .join(' union all ')
}
