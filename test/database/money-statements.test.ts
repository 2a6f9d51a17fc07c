// All statements of wallets at once: what a decision rests on is read after the lock, by a statement of its own, because a subselect
// of the statement that locks sees what was there before it waited; no sum adds amounts of two currencies; and whoever changes rows looks
// at how many.

import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allStatements } from './statements.ts'

const found = await allStatements(`wallets${sep}`)
const statements = [...new Map(found.map(({ statement }) => [statement.name, statement])).values()]

test('the statements of wallets are found', () => {
  expect(statements.length).toBeGreaterThan(150)
  expect(statements.filter(({ access }) => access === 'locks').length).toBeGreaterThan(5)
  expect(statements.filter(({ sql }) => moneySums(sql).length > 0).length).toBeGreaterThan(10)
})

// ---- Locks

/** What a statement that locks reads of rows that it does not lock: subselects (a list of parameters is none), and tables that `for update of` leaves out. */
function readBesideLock(sql: string): string[] {
  const subselects = sql.match(/\( ?select .*?from (?!jsonb?_)\w+/gi) ?? []
  const tables = [...sql.matchAll(/(?:from|join) (\w+)(?: (?!join|where|on|for|order|left|cross|limit)(\w+))?/gi)]
  const locked = /for (?:no key )?update of ([\w, ]+)/i.exec(sql)?.[1]?.split(/, ?/)
  const unlocked =
    locked === undefined
      ? []
      : tables.map(([, table, alias = table]) => alias).filter((alias) => !locked.includes(alias as string))
  return [...subselects, ...(unlocked as string[])]
}

const lockers = statements.filter(({ access }) => access === 'locks')

test.each(lockers.map((statement) => [statement.name, statement]))(
  '%s reads nothing but what it locks',
  (_, { sql }) => {
    expect(sql).toMatch(/for (no key )?update/)
    expect(readBesideLock(sql)).toEqual([])
  },
)

test('a lock that reads a debt beside it is noticed, and one that leaves a table out', () => {
  const withDebt = `select d.id, (select sum(balance) from account where customer_id = d.customer_id) as debt
    from deposit d where d.id = $1 for update`
  expect(readBesideLock(withDebt.replace(/\s+/g, ' '))).toEqual(['(select sum(balance) from account'])
  const leftOut =
    'select w.id from withdrawal w join customer c on c.id = w.customer_id where w.id = $1 for no key update of c'
  expect(readBesideLock(leftOut)).toEqual(['w'])
  expect(readBesideLock(`${leftOut}, w`)).toEqual([])
})

// ---- Sums

const MONEY = /\b(amount|balance|balance_after|paid|returned|kept_back|debited|charged|captured|credited|house)\b/

/** One select of a statement: its own text, in which `#n` stands for what is in parentheses. */
type Level = { text: string; groups: Level[] }

function parse(sql: string): Level {
  const root: Level = { text: '', groups: [] }
  const open = [root]
  for (const character of sql) {
    const level = open.at(-1) as Level
    if (character === ')') open.pop()
    else if (character === '(') {
      const group = { text: '', groups: [] }
      level.text += `#${level.groups.length} `
      level.groups.push(group)
      open.push(group)
    } else level.text += character
  }
  return root
}

/** With what is in parentheses. Of subselects, unless `all`, only of those that are read from what follows their own `from`. */
function whole({ text, groups }: Level, all: boolean): string {
  return text.replace(/(\w+ ?)?#(\d+) /g, (_, before = '', index) => {
    const group = groups[Number(index)] as Level
    const inside = whole(group, all)
    if (all || !/^ ?select/i.test(group.text)) return `${before}(${inside}) `
    return `${before}(${/^(from|join) ?$/i.test(before) ? afterFrom(inside) : ''}) `
  })
}

const afterFrom = (select: string) => select.replace(/^.*?\bfrom\b/i, '')

/** What is added up: of a `case` its results, not its conditions. */
function added(argument: string): string {
  if (!/\bcase\b/i.test(argument)) return argument
  return [...argument.matchAll(/\b(?:then|else) (.*?)(?= (?:when|else|end)\b)/gi)].map(([, result]) => result).join(' ')
}

type MoneySum = {
  readonly sum: string
  /** What its select says after `from`. */
  readonly from: string
  /** It counts those of another currency beside it, so that somebody reads of them. */
  readonly reportsOthers: boolean
}

function moneySums(sql: string): MoneySum[] {
  const sums: MoneySum[] = []
  const visit = ({ text, groups }: Level, enclosing: { text: string; groups: Level[] }) => {
    const own = /\bselect\b/i.test(text)
      ? text.split(/\bunion(?: all)?\b/i).map((part) => ({ text: part, groups }))
      : [enclosing]
    for (const select of own) {
      for (const [, index] of text.matchAll(/\bsum ?#(\d+) /gi)) {
        if (own.length > 1 && !select.text.includes(`#${index} `)) continue
        const sum = whole(groups[Number(index)] as Level, true)
        const from = afterFrom(whole(select, false))
        const reportsOthers = /\bcurrency <> /.test(whole(select, true))
        if (MONEY.test(added(sum))) sums.push({ sum, from, reportsOthers })
      }
    }
    groups.forEach((group, index) => {
      const select = own.find((one) => one.text.includes(`#${index} `)) ?? enclosing
      visit(group, select)
    })
  }
  const root = parse(sql)
  visit(root, root)
  return sums
}

/** The sums that may add amounts of two currencies. */
const withoutCurrency = (sql: string) =>
  moneySums(sql)
    .filter(({ from, reportsOthers }) => !reportsOthers && !/\bcurrency\b/.test(from))
    .map(({ sum }) => sum)

const adders = statements.filter(({ sql }) => moneySums(sql).length > 0)

test.each(adders.map((statement) => [statement.name, statement]))(
  '%s names the currency of what it adds up',
  (_, { sql }) => {
    expect(withoutCurrency(sql)).toEqual([])
  },
)

describe('a sum without its currency is noticed', () => {
  test.each([
    ['select sum(amount) as total from deposit where customer_id = $1', 1],
    ['select sum(amount) as total from deposit where customer_id = $1 and currency = $2', 0],
    ['select currency, sum(amount) as total from deposit group by currency', 0],
    ['select currency, sum(amount) as total from deposit group by customer_id', 1],
    [
      'select (select coalesce(sum(r.amount - r.returned), 0) from refund r where r.deposit_id = d.id) as x from deposit d where d.currency = $1',
      1,
    ],
    ['select (select sum(r.amount) from refund r where r.currency = d.currency) as x from deposit d', 0],
    [
      'select sum(p.amount) from withdrawal w join withdrawal_part p on p.withdrawal_id = w.id and p.currency = w.currency',
      0,
    ],
    ['select sum(amount) from deposit where exists (select 1 from account where currency = $1)', 1],
    ['select sum(x.amount) from (select amount from deposit where currency = $1) x', 0],
    ['select sum(x.amount) from (select amount, currency from deposit) x', 1],
    [
      'select sum(t.amount) as total, sum(case when t.currency <> d.currency then 1 else 0 end) as wrong from t join d',
      0,
    ],
    ['select sum(case when amount > 5 then 1 else 0 end) from deposit', 0],
    ['select sum(case when state = $1 then amount else 0 end) from deposit', 1],
    ['select 1 from deposit where currency = $1 union all select sum(amount) from deposit', 1],
    [
      'update account set balance = (select sum(amount) from transfer t where t.account_id = account.id) where currency = $1',
      1,
    ],
  ])('%s: %i', (sql, count) => {
    expect(withoutCurrency(sql)).toHaveLength(count)
  })
})

// ---- Changes

/** Changes that may find no row, with the reason. */
const MAY_FIND_NONE: Record<string, string> = {
  closeContradictions: 'there is none, mostly',
  deleteCaptureJobs: 'a notification was faster, and has ended the job',
  deleteJob: 'whoever was faster has ended the job, or it was requested again',
  deletePartJob: 'a part has no job while it waits for persons',
  deleteProposal: 'nobody has proposed anything',
  deleteRefundJob: 'a refund that waits for approval has none',
  deleteReplayed: 'withdrawals that waited at the upgrade have no payout of before',
  endHold: 'another part of the withdrawal waits',
  markBegunRefundSent: 'a payout has no refund',
  markReplayed: 'another process was faster',
  notePrompt: 'the customer was asked before',
  postponeJob: 'it was requested again meanwhile, and is due at once',
  postponeNotification: 'a person has settled it meanwhile',
  resetWrongCv2: 'the card was registered again meanwhile',
  retryUnknownRefunds: 'no notification waits for a refund, mostly',
  setGatewayReference: 'it is known',
}

/** The names of statements that code runs without a look at how many rows they have changed. */
function ignoredIn(code: string): string[] {
  const runs = code.matchAll(
    /^ *(?:(?:else )?if \(.*\) |else )?(?:return void \()?await \w+\.run\(\s*(?:\w+\.)?(\w+)/gm,
  )
  return [...runs].map(([, name]) => name as string)
}

const changes = new Map(
  statements.filter(({ sql }) => /^(update|delete)\b/i.test(sql)).map(({ name, sql }) => [name, sql]),
)
const folder = new URL('../../src/wallets/', import.meta.url).pathname
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const ignored = files.flatMap((file) => ignoredIn(readFileSync(join(folder, file), 'utf8')))
const ignoredChanges = [...new Set(ignored)].filter((name) => changes.has(name)).sort()

test('whoever changes money looks at how many rows have changed, unless none is expected', () => {
  expect(ignored.length).toBeGreaterThan(20)
  expect(ignoredChanges).toEqual(Object.keys(MAY_FIND_NONE).sort())
})

test('a change whose result nobody looks at is noticed', () => {
  const code = `
    await tx.run(sql.changeDispute, { id })
    if (isOver) await tx.run(setOutcome, { id })
    return void (await database.run(
      postponeJob, postponed))
    const rows = await tx.run(sql.setDisputeBooked, { id })
    mustChange(await tx.run(sql.setRefundDebited, { id }), 'a refund')`
  expect(ignoredIn(code)).toEqual(['changeDispute', 'setOutcome', 'postponeJob'])
})
