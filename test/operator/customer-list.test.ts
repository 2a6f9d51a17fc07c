import { beforeAll, expect, test } from 'vitest'
import { writing } from '../../src/platform/database/database.ts'
import { wallet } from '../harness/limits.ts'
import { type Json, useService } from '../harness/service.ts'
import { addCard } from '../harness/wallets.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'

const service = useService({ SANDBOX_SEED: 'off' })
const DAY_MS = 86_400_000
const PATH = '/operator/v1/customers'

/** As `listCustomers` answers it, and the cards that the filter by country looks at. */
type Expected = {
  id: string
  status: string
  verified: boolean
  cards: string[]
  limits: boolean
  debt: boolean
  age: number
}
const customers: Expected[] = []

const setDebt = writing<{ id: number }>('setDebtInTest')`
  insert into account (kind, customer_id, currency, balance) values ('debt', :id, 'GBP', -1250)`
const setAge = writing<{ id: number; at: number }>('setAgeInTest')`update customer set created_at = :at where id = :id`

beforeAll(async () => {
  const { database } = service.context
  // Days are counted from midnight, which must not pass meanwhile.
  service.clock.hold()
  for (let index = 0; index < 12; index++) {
    const { id, ticket } = await service.customer({ username: `listed-${index}` })
    const one: Expected = {
      id: `${id}`,
      status: index % 4 === 3 ? 'suspended' : 'active',
      verified: index % 3 !== 0,
      cards: index % 2 === 0 ? ['GB', ...(index === 4 ? ['FR', 'FR'] : [])] : [],
      limits: index % 5 === 0,
      debt: index === 2 || index === 3,
      age: index % 6,
    }
    for (const country of one.cards) await addCard(service, { id }, { country })
    if (one.limits) await wallet(service, ticket, 'PUT', 'limits/week?amount=50.00')
    if (one.debt) await database.run(setDebt, { id })
    await database.run(setAge, { id, at: service.clock.now() - one.age * DAY_MS })
    await service.operator('PUT', `${PATH}/${id}`, { status: one.status, verified: one.verified })
    customers.push(one)
  }
})

async function read(query: string): Promise<Json> {
  const { status, body } = await service.operator('GET', `${PATH}?${query}`)
  expect([query, status]).toEqual([query, 200])
  return body
}

/** All pages, of three customers each. */
async function ids(query: string): Promise<string[]> {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const page = await read(`limit=3${query && `&${query}`}${cursor && `&cursor=${cursor}`}`)
    found.push(...page.items.map(({ id }: { id: string }) => id))
    if (page.cursor === null) return found
    cursor = page.cursor
  }
}

const newestFirst = (one: Expected, other: Expected) => one.age - other.age || Number(other.id) - Number(one.id)
const highestFirst = (one: Expected, other: Expected) => Number(other.id) - Number(one.id)
const isActive = ({ status }: Expected) => status === 'active'

test.each<[query: string, passes: (one: Expected) => boolean, order: typeof newestFirst]>([
  ['', () => true, newestFirst],
  ['status=suspended', (one) => !isActive(one), newestFirst],
  ['status=active', isActive, newestFirst],
  ['status=closed', () => false, newestFirst],
  ['verified=false', ({ verified }) => !verified, newestFirst],
  ['verified=true', ({ verified }) => verified, newestFirst],
  ['status=active&verified=false', (one) => isActive(one) && !one.verified, newestFirst],
  ['status=suspended&newDays=3', (one) => !isActive(one) && one.age < 3, newestFirst],
  ['newDays=2', ({ age }) => age < 2, newestFirst],
  ['country=GB', ({ cards }) => cards.includes('GB'), highestFirst],
  ['country=FR', ({ cards }) => cards.includes('FR'), highestFirst],
  [
    'country=GB&verified=true&newDays=4',
    (one) => one.cards.includes('GB') && one.verified && one.age < 4,
    highestFirst,
  ],
  ['limits=true', ({ limits }) => limits, highestFirst],
  ['limits=true&country=GB', (one) => one.limits && one.cards.includes('GB'), highestFirst],
  ['debt=true', ({ debt }) => debt, highestFirst],
  ['debt=true&status=suspended', (one) => one.debt && !isActive(one), highestFirst],
])('%s lists exactly those who pass, page by page, in order', async (query, passes, order) => {
  const expected = customers.filter(passes).sort(order)
  expect(await ids(query)).toEqual(expected.map(({ id }) => id))
})

test('a page may begin at a day', async () => {
  const day = new Date(service.clock.now() - 3 * DAY_MS).toISOString().slice(0, 10)
  const expected = customers.filter(({ age }) => age >= 3).sort(newestFirst)
  expect(await ids(`to=${day}`)).toEqual(expected.map(({ id }) => id))
  expect((await service.operator('GET', `${PATH}?to=2026-02-30`)).status).toBe(422)
})

test('a customer is listed with names and money', async () => {
  const { id, ticket } = await service.customer({ username: 'with-a-name' })
  await service.call('PUT', '/v1/profiles/me?name=Listed+By+Name', { ticket })
  await service.context.database.run(setDebt, { id })
  const { items } = await read('limit=1')
  expect(items[0]).toMatchObject({
    id: `${id}`,
    username: 'with-a-name',
    profileName: 'Listed By Name',
    profileId: expect.any(String),
    isExcluded: false,
    country: null,
    balance: '0.00',
    debt: '12.50',
    hasLimits: false,
  })
})

test('a filter that few of many pass is answered in short pages, each after a bounded look', async () => {
  const { database } = service.context
  await withoutTriggers(database, () =>
    database.script(`insert into customer (id, status, verified, currency, funds_statement_version, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 5200)
      select 20000000 + i, 'active', 0, 'GBP', 1, ${service.clock.now() + DAY_MS} + i from n`),
  )
  const first = await read('status=active&verified=true')
  expect(first).toMatchObject({ items: [], searchedUntil: expect.any(String), cursor: expect.any(String) })
  const second = await read(`status=active&verified=true&cursor=${first.cursor}`)
  expect(second.items.length).toBeGreaterThan(0)
  expect(second.searchedUntil).toBeNull()
})
