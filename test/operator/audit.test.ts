import { describe, expect, test } from 'vitest'
import { operatorOperations } from '../../src/operator/operations.ts'
import { subjectKind } from '../../src/operator/server/fields.ts'
import { type Json, OPERATOR_TOKEN, SECRET, startTestService, useService } from '../harness/service.ts'
import { caseOf, newToken } from './cases.ts'

const service = useService()

async function trail(query = ''): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/audit${query}`)).body
}

const writes = operatorOperations.filter((row) => row.method !== 'GET' && !row.background)
const reads = operatorOperations.filter((row) => row.method === 'GET')

describe.each(writes.map((row) => ({ row, name: row.name })))('$name', ({ row }) => {
  test('is recorded, without secrets', async () => {
    const { path, body, secrets = [], status } = await caseOf(service, row)
    const start = service.clock.now()
    const reply = await service.operator(row.method, path, body)
    expect(reply.status).toBe(status)
    const [entry] = (await trail('?limit=1')).items
    expect(entry).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: expect.any(String),
      actor: 'bootstrap',
      role: 'admin',
      action: row.name,
      address: '127.0.0.1',
      sentence: expect.stringMatching(/^bootstrap [a-z]/),
      subjectKind: subjectKind(row.path),
      subject: subjectOf(row.path, path),
      detail: expect.any(Object),
      previousHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(entry.detail).not.toHaveProperty('refused')
    expect(Date.parse(entry.at)).toBeGreaterThanOrEqual(start)
    const shownOnce = ['secret', 'token', 'ticket'].map((name) => reply.body?.[name]).filter(Boolean)
    const written = JSON.stringify(await trail('?limit=100')) + service.logged()
    for (const secret of [...secrets, ...shownOnce, OPERATOR_TOKEN, SECRET]) expect(written).not.toContain(secret)
  })

  test('is recorded as refused when it is refused', async () => {
    const { path, body } = await caseOf(service, row)
    const { token, name } = await newToken(service, 'auditor')
    const subject = subjectOf(row.path, path)
    expect((await service.operator(row.method, path, body, token)).status).toBe(403)
    const [forbidden] = (await trail('?limit=1')).items
    expect(forbidden).toMatchObject({ actor: name, role: 'auditor', action: row.name, subject, address: '127.0.0.1' })
    expect(forbidden.detail).toEqual({ refused: 403, reason: 'Forbidden' })
    if (body === undefined) return
    // An invalid body may contain secrets in any field, so nothing of it is stored.
    const card = '4111111111111111'
    expect((await service.operator(row.method, path, { [card]: card })).status).toBe(422)
    const [invalid] = (await trail('?limit=1')).items
    expect(invalid).toMatchObject({ actor: 'bootstrap', action: row.name, subject })
    expect(invalid.detail).toEqual({ refused: 422, reason: 'The request is not valid' })
  })
})

function subjectOf(pattern: string, path: string): string {
  const parts = path.replace('/operator/v1', '').split('/')
  return parts.filter((_, index) => pattern.split('/')[index]?.startsWith('{')).join('/')
}

/** Every read is in one of the two lists, or depends on the event that is read. */
const PERSONAL = [
  'exportCustomerStatement',
  'exportDeposits',
  'exportPersonalData',
  'getAppeal',
  'getCommentContext',
  'getCustomer',
  'getDeposit',
  'getModeratedComment',
  'getModeratedProfile',
  'getProfileContext',
  'getReporter',
  'getWithdrawal',
  'listApplicationRequests',
  'listBalancesToPay',
  'listCustomerBets',
  'listCustomerComments',
  'listCustomerFlags',
  'listCustomers',
  'listDepositRefunds',
  'listDeposits',
  'listDisputes',
  'listMoneyProposals',
  'listPaymentMethods',
  'listRefunds',
  'listReporters',
  'listSessions',
  'listTips',
  'listUnappliedNotifications',
  'listWithdrawals',
  'readCustomerStatement',
  'readCustomerTimeline',
  'readDepositReview',
  'readGatewayView',
  'readModerationQueue',
  'readNames',
  'readWithdrawalOptions',
  'searchAll',
]
/** What is recorded of them: operator/events.test.ts, webhooks/attempts.test.ts. */
const BY_EVENT = ['listEvents', 'getWebhookDelivery']
const IMPERSONAL = [
  'checkAudit',
  'checkLedger',
  'checkRecord',
  'exportAudit',
  'exportStatements',
  'getWebhook',
  'listApplications',
  'listAudit',
  'listConsoleSessions',
  'listSports',
  'listTokens',
  'listTopOutcomes',
  'listViews',
  'listWebhookDeliveries',
  'listWebhooks',
  'openConsoleStream',
  'readHealth',
  'readLastLedgerCheck',
  'readMe',
  'readModerationSettings',
  'readModerationTexts',
  'readModeratorStatistics',
  'readMoneyStatistics',
  'readRecord',
  'readRecordRanking',
  'readStatistics',
  'readTransparency',
  'readWaitingDeposits',
  'readWords',
]
/** It calls the gateway and PUBLIC_URL. */
const REACHES_OUT = ['runDoctor']

test('every read is classified as reading personal data or not', () => {
  expect(reads.map((row) => row.name).sort()).toEqual([...PERSONAL, ...IMPERSONAL, ...BY_EVENT, ...REACHES_OUT].sort())
})

test.each([...PERSONAL, ...REACHES_OUT])('%s is recorded: it reads personal data, or reaches out', async (name) => {
  const row = reads.find((one) => one.name === name)!
  const { path, status } = await caseOf(service, row)
  const { token, name: actor } = await newToken(service, 'auditor')
  expect((await service.operator('GET', path, undefined, token)).status).toBe(status)
  const [entry] = (await trail('?limit=1')).items
  const subject = subjectOf(row.path, path.split('?')[0]!)
  expect(entry).toMatchObject({ actor, role: 'auditor', action: name, subject, address: '127.0.0.1' })
})

test('the trail names the customer whose deposits were read', async () => {
  await service.operator('GET', '/operator/v1/deposits?customerId=4711')
  expect((await trail('?limit=1')).items[0].detail).toEqual({ query: { customerId: '4711', limit: 50 } })
})

test('other reads are not recorded', async () => {
  const calls = []
  for (const row of reads) if (IMPERSONAL.includes(row.name)) calls.push({ row, ...(await caseOf(service, row)) })
  const before = (await trail('?limit=1')).items[0].id
  for (const { row, path, status } of calls) expect((await service.operator(row.method, path)).status).toBe(status)
  expect((await trail('?limit=1')).items[0].id).toBe(before)
})

test('refusals of unknown ids and of malformed JSON are recorded', async () => {
  await service.operator('DELETE', '/operator/v1/customers/999999999/personal-data')
  const [missing] = (await trail('?limit=1')).items
  expect(missing).toMatchObject({ subject: '999999999', detail: { refused: 404, reason: 'Not found' } })
  await service.operator('PUT', '/operator/v1/customers/5', '{"username": "half')
  expect((await trail('?limit=1')).items[0].detail).toEqual({ refused: 400, reason: 'Bad request' })
  await service.operator('GET', `/operator/v1/customers/a%0Ab${'c'.repeat(300)}`)
  const [strange] = (await trail('?limit=1')).items
  expect(strange.subject).toBe(`a�b${'c'.repeat(197)}`)
})

test('calls without a valid token are recorded, up to 60 a minute', async () => {
  const own = await startTestService()
  try {
    own.clock.hold()
    const ask = () => own.operator('GET', '/operator/v1/audit?limit=100', undefined, 'not-a-token')
    for (let i = 0; i < 63; i++) expect((await ask()).status).toBe(401)
    const entries = async () => (await own.operator('GET', '/operator/v1/audit?limit=100')).body.items
    expect(await entries()).toHaveLength(60)
    own.clock.advance(60_000)
    await ask()
    const [entry, before] = await entries()
    expect(entry).toMatchObject({ actor: 'nobody', role: 'none', action: 'listAudit', address: '127.0.0.1' })
    expect(entry.detail).toEqual({ refused: 401, reason: 'Unauthorized', leftOut: 3 })
    expect(before.detail).toEqual({ refused: 401, reason: 'Unauthorized' })
  } finally {
    await own.close()
  }
})

test('behind a trusted proxy the trail has the address of the client', async () => {
  const own = await startTestService({ TRUST_PROXY: '127.0.0.1,10.0.0.0/8' })
  try {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'x-forwarded-for': '203.0.113.7, 10.1.2.3' }
    await fetch(`${own.operatorUrl}/operator/v1/customers/999`, { headers })
    const { body } = await own.operator('GET', '/operator/v1/audit')
    expect(body.items[0]).toMatchObject({ action: 'getCustomer', address: '203.0.113.7' })
  } finally {
    await own.close()
  }
})

test('a change of a customer is recorded with the old and new values of the important fields', async () => {
  const put = (body: object) => service.operator('PUT', '/operator/v1/customers/88002', body)
  const changes = async () => (await trail('?limit=1')).items[0].detail.changes
  const body = { status: 'active', verified: true, currency: 'GBP', fundsStatementVersion: 1 }
  await put({ ...body, dailyDepositLimit: '10.00' })
  expect(await changes()).toEqual({
    status: { from: null, to: 'active' },
    verified: { from: null, to: true },
    currency: { from: null, to: 'GBP' },
    dailyDepositLimit: { from: null, to: '10.00' },
    fundsStatementVersion: { from: null, to: 1 },
  })
  await put({ ...body, dailyDepositLimit: '900.00', status: 'self-excluded', username: 'new.name' })
  expect(await changes()).toEqual({
    status: { from: 'active', to: 'self-excluded' },
    dailyDepositLimit: { from: '10.00', to: '900.00' },
    logInChanged: true,
  })
  await put({ ...body, dailyDepositLimit: '900.00', status: 'self-excluded', password: 'another one' })
  expect(await changes()).toEqual({ logInChanged: true })
  await put({ ...body, dailyDepositLimit: '900.00', status: 'self-excluded' })
  expect(await changes()).toEqual({})
})

test('a change of a card is recorded with its old and new limits', async () => {
  const { id } = await service.customer()
  const card = { number: '492912******1239', expiryDate: '12/49', country: 'GB', scheme: 'VISA' }
  const put = (token: string, maxDeposit: string) =>
    service.operator('PUT', `/operator/v1/customers/${id}/payment-methods/8800300`, {
      type: 'CARD',
      token,
      limits: { minDeposit: '5.00', maxDeposit },
      card,
    })
  await put('one', '100.00')
  await put('one', '250.00')
  const changes = async () => (await trail('?limit=1')).items[0].detail.changes
  expect(await changes()).toEqual({ maxDeposit: { from: '100.00', to: '250.00' } })
  await put('two', '250.00')
  expect(await changes()).toEqual({ cardChanged: true })
})

test('the body of a write is recorded, with its secrets hidden', async () => {
  const body = { username: 'hidden.name', password: 'hidden-password', currency: 'EUR', verified: false }
  await service.operator('PUT', '/operator/v1/customers/88001', body)
  const [entry] = (await trail('?limit=1')).items
  expect(entry.detail.body).toEqual({
    username: '…',
    password: '…',
    currency: 'EUR',
    verified: false,
  })
})

test('the trail names the token and its role', async () => {
  const { token } = await newToken(service, 'moderator', 'Moderator Mia')
  const { profileId } = await service.member()
  const body = { action: 'keep', note: 'harmless\nsecond line' }
  await service.operator('POST', `/operator/v1/moderation/profiles/${profileId}`, body, token)
  const [entry] = (await trail('?limit=1')).items
  // Notes are stored with the decision, where they can be erased.
  const detail = { body: { action: 'keep', note: '…' } }
  expect(entry).toMatchObject({ actor: 'Moderator Mia', role: 'moderator', subject: `${profileId}`, detail })
})

test('changes only: neither reads nor refusals, with other filters and in pages', async () => {
  const { id } = await service.member()
  const path = `/operator/v1/customers/${id}`
  for (const dailyDepositLimit of ['10.00', '20.00']) {
    await service.operator('PUT', path, { dailyDepositLimit })
    await service.operator('GET', path)
    expect((await service.operator('PUT', path, { dailyDepositLimit: 'some' })).status).toBe(422)
  }
  const actionsOf = async (query: string) => (await trail(query)).items.map(({ action }: Json) => action)
  const ofSubject = `?subjectKind=customer&subjectId=${id}&changesOnly=true`
  expect((await actionsOf(ofSubject)).slice(0, 2)).toEqual(['putCustomer', 'putCustomer'])
  expect(await actionsOf(ofSubject.replace('true', 'false'))).toContain('getCustomer')
  expect(await actionsOf('?limit=2&changesOnly=true')).toEqual(['putCustomer', 'putCustomer'])
  expect(await actionsOf('?operation=getCustomer&changesOnly=true')).toEqual([])
  const first = await trail('?limit=1&changesOnly=true&actor=bootstrap')
  const second = await trail(`?limit=1&changesOnly=true&actor=bootstrap&cursor=${first.cursor}`)
  expect([first, second].map(({ items }) => items[0].detail.changes.dailyDepositLimit.to)).toEqual(['20.00', '10.00'])
  const file = (await service.operator('GET', '/operator/v1/audit.csv?changesOnly=true')).body
  expect(file).toContain('putCustomer')
  expect(file).not.toMatch(/getCustomer|was refused to/)
})

test('a page of changes says how far it goes, where there are few among what was read', async () => {
  const { id } = await service.member()
  await service.operator('PUT', `/operator/v1/customers/${id}`, { dailyDepositLimit: '30.00' })
  for (let i = 0; i < 1_010; i++) await service.operator('GET', '/operator/v1/customers/1')
  const short = await trail('?limit=1&changesOnly=true')
  expect([short.items, short.cursor, short.searchedUntil]).toEqual([[], expect.any(String), expect.any(String)])
  const next = await trail(`?limit=1&changesOnly=true&cursor=${short.cursor}`)
  expect(next.items[0].detail.changes.dailyDepositLimit.to).toBe('30.00')
  expect((await trail('?limit=1')).searchedUntil).toBeNull()
})

test('pages go from the newest to the oldest, each entry once', async () => {
  for (let i = 0; i < 7; i++) await service.customer().then(({ id }) => erase(id))
  const seen: string[] = []
  let cursor = ''
  let pages = 0
  do {
    const page = await trail(`?limit=3&cursor=${cursor}`)
    expect(page.items.length).toBeLessThanOrEqual(3)
    seen.push(...page.items.map((one: { id: string }) => one.id))
    cursor = page.cursor
    pages++
  } while (cursor !== null)
  expect(pages).toBe(Math.ceil(seen.length / 3))
  expect(seen).toEqual([...new Set(seen)].sort((one, other) => Number(other) - Number(one)))
  expect(seen.length).toBeGreaterThanOrEqual(7)
})

function erase(id: number) {
  return service.operator('DELETE', `/operator/v1/customers/${id}/personal-data`)
}

test.each([
  'cursor=nonsense',
  'cursor=MQ%3D%3D',
  `cursor=${Buffer.from('1').toString('base64url')}`,
  `cursor=${Buffer.from('1e3').toString('base64url')}`,
  `cursor=${Buffer.from('99999999999999999999').toString('base64url')}`,
  'cursor=MQ&cursor=MQ',
  'limit=0',
  'limit=101',
  'limit=ten',
  'limit=1.5',
  'newest=Y',
])('?%s is refused', async (query) => {
  const reply = await service.operator('GET', `/operator/v1/audit?${query}`)
  expect(reply.status).toBe(422)
  expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(reply.body.errors[0].pointer).toBe(`query/${query.split('=')[0]}`)
})
