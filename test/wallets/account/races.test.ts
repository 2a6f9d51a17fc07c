// Movements at the same time, and movements against a small model.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type NoParameters, reading } from '../../../src/platform/database/database.ts'
import { balancesOf } from '../../../src/wallets/account/ledger.ts'
import { move, movementLine, newReference, sendLines, type TestMovement } from '../../harness/movements.ts'
import { propertyRuns } from '../../harness/property-runs.ts'
import { useService } from '../../harness/service.ts'
import { deposit, ledgerProblems, newDepositor, paidOrFaultCode } from '../../harness/wallets.ts'

const service = useService()
const balanceOf = async (id: number) => (await balancesOf(service.context.database, id, 'GBP')).balance

test('of fifty stakes at once exactly those that the balance covers are applied', async () => {
  const { id } = await service.customer()
  await move(service, { reference: newReference(), customerId: id, kind: 'winnings', amount: '20.00' })
  const stakes = Array.from({ length: 50 }, () =>
    move(service, { reference: newReference(), customerId: id, kind: 'stake', amount: '0.90' }),
  )
  const statuses = (await Promise.all(stakes)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(22)
  expect(statuses.filter((status) => status === 422)).toHaveLength(28)
  expect(await balanceOf(id)).toBe(20n)
  expect(await ledgerProblems(service)).toEqual([])
})

test('a reference that many send at once is applied once', async () => {
  const { id } = await service.customer()
  const movement = { reference: newReference(), customerId: id, kind: 'winnings', amount: '1.00' } as const
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => move(service, movement)))).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted()).toEqual([...new Array(19).fill(200), 201])
  expect(await balanceOf(id)).toBe(100n)
})

test('feeds and deposits of the same customers at once apply every movement once', async () => {
  const customers = [await newDepositor(service), await newDepositor(service), await newDepositor(service)]
  const references = Array.from({ length: 400 }, newReference)
  const lines = references.map((reference, index) =>
    movementLine({
      reference,
      customerId: customers[index % customers.length]?.id as number,
      kind: index % 2 === 0 ? 'winnings' : 'void',
      amount: '0.01',
    }),
  )
  const feeds = [lines, lines.toReversed(), [...lines.slice(200), ...lines.slice(0, 200)]]
  const deposits = customers.map((customer) => deposit(service, { ...customer, amount: '5.00' }))
  const reports = await Promise.all(feeds.map((feed) => sendLines(service, feed)))
  for (const reply of await Promise.all(deposits)) expect(paidOrFaultCode(reply)).toBe('paid')
  for (const report of reports) expect(report).toMatchObject({ applied: { movement: 400 }, refused: 0 })
  const balances = await Promise.all(customers.map(({ id }) => balanceOf(id)))
  expect(balances).toEqual([634n, 633n, 633n])
  expect(await ledgerProblems(service)).toEqual([])
})

// ---- The model

type Step = { customer: number; kind: TestMovement['kind'] | 'deposit'; amount: number; reference: number }

const steps = fc.array(
  fc.record({
    customer: fc.nat(1),
    kind: fc.constantFrom<Step['kind']>('stake', 'stake', 'winnings', 'void', 'adjustment', 'deposit'),
    amount: fc.integer({ min: -300, max: 900 }),
    reference: fc.nat(40),
  }),
  { minLength: 1, maxLength: 60 },
)

type Model = { balances: bigint[]; lines: number[]; known: Map<number, string> }

/** What the sportsbook would expect of each movement: applied (also again), or refused. */
function apply(model: Model, { customer, kind, amount, reference }: Step): 'applied' | 'refused' {
  const terms = `${customer} ${kind} ${amount}`
  if (amount === 0 || (amount < 0 && kind !== 'adjustment')) return 'refused'
  const known = model.known.get(reference)
  if (known !== undefined) return known === terms ? 'applied' : 'refused'
  const balance = (model.balances[customer] as bigint) + BigInt(kind === 'stake' ? -amount : amount)
  if (balance < 0n) return 'refused'
  model.known.set(reference, terms)
  model.balances[customer] = balance
  model.lines[customer] = (model.lines[customer] as number) + 1
  return 'applied'
}

const money = (pennies: number) => `${pennies < 0 ? '-' : ''}${(Math.abs(pennies) / 100).toFixed(2)}`

const linesOf = reading<{ customerId: number }, { signed: string; after: string }>('testLinesOf')`
  select cast(case when t.credit_account_id = a.id then t.amount else -t.amount end as text) as signed,
    cast(t.balance_after as text) as after
  from account a join transfer t on t.customer_account_id = a.id
  where a.customer_id = :customerId and a.kind = 'customer' order by t.line`

const sums = reading<NoParameters, { total: string }>('testSums')`
  select cast(coalesce(sum(balance), 0) as text) as total from account where kind = 'customer'`

test('balances, lines and sums are those of a model, whatever movements and deposits are sent', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (given, size) => {
      const customers = [await newDepositor(service), await newDepositor(service)]
      const prefix = newReference()
      const model: Model = { balances: [0n, 0n], lines: [0, 0], known: new Map() }
      let lines: string[] = []
      let expected: string[] = []
      const flush = async () => {
        const report = await sendLines(service, lines)
        const refused = new Set(report.refusals.map(({ line }: { line: number }) => line))
        expect(lines.map((_, index) => (refused.has(index + 1) ? 'refused' : 'applied'))).toEqual(expected)
        ;[lines, expected] = [[], []]
      }
      for (const step of given) {
        const customer = customers[step.customer] as (typeof customers)[0]
        if (step.kind === 'deposit') {
          await flush()
          expect(paidOrFaultCode(await deposit(service, { ...customer, amount: '6.00' }))).toBe('paid')
          model.balances[step.customer] = (model.balances[step.customer] as bigint) + 600n
          model.lines[step.customer] = (model.lines[step.customer] as number) + 1
          continue
        }
        const { kind, amount } = step
        const reference = `${prefix}-${step.reference}`
        lines.push(movementLine({ reference, customerId: customer.id, kind, amount: money(amount) }))
        expected.push(apply(model, step))
        if (lines.length >= size) await flush()
      }
      await flush()
      for (const [index, { id }] of customers.entries()) {
        expect(await balanceOf(id)).toBe(model.balances[index])
        const stored = await service.context.database.query(linesOf, { customerId: id })
        expect(stored).toHaveLength(model.lines[index] as number)
        let sum = 0n
        for (const { signed, after } of stored) {
          sum += BigInt(signed)
          expect([after, sum >= 0n]).toEqual([`${sum}`, true])
        }
      }
      expect(await ledgerProblems(service)).toEqual([])
    }),
    { numRuns: propertyRuns(10) },
  )
  const { accounts } = (await service.operator('GET', '/operator/v1/ledger/check')).body
  const [total] = await service.context.database.query(sums, {})
  const customers = accounts.find(({ kind }: { kind: string }) => kind === 'customer').total
  expect(customers.replace('.', '')).toBe(total?.total)
})
