// The Postman collection: as the script writes it, as Postman reads it, and as the service answers its requests.

import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { postmanCollection } from '../../scripts/postman.ts'
import type { Operation } from '../../src/http/operations/operation.ts'
import { allOperations } from '../../src/operations.ts'
import { parameterExample } from '../../src/reference/example.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { isEachChange } from '../harness/each-change.ts'
import { caughtUp } from '../harness/notifications.ts'
import {
  fetchArguments,
  itemsOf,
  type PostmanCollection,
  type PostmanItem,
  readCollection,
} from '../harness/postman.ts'
import { boardUpToDate } from '../harness/records.ts'
import { startTestService, textOf, useService } from '../harness/service.ts'
import { logged } from '../harness/tip-log.ts'

const service = useService({ SANDBOX_SEED: 'people', LOG_LEVEL: 'silent' })
let collection: PostmanCollection
let picture: Blob

beforeAll(async () => {
  await caughtUp(service.context.database)
  await boardUpToDate(service)
  await logged(service.context.database)
  collection = await readCollection(service.publicUrl)
  picture = await (await fetch(`${service.publicUrl}/pictures/default.png`)).blob()
})

const rows = allOperations.map((operation) => [operation.name, operation] as const)

function itemOf(name: string): PostmanItem {
  const found = itemsOf(collection).filter((item) => item.name === name)
  expect(found).toHaveLength(1)
  return found[0] as PostmanItem
}

test('assets/postman.json is what npm run postman writes, the same each time', async () => {
  const stored = readFileSync(new URL('../../assets/postman.json', import.meta.url), 'utf8')
  // As a boolean: the difference of two texts of 250 KB says nothing.
  expect((await postmanCollection()) === stored, 'run npm run postman').toBe(true)
  expect((await postmanCollection()) === stored).toBe(true)
})

test('Postman finds each operation once, with its method, path and an example of its answer', () => {
  expect(collection.name).toBe('Paddock')
  const found = itemsOf(collection).map(({ name, request, responses }) => {
    const path = `/${request.url.path.join('/')}`.replace(/:(\w+)/g, '{$1}')
    return [name, request.method, path, ...responses.all().map(({ code }) => code)].join(' ')
  })
  const expected = allOperations.map(({ name, method, path, answer }) => [name, method, path, answer.status].join(' '))
  expect(found.toSorted()).toEqual(expected.toSorted())
})

test.each(rows)('%s has each parameter once; what the sample request needs is ticked', (name, operation) => {
  const { url, headers, body } = itemOf(name).request
  const pairs = [url.query, url.variables, headers, ...(body?.urlencoded ? [body.urlencoded] : [])]
    .flatMap((list) => list.all())
    .filter(({ key }) => !/^(who-\w+|Accept|Content-Type)$/.test(key))
  const ticked = pairs.filter(({ disabled }) => !disabled).map(({ key }) => key)
  const names = Object.keys(operation.parameters)
  expect(pairs.map(({ key }) => key).toSorted()).toEqual(names.toSorted())
  expect(ticked.toSorted()).toEqual(names.filter((one) => parameterExample(operation, one).shown).toSorted())
})

async function expectWorks(from: PostmanCollection, origin: string, { name, answer }: Operation): Promise<void> {
  // What was deposited before is captured within a second.
  if (name === 'makeWithdrawal') await sweep(service.context)
  const [url, request] = fetchArguments(from, itemOf(name), picture)
  expect(url).toSatisfy((text) => text.startsWith(`${origin}/v1/`))
  const response = await fetch(url, request)
  const text = await textOf(response.headers, response.body)
  expect([response.status, text]).toEqual([answer.status, expect.not.stringContaining('whoFaults')])
}

/** They have the values of the reference's samples, which `npm test` sends (flows/reference-examples.test.ts). */
const isSent = !isEachChange

test.runIf(isSent).each(rows.filter(([, { locksOut }]) => !locksOut))(
  '%s works as it is imported',
  (_name, operation) => expectWorks(collection, service.publicUrl, operation),
)

test.runIf(isSent).each(rows.filter(([, { locksOut }]) => locksOut))(
  '%s works with a sandbox of its own',
  async (_name, operation) => {
    const own = await startTestService({ SANDBOX_SEED: 'people', LOG_LEVEL: 'silent' })
    try {
      await expectWorks(await readCollection(own.publicUrl), own.publicUrl, operation)
    } finally {
      await own.close()
    }
  },
)

test('without extensions and the sandbox, it has only what is offered, and no credentials', async () => {
  const contract = await startTestService({ EXTENSIONS: 'off', SANDBOX_SEED: 'off' })
  try {
    const offered = await readCollection(contract.publicUrl)
    const expected = allOperations.filter(({ extension }) => !extension).map(({ name }) => name)
    expect(itemsOf(offered).map(({ name }) => name)).toEqual(expect.arrayContaining(expected))
    expect(itemsOf(offered)).toHaveLength(expected.length)
    expect(offered.items.all().map(({ name }) => name)).toEqual(['sessions', 'profiles', 'communities', 'wallets'])
    const flag = (of: PostmanCollection) => JSON.stringify(itemsOf(of).find(({ name }) => name === 'flagProfile'))
    expect(flag(collection)).toMatch(/"key":"reason".*"key":"note"/)
    expect(flag(offered)).not.toMatch(/"key":"(reason|note)"/)
    expect(offered.variables.all().map(({ key, value }) => [key, value])).toEqual([
      ['baseUrl', contract.publicUrl],
      ['apiKey', ''],
      ['secret', ''],
      ['ticket', ''],
    ])
  } finally {
    await contract.close()
  }
})
