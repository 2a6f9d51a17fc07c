import { expect, test } from 'vitest'
import type { Database } from '../../../src/platform/database/database.ts'
import { type Balances, balancesOf } from '../../../src/wallets/account/ledger.ts'
import { useService } from '../../harness/service.ts'
import { deposit, ledgerProblems, newDepositor, paidOrFaultCode } from '../../harness/wallets.ts'
import { withoutTriggers } from '../../harness/without-triggers.ts'

const service = useService()
const balances = (customerId: number): Promise<Balances> => balancesOf(service.context.database, customerId, 'GBP')

async function depositor() {
  const customer = await newDepositor(service)
  const pay = async (amount: string) => {
    expect(paidOrFaultCode(await deposit(service, { ...customer, amount }))).toBe('paid')
  }
  await pay('10.00')
  return { ...customer, pay }
}

/** As a chargeback beyond the balance leaves it: the source is the deposit itself, which is all there is for it here. */
async function owe(database: Database, customerId: number, minorUnits: number): Promise<void> {
  await withoutTriggers(database, async () => {
    await database.script(`
      insert into account (kind, customer_id, currency, balance) values ('debt', ${customerId}, 'GBP', -${minorUnits})`)
    await database.script(`
      insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at, debt_account_id)
      select d.id, 'chargeback_debt', a.id, s.id, ${minorUnits}, 'GBP', 1, a.id from account a
        join deposit d on d.customer_id = a.customer_id join account s on s.kind = 'psp_captured' and s.currency = 'GBP'
      where a.customer_id = ${customerId} and a.kind = 'debt'`)
  })
}

test('a deposit pays the debt first, in its own transaction', async () => {
  const { id, pay } = await depositor()
  await service.context.database.script(
    `update account set balance = 0, lines = 0 where customer_id = ${id} and kind = 'customer'`,
  )
  await withoutTriggers(service.context.database, () =>
    service.context.database.script(
      `delete from transfer where line is not null and deposit_id in (select id from deposit where customer_id = ${id})`,
    ),
  )
  await owe(service.context.database, id, 1700)
  await pay('12.00')
  expect(await balances(id)).toEqual({ balance: 0n, debt: 500n })
  await pay('8.00')
  expect(await balances(id)).toEqual({ balance: 300n, debt: 0n })
  await pay('5.00')
  expect(await balances(id)).toEqual({ balance: 800n, debt: 0n })
  // The test's own deposit has a debt and no credit; all other rows add up.
  const problems = (await ledgerProblems(service)).filter((problem) => !problem.startsWith('deposit'))
  expect(problems).toEqual([])
})

test('the check of the ledger finds each wrong line, balance and account', async () => {
  const { database } = service.context
  const before = await ledgerProblems(service)
  const { id, pay } = await depositor()
  await pay('5.00')
  await pay('6.00')
  const mine = `customer_account_id = (select id from account where customer_id = ${id} and kind = 'customer')`
  const wrong: [change: string, back: string, problem: RegExp][] = [
    [
      `balance_after = 1400 where ${mine} and line = 2`,
      'balance_after = 1500',
      /line 2 .* has the balance 14.00, not 15.00/,
    ],
    [`line = 7 where ${mine} and line = 2`, 'line = 2', /line 3 .* does not follow the line before it/],
    [`at = at + 100000 where ${mine} and line = 2`, 'at = at - 100000', /line 3 .* does not follow the line before it/],
    [
      `kind = 'winnings' where ${mine} and line = 2`,
      "kind = 'credit'",
      /a winnings cannot debit an account of kind psp_uncaptured/,
    ],
    [
      `line = null, customer_account_id = null, balance_after = null where ${mine} and line = 3`,
      '',
      /is not a line of the customer's account/,
    ],
  ]
  for (const [change, back, problem] of wrong) {
    await withoutTriggers(database, () => database.script(`update transfer set ${change}`))
    expect((await ledgerProblems(service)).filter((one) => !before.includes(one)).join('\n')).toMatch(problem)
    const undone = change.includes('line = 7') ? `${mine} and line = 7` : `${mine} and line = 2`
    if (back !== '')
      await withoutTriggers(database, () => database.script(`update transfer set ${back} where ${undone}`))
  }
})

test('the database refuses a transfer without a source, with two, or of a kind that its source does not have', async () => {
  const { id } = await depositor()
  const { database } = service.context
  const rows = (deposit: string, kind: string) => `
    insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
    select ${deposit}, '${kind}', s.id, c.id, 5, 'GBP', 1 from deposit d
      join account c on c.customer_id = d.customer_id join account s on s.kind = 'sportsbook' and s.currency = 'GBP'
    where d.customer_id = ${id}`
  for (const refused of [rows('null', 'winnings'), rows('d.id', 'winnings'), rows('null', 'credit')]) {
    await expect(database.script(refused)).rejects.toThrow('a transfer has one source')
  }
  const debt = `insert into account (kind, customer_id, currency, balance) values ('debt', ${id}, 'GBP', 1)`
  await expect(database.script(debt)).rejects.toThrow()
})
