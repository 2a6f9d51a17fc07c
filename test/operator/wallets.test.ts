import { expect, test } from 'vitest'
import { type NoParameters, reading, writing } from '../../src/platform/database/database.ts'
import { balanceOf } from '../../src/wallets/account/ledger.ts'
import { startLedgerChecks } from '../../src/wallets/books/ledger-checks.ts'
import { operatorNamed } from '../harness/operators.ts'
import { engine, type Json, startTestService, useService } from '../harness/service.ts'
import { deposit, ledgerProblems, newDepositor, paidOrFaultCode, sweepUntil } from '../harness/wallets.ts'

const service = useService({ GATEWAY_TIMEOUT_MS: '100', RESOLUTION_FOUR_EYES_ABOVE: '10.00' })

const METHOD = {
  type: 'CARD',
  token: 'sandbox:approve',
  limits: { minDeposit: '5.00', maxDeposit: '10.00' },
  card: { number: '411111******1111', expiryDate: '12/49', country: 'GB', scheme: 'VISA' },
}

test('a card is registered and replaced, and never moves to another customer', async () => {
  const one = await service.customer()
  const other = await service.customer()
  const put = (customer: number, body: unknown = METHOD) =>
    service.operator('PUT', `/operator/v1/customers/${customer}/payment-methods/991`, body)
  expect((await put(one.id)).status).toBe(201)
  expect((await put(one.id)).status).toBe(200)
  expect((await put(other.id)).status).toBe(409)
  expect((await put(one.id, { ...METHOD, token: 'sandbox:slow-1' })).status).toBe(200)
  expect((await put(999_999)).status).toBe(404)
  expect((await put(one.id, { ...METHOD, limits: { minDeposit: '10', maxDeposit: '9.99' } })).status).toBe(422)
  expect((await put(one.id, { ...METHOD, card: { ...METHOD.card, expiryDate: '13/49' } })).status).toBe(422)
})

test('of two customers who are given one id for a card at once, one gets it', async () => {
  const customers = [await service.customer(), await service.customer(), await service.customer()]
  for (let id = 930_001; id < 930_006; id++) {
    const card = (at: { id: number }) =>
      service.operator('PUT', `/operator/v1/customers/${at.id}/payment-methods/${id}`, {
        ...{ type: 'CARD', token: `token of ${at.id}`, limits: { minDeposit: '5.00', maxDeposit: '10.00' } },
        card: { number: '492912******1239', expiryDate: '12/49', country: 'GB', scheme: 'VISA' },
      })
    const replies = await Promise.all(customers.map(card))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const owner = customers[replies.findIndex(({ status }) => status === 201)]
    const { items } = (await service.operator('GET', `/operator/v1/customers/${owner?.id}/payment-methods`)).body
    expect(items.map((one: Json) => one.id)).toContain(`${id}`)
  }
})

test('a full card number is refused, and is in no answer, log or audit trail', async () => {
  const { id } = await service.customer()
  const number = '4929123412341239'
  const path = `/operator/v1/customers/${id}/payment-methods/992`
  const refused = await service.operator('PUT', path, { ...METHOD, card: { ...METHOD.card, number } })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).not.toContain(number)
  const all = reading<NoParameters, { detail: string }>('auditDetails', 'select detail from audit')
  expect(JSON.stringify(await service.context.database.query(all, {}))).not.toContain(number)
  expect(service.logged()).not.toContain(number)
})

test('deposits are listed newest first, by customer and state, in pages', async () => {
  const { id, ticket, method } = await newDepositor(service)
  for (let turn = 0; turn < 52; turn++) await deposit(service, { ticket, method, amount: '5.00' })
  const first = (await service.operator('GET', `/operator/v1/deposits?customerId=${id}`)).body
  expect([first.items.length, typeof first.cursor]).toEqual([50, 'string'])
  const second = (await service.operator('GET', `/operator/v1/deposits?customerId=${id}&cursor=${first.cursor}`)).body
  expect([second.items.length, second.cursor]).toEqual([2, null])
  const ids = [...first.items, ...second.items].map((one: { paymentId: string }) => one.paymentId)
  expect(new Set(ids).size).toBe(52)
  await sweepUntil(service, id, Array(50).fill('CAPTURED'))
  const inState = async (state: string) =>
    (await service.operator('GET', `/operator/v1/deposits?customerId=${id}&state=${state}`)).body.items.length
  expect([await inState('CAPTURED'), await inState('DECLINED')]).toEqual([50, 0])
  expect((await service.operator('GET', '/operator/v1/deposits?state=CAPTURED')).body.items).toHaveLength(50)
  expect((await service.operator('GET', '/operator/v1/deposits?state=LOST')).status).toBe(422)
  expect((await service.operator('GET', '/operator/v1/deposits/none')).status).toBe(404)
})

async function inReview(amount = '10.00') {
  const created = await newDepositor(service, { token: 'sandbox:capture-refused' })
  const reply = await deposit(service, { ...created, amount })
  expect(paidOrFaultCode(reply)).toBe('paid')
  await sweepUntil(service, created.id, ['REVIEW'])
  const paymentId: string = reply.json().whoWallets.paymentId
  const { body } = await service.operator('GET', `/operator/v1/deposits/${paymentId}`)
  expect([body.state, body.review]).toEqual(['REVIEW', 'capture-refused'])
  const resolve = (outcome: string, token?: string) =>
    service.operator(
      'POST',
      `/operator/v1/deposits/${paymentId}/resolution`,
      { outcome, note: 'asked the bank' },
      token,
    )
  const balance = () => balanceOf(service.context.database, created.id, 'GBP')
  return { ...created, paymentId, resolve, balance }
}

test('a refused capture takes the credit back, and needs manual review: resolved as captured, it is credited again', async () => {
  const { resolve, balance, paymentId } = await inReview()
  expect([await balance(), await ledgerProblems(service)]).toEqual([0n, []])
  const resolved = await resolve('captured')
  expect([resolved.status, resolved.body.state, await balance()]).toEqual([200, 'CAPTURED', 1000n])
  expect((await resolve('voided')).status).toBe(409)
  const { events } = (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body
  expect(events.at(-1).detail).toContain('asked the bank')
  expect(await ledgerProblems(service)).toEqual([])
})

test('resolved as voided, a refused capture moves nothing', async () => {
  const { resolve, balance } = await inReview()
  const resolved = await resolve('voided')
  expect([resolved.status, resolved.body.state, await balance()]).toEqual([200, 'VOIDED', 0n])
  expect(await ledgerProblems(service)).toEqual([])
})

test('above the setting, two persons resolve a deposit, and both decide the same', async () => {
  const { paymentId, resolve, balance } = await inReview('10.01')
  const second = await operatorNamed(service, 'Bob')
  const path = `/operator/v1/deposits/${paymentId}`
  const shown = async () => (await service.operator('GET', path)).body
  expect(await shown()).toMatchObject({ state: 'REVIEW', waitsFor: 'me', proposal: null })
  const first = await resolve('voided')
  expect([first.status, first.body.state]).toEqual([200, 'REVIEW'])
  expect(first.body).toMatchObject({
    waitsFor: 'another person',
    proposal: { outcome: 'voided', note: 'asked the bank', by: 'bootstrap', waitsFor: 'another person' },
  })
  expect((await second('GET', path)).body).toMatchObject({ waitsFor: 'me', proposal: { waitsFor: 'me' } })
  const inbox = (await second('GET', '/operator/v1/deposit-review')).body.items
  expect(inbox.find((one: Json) => one.paymentId === paymentId)).toMatchObject({ proposal: { by: 'bootstrap' } })
  const again = await resolve('voided')
  expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('another person confirms it')])
  // Who disagrees proposes the other outcome, which is then for others to confirm.
  const other = await resolve('captured', second.token)
  expect(other.body.proposal).toMatchObject({ outcome: 'captured', by: expect.stringMatching(/^Bob/) })
  expect((await resolve('captured', second.token)).status).toBe(409)
  expect([(await shown()).state, await balance()]).toEqual(['REVIEW', 0n])
  const resolved = await resolve('captured')
  expect([resolved.status, resolved.body.state]).toEqual([200, 'CAPTURED'])
  expect(resolved.body).toMatchObject({ waitsFor: null, proposal: null, captured: '10.01' })
  expect((await shown()).events.at(-1)).toMatchObject({
    event: 'resolved',
    detail: expect.stringMatching(/Bob.*, bootstrap/),
  })
  expect(await ledgerProblems(service)).toEqual([])
})

/** Two more deposits like this one, in one statement. */
function twice(paymentId: string, values: string, name = 'pair'): string {
  return `insert into deposit (id, customer_id, api_key, payment_method_id, gateway, amount, currency, day, lease_until,
      created_at, state, fault, decided_at, idempotency_key)
    select '${name}-' || n.i, customer_id, api_key, payment_method_id, gateway, amount, currency, day, lease_until, created_at,
      ${values} from deposit, (select 1 as i union select 2 as i) n where id = '${paymentId}'`
}

test('the database refuses rows that break the rules of the ledger', async () => {
  const { ticket, method, id } = await newDepositor(service)
  const reply = await deposit(service, { ticket, method })
  const { paymentId } = reply.json().whoWallets
  const { database } = service.context
  await database.script(
    twice(paymentId, `'DECLINED', 'cv2Invalid', 1, null`, 'copy').replace(' union select 2 as i', ''),
  )
  const attempts = {
    'a changed transfer': 'update transfer set amount = amount + 1',
    'a removed transfer': 'delete from transfer',
    'a removed event': 'delete from deposit_event',
    // Without an event, so that no foreign key stands in the way.
    'a removed deposit': `delete from deposit where id = 'copy-1'`,
    'another amount': `update deposit set amount = 1 where id = '${paymentId}'`,
    'another gateway': `update deposit set gateway = 'acme' where id = '${paymentId}'`,
    'a move backwards': `update deposit set state = 'AUTHORISING', decided_at = null where id = '${paymentId}'`,
    'a second credit': `insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
      select deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at from transfer where deposit_id = '${paymentId}'`,
    'two deposits in flight': twice(paymentId, `'AUTHORISING', null, null, null`),
    'one key twice': twice(paymentId, `'DECLINED', 'cv2Invalid', 1, 'k'`),
    'a transfer in another currency': `insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
      select deposit_id, 'uncapture', debit_account_id, credit_account_id, amount, 'EUR', at from transfer where deposit_id = '${paymentId}'`,
    'a negative balance': `update account set balance = -1 where customer_id = ${id}`,
    'a full card number': `update payment_method set card_number = '4111111111111111' where id = ${method}`,
  }
  for (const [what, sql] of Object.entries(attempts)) {
    await expect(database.script(sql), `${what} on ${engine}`).rejects.toThrow()
  }
  await sweepUntil(service, id, ['CAPTURED', 'DECLINED'])
  expect(await ledgerProblems(service)).toEqual([])
})

test('the ledger check finds every kind of error', async () => {
  const { ticket, method, id } = await newDepositor(service)
  await deposit(service, { ticket, method })
  const balance = (change: string) =>
    service.context.database.script(`update account set balance = balance ${change} where customer_id = ${id}`)
  await balance('+ 1')
  expect(await ledgerProblems(service)).toHaveLength(1)
  await balance('- 1')
  expect(await ledgerProblems(service)).toEqual([])
  const { body } = await service.operator('GET', '/operator/v1/ledger/check')
  expect(body.balanced).toBe(true)
  const total = body.accounts.reduce(
    (sum: bigint, one: { total: string }) => sum + BigInt(one.total.replace('.', '')),
    0n,
  )
  expect(total).toBe(0n)
})

const addToBalances = writing<{ value1: number }>(
  'addToBalances',
  'update account set balance = balance + :value1 where id = (select min(id) from account where customer_id is not null)',
)

const PATIENCE = { timeout: 60_000 }

async function gauge(name: string): Promise<string | undefined> {
  const text = await (await fetch(`${service.operatorUrl}/metrics`)).text()
  return new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]
}

test('the service checks the ledger in the background, from the start and repeatedly', async () => {
  const fresh = await startTestService()
  try {
    const last = async () => (await fresh.operator('GET', '/operator/v1/ledger/last-check')).body
    await expect.poll(last, PATIENCE).toMatchObject({ balanced: true, problems: [], checkedAt: expect.any(String) })
  } finally {
    await fresh.close()
  }
  await deposit(service, { ...(await newDepositor(service)), amount: '8.00' })
  const checks = startLedgerChecks(service.context, 20)
  try {
    await service.context.database.run(addToBalances, { value1: 1 })
    await expect.poll(() => gauge('paddock_ledger_problems'), PATIENCE).toBe('1')
    const { body } = await service.operator('GET', '/operator/v1/ledger/last-check')
    expect([body.balanced, body.problems.length]).toEqual([false, 1])
    expect(service.logged()).toContain('the ledger does not add up')
    await service.context.database.run(addToBalances, { value1: -1 })
    await expect.poll(() => gauge('paddock_ledger_problems'), PATIENCE).toBe('0')
    expect(Number(await gauge('paddock_ledger_checked_timestamp_seconds'))).toBeGreaterThan(1e9)
  } finally {
    await checks.close()
  }
})
