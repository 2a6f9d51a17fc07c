// A page of a statement reads as many rows for an account of 100,000 lines in a year as for one of 25 (of 20,000 in `npm test`).

import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { Statement } from '../../../src/platform/database/database.ts'
import { toSqlite } from '../../../src/platform/database/sqlite/connection.ts'
import { DAY_MS } from '../../../src/platform/runtime/durations.ts'
import { statementLines, statementRange } from '../../../src/wallets/account/store.ts'
import { isEachChange } from '../../harness/each-change.ts'
import { move, newReference } from '../../harness/movements.ts'
import { engine, type Json, type TestCustomer, useService } from '../../harness/service.ts'
import { ledgerProblems } from '../../harness/wallets.ts'
import { rows } from '../../harness/withdrawals.ts'
import { withoutTriggers } from '../../harness/without-triggers.ts'

const service = useService()
const FEW = 24
const MANY = isEachChange ? 20_000 : 100_000
const BLOCK = 20

type Account = TestCustomer & { account: number }
let few: Account
let many: Account

beforeAll(async () => {
  few = await playerWith(FEW)
  many = await playerWith(MANY)
  if (engine === 'postgres') await service.context.database.script('analyze transfer, movement, account, customer')
}, 300_000)

/** Has won 2,000.00 a year ago, and then staked 0.01 again and again until today. As the service writes it, in three statements. */
async function playerWith(stakes: number): Promise<Account> {
  const customer = await service.customer()
  const { id } = customer
  const won = await move(service, { reference: newReference(), customerId: id, kind: 'winnings', amount: '2000.00' })
  expect(won.status).toBe(201)
  const [own] = await rows(service, `select id from account where customer_id = ${id} and kind = 'customer'`)
  const [book] = await rows(service, `select id from account where kind = 'sportsbook' and currency = 'GBP'`)
  const { database } = service.context
  const first = service.clock.now() - 365 * DAY_MS
  const last = first + stakes * Math.floor((364 * DAY_MS) / stakes)
  await withoutTriggers(database, async () => {
    await database.script(`update transfer set at = ${first} where customer_account_id = ${own.id};
      update movement set at = ${first} where customer_id = ${id};
      insert into movement (reference, customer_id, kind, amount, currency, at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${stakes})
      select 'of-' || ${id} || '-' || i, ${id}, 'stake', 1, 'GBP', ${first} + i * (${last - first} / ${stakes}) from n;
      insert into transfer (movement_id, kind, debit_account_id, credit_account_id, amount, currency, at, customer_account_id,
        line, balance_after)
      select id, 'stake', ${own.id}, ${book.id}, 1, 'GBP', at, ${own.id}, 1 + row_number() over (order by at),
        200000 - row_number() over (order by at) from movement where customer_id = ${id} and kind = 'stake';
      update account set balance = 200000 - ${stakes}, lines = 1 + ${stakes}, moved_at = ${last} where id = ${own.id}`)
  })
  return { ...customer, account: own.id }
}

async function page({ ticket }: TestCustomer, blockNum: number): Promise<Json> {
  const from = new Date(service.clock.now() - 366 * DAY_MS).toISOString().slice(0, 10)
  const path = `/v1/wallets/me/statement?from=${from}&blockSize=${BLOCK}&blockNum=${blockNum}`
  return (await service.call('GET', path, { ticket, accept: 'application/json' })).json().whoWallets.statement
}

test('any page of a year with many lines is two statements, and right', async () => {
  for (const blockNum of [0, MANY / BLOCK / 2, MANY / BLOCK - 1]) {
    const before = service.statementsByName()
    const { opening, closing, netDeposits, line } = await page(many, blockNum)
    expect([opening, closing, netDeposits, line.length]).toEqual([
      '0.00',
      (2000 - MANY / 100).toFixed(2),
      '0.00',
      BLOCK,
    ])
    const expected = Array.from({ length: BLOCK }, (_, index) => (2000 - (blockNum * BLOCK + index) / 100).toFixed(2))
    expect(line.map(({ balance }: Json) => balance)).toEqual(expected)
    const ran = [...service.statementsByName()].filter(
      ([name, count]) => name.startsWith('statement') && count !== before.get(name),
    )
    expect(ran.map(([name]) => name)).toEqual(['statementRange', 'statementLines'])
  }
  expect((await page(many, MANY / BLOCK)).line).toHaveLength(1)
  expect(await ledgerProblems(service)).toEqual([])
})

/** What each statement is given for a page that begins after a line. */
const given = ({ id, account }: Account, after: number) => ({
  statementRange: { customerId: id, from: service.clock.now() - 366 * DAY_MS, until: service.clock.now() + DAY_MS },
  statementLines: { accountId: account, after, last: 1 + MANY, limit: BLOCK },
})

type Plan = { [figure: string]: unknown; Plans?: Plan[] }

/** How many rows the scans of a plan have read, those included that a condition left out. */
function rowsRead(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0)
  if (!/Scan/.test(`${plan['Node Type']}`)) return below
  const each = Number(plan['Actual Rows']) + Number(plan['Rows Removed by Filter'] ?? 0)
  return below + each * Number(plan['Actual Loops'])
}

/** With the plan that every execution has, whatever its parameters. */
async function readBy(client: pg.Client, statement: Statement<never, unknown>, parameters: object): Promise<number> {
  const values = statement.parameterNames.map((name) => (parameters as Record<string, number>)[name])
  const name = `explained_${statement.name}`
  await client.query(`prepare ${name} as ${statement.sql}`)
  const { rows } = await client.query(
    `explain (analyze, timing off, format json) execute ${name} (${values.join(', ')})`,
  )
  await client.query(`deallocate ${name}`)
  return rowsRead(rows[0]['QUERY PLAN'][0].Plan)
}

test.runIf(engine === 'postgres')('it reads as many rows as for 25 lines, wherever the page begins', async () => {
  const client = new pg.Client({ connectionString: service.context.config.databaseUrl as string })
  await client.connect()
  try {
    await client.query(`set plan_cache_mode = 'force_generic_plan'`)
    const read = async (one: Account, after: number) => {
      const parameters = given(one, after)
      return [
        await readBy(client, statementRange as Statement<never, unknown>, parameters.statementRange),
        await readBy(client, statementLines as Statement<never, unknown>, parameters.statementLines),
      ]
    }
    const ofFew = await read(few, 0)
    expect(Math.max(...ofFew)).toBeLessThan(10 * BLOCK)
    for (const after of [0, MANY / 2, MANY - BLOCK]) expect(await read(many, after)).toEqual(ofFew)
  } finally {
    await client.end()
  }
})

/**
 * SQLite does not tell how many rows it has read. By plan: lines by a range of their numbers in the order of the index, which ends
 * with the limit; the ends of the range by one step into the index of times; net deposits by the index that has no bets.
 */
test.runIf(engine === 'sqlite')('every search of lines is bounded by its index', async () => {
  const steps = async (statement: Statement<never, unknown>): Promise<string[]> => {
    const explain = {
      ...statement,
      name: `explain ${statement.name}`,
      sql: `explain query plan ${toSqlite(statement.sql)}`,
    }
    const parameters = Object.fromEntries(statement.parameterNames.map((name) => [name, 1]))
    const found = await service.context.database.query({ ...explain, access: 'reads' } as never, parameters as never)
    return (found as { detail: string }[]).map(({ detail }) => detail)
  }
  const lines = await steps(statementLines as Statement<never, unknown>)
  const range = await steps(statementRange as Statement<never, unknown>)
  const ofTransfers = [...lines, ...range].filter((step) => /^(SEARCH|SCAN) t\b/.test(step))
  expect(new Set(ofTransfers)).toEqual(
    new Set([
      'SEARCH t USING INDEX transfer_line (customer_account_id=? AND line>? AND line<?)',
      'SEARCH t USING COVERING INDEX transfer_time (customer_account_id=? AND at<?)',
      'SEARCH t USING INDEX transfer_line (customer_account_id=? AND line=?)',
      'SEARCH t USING INDEX transfer_cash (customer_account_id=?)',
      'SEARCH t USING INDEX transfer_debt (debt_account_id=?)',
    ]),
  )
  expect([...lines, ...range].filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
})
