// Somebody changes rows by hand, past the service and its triggers: verification must say so.

import { beforeAll, describe, expect, test } from 'vitest'
import { logAt } from '../../src/commands/log-source.ts'
import { catchUp } from '../../src/event-log/projection.ts'
import { type NoParameters, reading } from '../../src/platform/database/database.ts'
import { tipLogProjection } from '../../src/tip-log/projection.ts'
import { type SeenLog, verifyLog } from '../../src/tip-log/verify.ts'
import { engine, useService } from '../harness/service.ts'
import { newMatch, newTip, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { entriesOf, logged, seenBy, verify } from '../harness/tip-log.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'

const service = useService({ LOG_LEVEL: 'silent' })
let tip: number
let profiles: [author: number, other: number]
let outcomes: [tipped: number, other: number]
let seen: SeenLog

beforeAll(async () => {
  const [author, other] = [await service.member(), await service.member()]
  const [tipped, untipped] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  await newTip(service, other, tipped.id)
  tip = await newTip(service, author, tipped.id, { more: '&priceNum=5&priceDen=2' })
  await newTip(service, author, ((await newMatch(service)) as [TestOutcome])[0].id)
  await settle(service, tipped, 'win')
  await logged(service.context.database)
  profiles = [author.profileId, other.profileId]
  outcomes = [tipped.id, untipped.id]
  const intact = await verify(service)
  expect(intact.problems).toEqual([])
  seen = seenBy(intact)
})

async function change(sql: string): Promise<void> {
  await withoutTriggers(service.context.database, () => service.context.database.script(sql))
  // Pages of the log are read again after a minute.
  service.clock.advance(60_000)
}

/** What verification says after the change, which is then undone. */
async function problemsAfter(doing: string, undoing: string): Promise<readonly string[]> {
  await change(doing)
  try {
    return (await verify(service, seen)).problems
  } finally {
    await change(undoing)
    expect((await verify(service, seen)).problems).toEqual([])
  }
}

async function columnsOf(table: string): Promise<string[]> {
  const sql =
    engine === 'sqlite'
      ? `select name from pragma_table_info('${table}')`
      : `select column_name as name from information_schema.columns where table_name = '${table}'`
  const columns = reading<NoParameters, { name: string }>(`columnsOf_${table}`, sql)
  return (await service.context.database.query(columns, {})).map(({ name }) => name)
}

type Change = { to: () => string; back: () => string }

const set = (to: () => string, back: () => string): Change => ({ to, back })
const add = (column: string): Change =>
  set(
    () => `${column} = ${column} + 1`,
    () => `${column} = ${column} - 1`,
  )
const flip = (column: string): Change =>
  set(
    () => `${column} = 1 - ${column}`,
    () => `${column} = 1 - ${column}`,
  )
const fill = (column: string): Change =>
  set(
    () => `${column} = 7`,
    () => `${column} = null`,
  )

describe('each column of a tip', () => {
  const CHANGED: { readonly [column: string]: Change } = {
    author_id: set(
      () => `author_id = ${profiles[1]}, bet_id = bet_id + 1000`,
      () => `author_id = ${profiles[0]}, bet_id = bet_id - 1000`,
    ),
    outcome_id: set(
      () => `outcome_id = ${outcomes[1]}`,
      () => `outcome_id = ${outcomes[0]}`,
    ),
    sport_id: add('sport_id'),
    bet_id: add('bet_id'),
    linked_id: fill('linked_id'),
    price_num: add('price_num'),
    price_den: add('price_den'),
    starting_price: flip('starting_price'),
    text: set(
      () => `text = 'I always said so'`,
      () => `text = 'A fine price'`,
    ),
    created_at: add('created_at'),
    record_num: add('record_num'),
    record_den: add('record_den'),
    record_sp: flip('record_sp'),
    each_way_num: fill('each_way_num'),
    each_way_den: fill('each_way_den'),
    status: set(
      () => `status = 'L', listed = null`,
      () => `status = 'W', listed = 'W'`,
    ),
    state: set(
      () => `state = 'removed', listed = null`,
      () => `state = 'live', listed = 'W'`,
    ),
  }
  const NOT_NEEDED: { readonly [column: string]: string } = {
    id: 'refused by the database: likes and counts refer to it',
    listed: 'refused by the database: it follows from status and state',
    start_order: 'the place of the tip in lists, a copy of the start of its event',
    featured: 'the choice of a moderator, not of the author',
    held: 'the choice of a rule or a moderator, not of the author',
    words: 'for the search, made from the text',
  }

  test('is here', async () => {
    expect((await columnsOf('comment')).sort()).toEqual([...Object.keys(CHANGED), ...Object.keys(NOT_NEEDED)].sort())
  })

  test.each(Object.entries(CHANGED))('cannot change unnoticed: %s', async (_column, { to, back }) => {
    const where = `where id = ${tip}`
    const problems = await problemsAfter(`update comment set ${to()} ${where}`, `update comment set ${back()} ${where}`)
    expect(problems).not.toEqual([])
  })

  test.each([
    ['id', 'id = id + 1000'],
    ['listed', 'listed = null'],
  ])('%s is refused', async (_column, to) => {
    await expect(service.context.database.script(`update comment set ${to} where id = ${tip}`)).rejects.toThrow()
  })

  test('and its entry is named', async () => {
    const where = `where id = ${tip}`
    const doing = `update comment set record_num = record_num * 2 ${where}`
    const [problem] = await problemsAfter(doing, `update comment set record_num = record_num / 2 ${where}`)
    const index = (await entriesOf(service)).find(({ leaf }) => leaf.startsWith(`tip id=${tip} `))?.index
    expect(problem).toContain(`The first that differs is entry ${index}.`)
  })
})

describe('each column of a grade', () => {
  const CHANGED: { readonly [column: string]: Change } = {
    profile_id: set(
      () => `profile_id = -1`,
      () => `profile_id = ${profiles[0]}`,
    ),
    comment_id: set(
      () => `comment_id = -1`,
      () => `comment_id = ${tip}`,
    ),
    grade: set(
      () => `grade = 'V'`,
      () => `grade = 'W'`,
    ),
    stake: add('stake'),
    profit: add('profit'),
    in_play: flip('in_play'),
  }
  /** They follow from the tip, its price and its state; the recount of records compares them. */
  const NOT_NEEDED = ['sport_id', 'band', 'day', 'odds', 'return_square', 'closing', 'withdrawn']

  test('is here', async () => {
    expect((await columnsOf('tip_grade')).sort()).toEqual([...Object.keys(CHANGED), ...NOT_NEEDED].sort())
  })

  test.each(Object.entries(CHANGED))('cannot change unnoticed: %s', async (column, { to, back }) => {
    const where = (comment: string | number) => `where comment_id = ${comment} and stake > 0`
    const after = column === 'comment_id' ? -1 : tip
    const doing = `update tip_grade set ${to()} ${where(tip)}`
    expect(await problemsAfter(doing, `update tip_grade set ${back()} ${where(after)}`)).not.toEqual([])
  })
})

describe('the log itself', () => {
  const settlement = () => `where kind = 'settlement' and comment_id = ${tip}`

  test('a settlement that was changed', async () => {
    const to = (from: string, other: string) =>
      `update tip_log_entry set data = replace(data, 'profit=${from}', 'profit=${other}') ${settlement()}`
    const problems = await problemsAfter(to('1.100000', '9.100000'), to('9.100000', '1.100000'))
    expect(problems).toContainEqual(expect.stringContaining('do not give the signed root'))
    expect(problems).toContainEqual(expect.stringContaining('do not follow from its price'))
  })

  test('another number, another salt', async () => {
    const where = `where kind = 'tip' and comment_id = ${tip}`
    const numbered = await problemsAfter(
      `update tip_log_entry set number = number + 1 ${where}`,
      `update tip_log_entry set number = number - 1 ${where}`,
    )
    expect(numbered).toContainEqual(expect.stringContaining('a tip was left out'))
    const salted = await problemsAfter(
      `update tip_log_entry set salt = salt || '00' ${where}`,
      `update tip_log_entry set salt = substr(salt, 1, 32) ${where}`,
    )
    expect(salted).not.toEqual([])
  })

  test('an entry that was removed', async () => {
    const copy = 'create table removed_entry as select * from tip_log_entry'
    const problems = await problemsAfter(
      `${copy} ${settlement()}; delete from tip_log_entry ${settlement()}`,
      'insert into tip_log_entry select * from removed_entry; drop table removed_entry',
    )
    expect(problems).toContainEqual(expect.stringContaining('is missing: somebody has removed it'))
  })

  test('a checkpoint that was changed, and a key that is gone', async () => {
    const forged = await problemsAfter('update tip_log set time = time + 1000', 'update tip_log set time = time - 1000')
    expect(forged).toEqual([expect.stringContaining('is not signed by the key')])
    const hidden = await problemsAfter(
      `update tip_log_key set id = 'x' || id`,
      `update tip_log_key set id = substr(id, 2)`,
    )
    expect(hidden).toContainEqual(expect.stringContaining('is not published'))
    expect(hidden).toContainEqual(expect.stringContaining('is no longer published'))
  })
})

test('a change that is on its way to the log is waited for', async () => {
  const where = `where id = ${tip}`
  await change(`update comment set state = 'removed', listed = null ${where}`)
  let pauses = 0
  const patience = {
    times: 3,
    async pause() {
      pauses++
      if (pauses === 2) await change(`update comment set state = 'live', listed = 'W' ${where}`)
    },
  }
  const { problems } = await verifyLog(logAt(service.publicUrl), { seen, patience, progress: () => {} })
  expect([problems, pauses]).toEqual([[], 2])
})

test('a log that was built again over changed tips contradicts what was seen', async () => {
  await change(`
    update comment set text = 'I always said so' where id = ${tip};
    delete from tip_log_entry; delete from tip_log_tile; delete from tip_log_profile;
    update tip_log set size = 0, position = 0`)
  await catchUp(service.context.database, tipLogProjection(Date.now))
  expect((await verify(service)).problems).toEqual([])
  const { problems } = await verify(service, seen)
  expect(problems).toEqual([expect.stringContaining('is not consistent with the checkpoint of')])
})
