// Names that imitate another one, or a person of the house, are answered as taken (ruling R11).

import { expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import {
  newTestDatabase,
  startTestService,
  type TestCustomer,
  type TestService,
  useService,
} from '../harness/service.ts'

const service = useService()

function put(one: TestService, { ticket }: TestCustomer, fields: Record<string, string>) {
  return one.call('PUT', `/v1/profiles/me?${new URLSearchParams(fields)}`, { ticket })
}
const rename = (customer: TestCustomer, name: string) => put(service, customer, { name })

test.each([
  ['a Cyrillic о', 'Alice Asc\u043et'],
  ['a Greek Α', '\u0391lice Ascot'],
  ['Cherokee, Armenian and small capitals', '\u13aali\u1d04\u1d07 Asc\u0585t'],
  ['two spaces', 'Alice  Ascot'],
  ['a space of another width', 'Alice\u2003Ascot'],
  ['Braille without dots', 'Alice\u2800Ascot'],
  ['a blank at the end', 'Alice Ascot\u2800'],
  ['a Hangul filler at the end', 'Alice Ascot\u3164'],
  ['a Hangul filler in the middle', 'Alice\u115f Ascot'],
  ['zero-width characters', '\u200bAl\u200bice Asc\u200dot'],
  ['bold letters of mathematics', '\u{1d400}lice Ascot'],
  ['another case', 'ALICE ascot'],
])('a name that differs by %s is taken', async (_, imitation) => {
  const [owner, other] = [await service.customer(), await service.customer()]
  expect((await rename(owner, `${owner.id} Alice Ascot`)).status).toBe(200)
  expectFault(await rename(other, `${owner.id} ${imitation}`), '/v1/profiles', 'nameTaken', 'name')
})

test('the letters of other scripts are the same name in capitals and small, and as the Latin ones they look like', async () => {
  const [owner, other] = [await service.customer(), await service.customer()]
  for (const [name, ...imitations] of [
    ['ΝΙΚΟΣ', 'νικος', 'Νικος'],
    ['Dave', 'Daνe', 'DAVE'],
    ['Дарья', 'ДАРЬЯ', 'дapья'],
  ] as const) {
    expect((await rename(owner, `${name} ${owner.id}`)).status).toBe(200)
    for (const imitation of imitations) {
      expectFault(await rename(other, `${imitation} ${owner.id}`), '/v1/profiles', 'nameTaken', 'name')
    }
  }
})

test('names that only resemble each other are different names', async () => {
  const { id } = await service.customer()
  for (const name of ['Jose', 'José', 'Anne', 'Ann e', 'Søren2', 'Ann-e', '李雷', '韩梅', 'Ann 👍', 'Ann 👎']) {
    expect((await rename(await service.customer(), `${name} ${id}`)).status).toBe(200)
  }
})

test('an owner may change how the own name is written', async () => {
  const owner = await service.customer()
  for (const name of [`Bob ${owner.id}`, `BOB  ${owner.id}`, `B\u043eb ${owner.id}`]) {
    expect((await rename(owner, name)).status).toBe(200)
  }
  const other = await service.customer()
  await rename(owner, `Freed ${owner.id}`)
  expect((await rename(other, `Bob ${owner.id}`)).status).toBe(200)
})

test.each([
  'Moderator',
  'm\u043ederator',
  'M0derator',
  'MODERATOR_1',
  'm o d e r a t o r',
  'Administrator',
  'Admin 2',
  'Paddock',
  'Paddock  Support',
  'paddock-support',
  'PaddockOfficial',
  'Paddock Support Team',
  'Customer Service',
  'Help Desk',
])('the name "%s" is reserved', async (name) => {
  expectFault(await rename(await service.customer(), name), '/v1/profiles', 'nameTaken', 'name')
})

test.each(['Support your team', 'Moderate Mike', 'Paddock Pete', 'Admiral', 'Systematic'])(
  'the name "%s" is free',
  async (name) => {
    const customer = await service.customer()
    expect((await rename(customer, `${name} ${customer.id}`)).status).toBe(200)
  },
)

test('reserved names are a setting', async () => {
  const own = await startTestService({ RESERVED_NAMES: 'Boss, Big Cheese' })
  const none = await startTestService({ RESERVED_NAMES: 'none' })
  try {
    const customer = await own.customer()
    for (const name of ['boss', 'B\u043ess', 'BigCheese']) {
      expectFault(await put(own, customer, { name }), '/v1/profiles', 'nameTaken', 'name')
    }
    expect((await put(own, customer, { name: 'Moderator' })).status).toBe(200)
    expect((await put(none, await none.customer(), { name: 'Boss' })).status).toBe(200)
  } finally {
    await own.close()
    await none.close()
  }
})

test('the default name of another profile is taken, also with look-alikes', async () => {
  const [one, other] = [await service.member(), await service.member()]
  for (const name of [`pl\u0430yer-${other.profileId}`, `Player\u2013${other.profileId}`, `player\u2212999999999`]) {
    expectFault(await rename(one, name), '/v1/profiles', 'nameTaken', 'name')
  }
  expect((await rename(one, `Player-${one.profileId}`)).status).toBe(200)
})

test.each([
  ['private use', '\ue000'],
  ['private use of another plane', '\u{f0000}'],
  ['unassigned', '\u0378'],
  ['unassigned of another plane', '\u{e1234}'],
])('a character that is %s is not valid in names, biographies and tips', async (_, character) => {
  const member = await service.member()
  for (const field of ['name', 'biography']) {
    const reply = await put(service, member, { [field]: `Fine ${character} here` })
    expectFault(reply, '/v1/profiles', 'invalid', 'name|biography')
  }
  const path = `/v1/communities/comments/me/outcomes/1?betId=1&text=${encodeURIComponent(`Goes ${character} well`)}`
  expectFault(await service.call('POST', path, { ticket: member.ticket }), path, 'invalid', 'text')
})

test('blanks around a name are trimmed, whatever they are, and a name of blanks alone is not valid', async () => {
  const customer = await service.customer()
  const reply = await service.call(
    'PUT',
    `/v1/profiles/me?name=${encodeURIComponent(`\u2800\u3164 Zed ${customer.id}\u2800\u200b `)}`,
    {
      ticket: customer.ticket,
      accept: 'application/json',
    },
  )
  expect(reply.json().whoProfiles[0].profile.name).toBe(`Zed ${customer.id}`)
  for (const name of ['\u2800', '\u3164\u3164', '\u200b', '\u115f \u1160', '\u200e\u200f']) {
    expectFault(await rename(customer, name), '/v1/profiles', 'invalid', 'name|biography')
  }
  const heart = `\u2764\ufe0f${customer.id}\u2764\ufe0f`
  expect((await rename(customer, heart)).text).toContain(`<name>${heart}</name>`)
})

test('names from before looks are compared too: the older profile keeps the name for itself, the other its own', async () => {
  const home = await newTestDatabase()
  const before = await startTestService({}, home)
  const members = [await before.member(), await before.member(), await before.member()] as const
  const [first, second, third] = members
  // As the version before wrote them; more than one batch, so that the last is found after others.
  const names = ['Alice Ascot', 'Alice Asc\u043et', 'Alice  Ascot']
  for (const [index, { profileId }] of members.entries()) {
    await before.context.database.script(
      `update profile set name = '${names[index]}', name_key = '${names[index]?.toUpperCase()}', name_look = null where id = ${profileId}`,
    )
  }
  await before.context.database.script(`insert into customer (id, status, verified, currency, funds_statement_version, created_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 600) select 700000 + i, 'active', 1, 'GBP', 1, 1 from n`)
  await before.context.database.script(`insert into profile (id, customer_id, name, name_key, biography, status, created_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 600)
    select 700000 + i, 700000 + i, 'Old ' || i, 'OLD ' || i, '', 'A', 1 from n`)
  await before.close()

  const after = await startTestService({}, home)
  const other = await after.customer()
  const attempt = async (customer: TestCustomer, name: string) => (await put(after, customer, { name })).status
  for (const name of ['\u0391lice Ascot', '\u041eld 600', 'Alice Ascot']) {
    expectFault(await put(after, other, { name }), '/v1/profiles', 'nameTaken', 'name')
  }
  expect((await put(after, second, { name: 'Alice Asc\u043et', biography: 'Still me' })).status).toBe(200)
  expect([await attempt(third, 'Alice Ascot '), await attempt(first, 'ALICE ASCOT')]).toEqual([409, 200])
  expect(await attempt(first, 'Somebody else')).toBe(200)
  await after.close()

  const again = await startTestService({}, home)
  try {
    expectFault(await put(again, await again.customer(), { name: 'Alice Ascot' }), '/v1/profiles', 'nameTaken', 'name')
    expect((await put(again, second, { name: 'Alice Ascot' })).status).toBe(200)
  } finally {
    await again.close()
    await home.remove()
  }
})
