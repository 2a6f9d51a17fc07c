// Counts follow the rows that they count, whoever inserts or deletes these (triggers in migrations/schema.*.txt).

import { beforeAll, expect, test } from 'vitest'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { useService } from '../harness/service.ts'
import { newMatch, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService({ LOG_LEVEL: 'silent' })
const script = (sql: string) => service.context.database.script(sql)

const [ANN, BEN] = [700_001, 700_002]
const [FIRST_TIP, SECOND_TIP] = [800_001, 800_002]
let outcome: TestOutcome

const profileCounts = reading<NoParameters, { num_followers: number; num_followings: number; num_live: number }>(
  'profileCounts',
  `select num_followers, num_followings, num_live from profile_count where profile_id in (${ANN}, ${BEN}) order by profile_id`,
)
const commentCounts = reading<NoParameters, { likes: number; listed: string | null }>(
  'commentCounts',
  `select likes, listed from comment_count where comment_id in (${FIRST_TIP}, ${SECOND_TIP}) order by comment_id`,
)
const outcomeCount = reading<{ id: number }, { num_live: number; likes: number }>(
  'outcomeCount',
  'select num_live, likes from outcome_count where outcome_id = :id',
)

beforeAll(async () => {
  outcome = (await newMatch(service))[0] as TestOutcome
  await script(`
    insert into customer (id, status, verified, currency, funds_statement_version, created_at)
    values (${ANN}, 'active', 1, 'GBP', 1, 1), (${BEN}, 'active', 1, 'GBP', 1, 1);
    insert into profile (id, customer_id, biography, status, created_at)
    values (${ANN}, ${ANN}, '', 'A', 1), (${BEN}, ${BEN}, '', 'A', 1);
    insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, created_at, start_order, status, listed)
    values (${FIRST_TIP}, ${ANN}, ${outcome.id}, ${outcome.sportId}, 1, 0, 'live', 1, 1, 'A', 'A'),
      (${SECOND_TIP}, ${ANN}, ${outcome.id}, ${outcome.sportId}, 2, 0, 'lost', 1, 1, 'L', null)`)
})

test('a comment has its row of counts, and only a live one is counted', async () => {
  const { database } = service.context
  expect(await database.query(commentCounts, {})).toEqual([
    { likes: 0, listed: 'A' },
    { likes: 0, listed: null },
  ])
  expect((await database.query(profileCounts, {})).map(({ num_live }) => num_live)).toEqual([1, 0])
  expect(await database.query(outcomeCount, outcome)).toEqual([{ num_live: 1, likes: 0 }])
})

test('likes are counted for their comment, and for its outcome while the comment is live', async () => {
  const { database } = service.context
  const counts = async () => [await database.query(commentCounts, {}), await database.query(outcomeCount, outcome)]
  const likes = (first: number, second: number) => [
    [
      { likes: first, listed: 'A' },
      { likes: second, listed: null },
    ],
    [{ num_live: 1, likes: first }],
  ]
  await script(`insert into comment_like (comment_id, profile_id, created_at)
    values (${FIRST_TIP}, ${BEN}, 1), (${FIRST_TIP}, ${ANN}, 1), (${SECOND_TIP}, ${BEN}, 1)`)
  expect(await counts()).toEqual(likes(2, 1))
  await script(`delete from comment_like where profile_id = ${BEN}`)
  expect(await counts()).toEqual(likes(1, 0))
})

test('follows are counted for both profiles if they are shown', async () => {
  const counts = async () =>
    (await service.context.database.query(profileCounts, {})).map((row) => [row.num_followers, row.num_followings])
  const insert = 'insert into follow (follower_id, followee_id, created_at, shown) values'
  await script(`${insert} (${ANN}, ${BEN}, 1, 1), (${BEN}, ${ANN}, 1, 0)`)
  expect(await counts()).toEqual([
    [0, 1],
    [1, 0],
  ])
  await script('delete from follow where shown = 0')
  expect(await counts()).toEqual([
    [0, 1],
    [1, 0],
  ])
  await script('delete from follow')
  expect(await counts()).toEqual([
    [0, 0],
    [0, 0],
  ])
})
