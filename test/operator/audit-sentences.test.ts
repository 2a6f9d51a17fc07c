// The audit trail in sentences: their words, the filters, and the file.

import { beforeAll, expect, test } from 'vitest'
import { SUBJECT_KINDS } from '../../src/operator/audit/operations.ts'
import { operatorOperations } from '../../src/operator/operations.ts'
import { subjectKind } from '../../src/operator/server/fields.ts'
import { csvLine } from '../../src/platform/runtime/csv.ts'
import { type Json, OPERATOR_TOKEN, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { newDepositor } from '../harness/wallets.ts'
import { newToken } from './cases.ts'

const service = useService()
let ann: string
let mia: string

beforeAll(async () => {
  ann = (await newToken(service, 'accounts', 'ann')).token
  mia = (await newToken(service, 'moderator', 'mia')).token
})

async function trail(filters: Record<string, string> = {}): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/audit?${new URLSearchParams(filters)}`)).body
}

async function lastSentence(): Promise<string> {
  return (await trail({ limit: '1' })).items[0].sentence
}

const sentences = async (filters: Record<string, string>) =>
  (await trail(filters)).items.map((entry: Json) => entry.sentence)

function ofCustomer(id: number, filters: Record<string, string> = {}): Promise<string[]> {
  return sentences({ subjectKind: 'customer', subjectId: String(id), ...filters })
}

test('every operation that the trail records has its words', () => {
  const recorded = operatorOperations.filter(
    ({ method, background, personalData }) => personalData || (method !== 'GET' && !background),
  )
  expect(recorded.filter(({ audit }) => audit === undefined).map(({ name }) => name)).toEqual([])
  const wrong = operatorOperations.filter(({ audit, path, body, query }) => {
    const fields = { body: (body as Json)?.properties ?? {}, query: query?.properties ?? {} }
    const named = typeof audit === 'string' ? [...audit.matchAll(/\{(?:(body|query)\.)?(\w+)\}/g)] : []
    return named.some(([, part, name]) =>
      part === undefined ? !path.includes(`{${name}}`) : !(name! in fields[part as 'body' | 'query']),
    )
  })
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('the kinds of subjects are those of the paths', () => {
  const kinds = new Set(operatorOperations.map(({ path }) => subjectKind(path)).filter((kind) => kind !== null))
  expect([...kinds].sort()).toEqual([...SUBJECT_KINDS])
})

test('changes of customers, cards and comments are sentences, with their reasons', async () => {
  const { id, method } = await newDepositor(service)
  const path = `/operator/v1/customers/${id}`
  await service.operator('PUT', `${path}/status`, { status: 'suspended', reason: 'two\naccounts' }, ann)
  expect(await lastSentence()).toBe(`ann suspended customer ${id} (reason: two accounts)`)
  await service.operator('PUT', path, { status: 'closed' }, ann)
  expect(await lastSentence()).toBe(`ann closed customer ${id}`)
  await service.operator('POST', `${path}/reinstatement`, { reason: 'x'.repeat(1000) })
  expect(await lastSentence()).toBe(`bootstrap reinstated customer ${id} (reason: ${'x'.repeat(200)} …)`)
  await service.operator('PUT', path, { dailyDepositLimit: '5.00' }, ann)
  expect(await lastSentence()).toBe(`ann changed customer ${id}`)
  await service.operator('POST', `${path}/payment-methods/${method}/closure`, { reason: 'stolen' }, ann)
  expect(await lastSentence()).toBe(`ann closed card ${method} of customer ${id} (reason: stolen)`)
  await service.operator('GET', path, undefined, ann)
  expect(await lastSentence()).toBe(`ann read customer ${id}`)
  await service.operator('GET', path, undefined, mia)
  expect(await lastSentence()).toBe(`mia was refused to read a customer (${id}): 403 Forbidden`)
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const tip = await newTip(service, await service.member(), outcome.id)
  await service.operator('POST', `/operator/v1/moderation/comments/${tip}`, { action: 'remove' }, mia)
  expect(await lastSentence()).toBe(`mia removed comment ${tip}`)
})

test('a new customer is created, also by a feed line', async () => {
  await service.operator('PUT', '/operator/v1/customers/88201', { currency: 'EUR' }, ann)
  expect(await lastSentence()).toBe('ann created customer 88201')
  const line = JSON.stringify({ put: 'customer', id: 88201, data: { status: 'suspended' } })
  await service.operator('POST', '/operator/v1/feed', Buffer.from(line), ann)
  expect(await ofCustomer(88201)).toEqual(['ann suspended customer 88201', 'ann created customer 88201'])
})

test('entries are filtered by actor, operation, subject and time, page by page', async () => {
  const { id } = await service.customer()
  const path = `/operator/v1/customers/${id}`
  const other = await service.member()
  const read = `ann read customer ${id}`
  const before = new Date(service.clock.now()).toISOString()
  service.clock.advance(1000)
  await service.operator('GET', path, undefined, ann)
  service.clock.advance(1000)
  const between = new Date(service.clock.now()).toISOString()
  service.clock.advance(1000)
  await service.operator('DELETE', `${path}/sessions`, undefined, ann)
  // The same number as a profile's id, and as the beginning of another customer's.
  await service.operator('GET', `/operator/v1/moderation/profiles/${id}`)
  await service.operator('GET', `/operator/v1/customers/${id}0`)
  const ended = `ann ended all sessions of customer ${id}`
  expect(await ofCustomer(id)).toEqual([ended, read])
  expect(await ofCustomer(id, { operation: 'getCustomer' })).toEqual([read])
  expect(await ofCustomer(id, { operation: 'putSport' })).toEqual([])
  expect(await ofCustomer(id, { actor: 'bootstrap' })).toEqual([])
  expect(await ofCustomer(id, { to: between })).toEqual([read])
  expect(await ofCustomer(id, { from: between })).toEqual([ended])
  expect(await sentences({ actor: 'ann', from: before, to: between })).toEqual([read])
  expect(await sentences({ actor: 'ann', operation: 'endSessions', from: before })).toEqual([ended])
  expect(await sentences({ operation: 'endSessions', from: before })).toEqual([ended])
  expect(await sentences({ from: before, to: between })).toEqual([read])
  const first = await trail({ subjectKind: 'customer', subjectId: String(id), limit: '1' })
  expect(first.items.map((entry: Json) => [entry.sentence, entry.subjectKind])).toEqual([[ended, 'customer']])
  const second = await trail({ subjectKind: 'customer', subjectId: String(id), limit: '1', cursor: first.cursor })
  expect([second.items[0].sentence, second.cursor]).toEqual([read, null])
  expect(other.profileId).toBeGreaterThan(0)
})

test.each([
  [{ subjectKind: 'customer' }, 'query/subjectId'],
  [{ subjectId: '1' }, 'query/subjectKind'],
  [{ subjectKind: 'horse', subjectId: '1' }, 'query/subjectKind'],
  [{ from: 'yesterday' }, 'query/from'],
  [{ to: '2026-13-01T00:00:00Z' }, 'query/to'],
])('%j is refused', async (filters, pointer) => {
  for (const path of ['/operator/v1/audit', '/operator/v1/audit.csv']) {
    const reply = await service.operator('GET', `${path}?${new URLSearchParams(filters)}`)
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer])
  }
})

async function file(filters: Record<string, string>, token = OPERATOR_TOKEN) {
  const url = `${service.operatorUrl}/operator/v1/audit.csv?${new URLSearchParams(filters)}`
  return fetch(url, { headers: { authorization: `Bearer ${token}` } })
}

test('the file has a line for each entry, and no text that a spreadsheet would run', async () => {
  const { token } = await newToken(service, 'accounts', '=HYPERLINK("http://x")')
  const { id } = await service.customer()
  const reason = '=1+1, "quoted"\nsecond line'
  await service.operator('PUT', `/operator/v1/customers/${id}/status`, { status: 'suspended', reason }, token)
  const reply = await file({ subjectKind: 'customer', subjectId: String(id) })
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="audit.csv"',
  })
  const [titles, line, end] = (await reply.text()).split('\r\n')
  expect(titles).toBe('time,actor,role,address,sentence,operation,subjectKind,subject,detail')
  const [entry] = (await trail({ subjectKind: 'customer', subjectId: String(id) })).items
  const who = `"'=HYPERLINK(""http://x"")"`
  const sentence = `"'=HYPERLINK(""http://x"") suspended customer ${id} (reason: =1+1, ""quoted"" second line)"`
  const detail = JSON.stringify(entry.detail).replaceAll('"', '""')
  expect(line).toBe(`${entry.at},${who},accounts,127.0.0.1,${sentence},setCustomerStatus,customer,${id},"${detail}"`)
  expect(end).toBe('')
})

test('the file is read in batches: all entries, each once, newest first', async () => {
  const { token } = await newToken(service, 'auditor', 'batches')
  const insert = `insert into audit (id, at, actor, role, action, subject, detail)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 1203)
    select 5000000 + i, 1000 + i / 700, 'many', 'feed', 'putSport', i, '{}' from n`
  await service.context.database.script(insert)
  const lines = (await (await file({ actor: 'many' }, token)).text()).trimEnd().split('\r\n').slice(1)
  expect(lines.map((line) => line.split(',')[7])).toEqual(Array.from({ length: 1203 }, (_, index) => `${1203 - index}`))
  await service.context.database.script(`delete from audit where actor = 'many'`)
})

test.each(['=1', '+1', '-1', '@a', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠a'])(
  'a value that begins as %j is text in a spreadsheet',
  (value) => {
    expect(csvLine([value, 'a'])).toMatch(/^"?'/)
  },
)
