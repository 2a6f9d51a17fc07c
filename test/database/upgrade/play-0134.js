// Runs inside the version before money-rules (commit e31fc178), as one of its suites: write.js puts it there. It plays deposits, refunds,
// disputes and withdrawals of every state over that version's own API, and writes the rows that it leaves. Each customer is one case;
// upgrade.test.ts says what each is worth under the rules of today.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test, vi } from 'vitest'
import { excludeCustomer } from '../../src/wallets/exclusions.ts'
import { sweep } from '../../src/wallets/sweeper.ts'
import { adyenNotification, adyenSettings, startFakeAdyen } from '../harness/adyen.ts'
import { spend } from '../harness/refunds.ts'
import { engine, newTestDatabase, startTestService } from '../harness/service.ts'
import { addCard, deposit, paidOrFaultCode } from '../harness/wallets.ts'
import { payIn, win, withdrawn } from '../harness/withdrawals.ts'

const BEGIN = Date.UTC(2026, 1, 2, 9)
const MINUTE = 60_000
const DAY = 86_400_000
const SETTINGS = { GATEWAY_TIMEOUT_MS: '1000', REVIEW_AFTER_SECONDS: '3600', DAILY_DEPOSIT_LIMIT: '100000.00' }

const fake = await startFakeAdyen()
const home = await newTestDatabase()
let service
let now = BEGIN
vi.setSystemTime(now)
/** Outcomes of the sandbox's bank that no token has, by the token of the card. */
const LOST = { outcome: 'unknown', reason: 'no answer in time' }

async function start(more = {}) {
  await service?.close()
  const gateway = (port) => ({
    ...port,
    capture: async (payment) => ((await tokenOf(payment)) === 'sandbox:slow-1' ? LOST : port.capture(payment)),
    async cancel(payment) {
      const token = await tokenOf(payment)
      if (token === 'sandbox:error-before') return LOST
      return token === 'sandbox:error-after' ? { outcome: 'captured', reason: 'captured' } : port.cancel(payment)
    },
  })
  service = await startTestService({ ...SETTINGS, ...adyenSettings(fake.url), ...more }, home, { gateway })
  later(1)
}

/** Between two steps, so that their order is that of their times. */
function later(minutes) {
  now += minutes * MINUTE
  vi.setSystemTime(now)
}

let statements = 0

function rows(text) {
  return service.context.database.query(
    { name: `rows ${++statements}`, sql: text, parameterNames: [], access: 'reads' },
    {},
  )
}

async function tokenOf({ reference }) {
  const [card] = await rows(
    `select m.token from deposit d join payment_method m on m.id = d.payment_method_id where d.id = '${reference}'`,
  )
  return card.token
}

afterAll(async () => {
  vi.useRealTimers()
  await service.close()
  await fake.close()
  await home.remove()
})

// ---- Steps

async function customer(id, ...tokens) {
  const created = await service.operator('PUT', `/operator/v1/customers/${id}`, {
    username: `customer${id}`,
    status: 'active',
    verified: true,
    currency: 'GBP',
    fundsStatementVersion: 1,
  })
  expect([200, 201]).toContain(created.status)
  const cards = []
  for (const [index, token] of tokens.entries()) {
    cards.push(
      await addCard(service, { id }, { id: id * 10 + index + 1, token: token || 'sandbox:approve', max: '5000.00' }),
    )
  }
  return { id, cards }
}

/** A session of its own for each call: they end while days pass. */
const ticketOf = async ({ id }) => (await service.context.sessions.issue(id, null)).ticket

/** Captured at once. */
async function paysIn(one, amount, card = 0) {
  await payIn(service, { ...one, ticket: await ticketOf(one) }, one.cards[card], amount)
  later(1)
}

/** Its capture is not sent yet, or it failed. Returns the id of the deposit. */
async function pays(one, amount, card = 0) {
  const reply = await deposit(service, { ticket: await ticketOf(one), method: one.cards[card], amount })
  later(1)
  const code = paidOrFaultCode(reply)
  return code === 'paid' ? reply.json().whoWallets.paymentId : code
}

async function depositsOf({ id }) {
  const found = await rows(`select id from deposit where customer_id = ${id} order by number`)
  return found.map((row) => row.id)
}

async function wins(one, pounds) {
  await win(service, one, BigInt(pounds) * 100n)
  later(1)
}

async function loses({ id }, pounds) {
  expect(await spend(service, id, BigInt(pounds) * 100n)).toBe(true)
  later(1)
}

/** An operator's own call; `token`: of another operator. */
async function operator(method, path, body, { token, status = [200, 201, 202, 204] } = {}) {
  const reply = await service.operator(method, `/operator/v1/${path}`, body, token)
  expect([status].flat(), `${method} ${path}: ${JSON.stringify(reply.body)}`).toContain(reply.status)
  later(1)
  return reply.body
}

/** The sandbox's bank reports it of a deposit. */
async function bankSays(paymentId, event, amount) {
  await operator('POST', 'sandbox/disputes', { paymentId, event, amount })
}

async function adyenSays(event, { reference, psp, value, success = true }) {
  const reply = await service.call('POST', '/v1/notifications/adyen', {
    key: null,
    secret: null,
    headers: { 'content-type': 'application/json' },
    body: adyenNotification({ event, reference, psp, value, success }),
  })
  expect(reply.text).toBe('[accepted]')
  later(1)
}

async function refunds(paymentId, amount, token) {
  const { id } = await operator('POST', `deposits/${paymentId}/refunds`, { amount, reason: 'asked for it' }, { token })
  return id
}

/** Requested; what becomes of it is up to the next sweeps. */
async function withdraws(one, amount, card = 0) {
  const id = await withdrawn(service, { ticket: await ticketOf(one), card: one.cards[card], amount })
  later(1)
  return id
}

async function ends(withdrawalId, state) {
  const read = async () => (await service.operator('GET', `/operator/v1/withdrawals/${withdrawalId}`)).body
  await sweeps(async () => (await read()).state, state)
  return read()
}

async function decides(withdrawalId, what, body, options) {
  const [method, path] = what.split(' ')
  return operator(method, `withdrawals/${withdrawalId}/${path}`, body, options)
}

async function stateOf(paymentId) {
  return (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body.state
}

/** Until a deposit, or a refund of it, has the state. */
async function sweeps(read, state) {
  const look = async () => {
    await sweep(service.context)
    const seen = await read()
    if (seen !== state) later(1)
    return seen
  }
  await expect.poll(look, { timeout: 60_000, interval: 20 }).toBe(state)
  later(1)
}

const refundState = (id) => async () => (await rows(`select state from refund where id = ${id}`))[0].state

// ---- Cases, by customer

test('withdrawals that have ended', async () => {
  await start()
  // Two cards, winnings beyond their claims.
  const two = await customer(101, '', '')
  await paysIn(two, '100.00')
  await paysIn(two, '50.00', 1)
  await wins(two, 850)
  await ends(await withdraws(two, '100.00'), 'PAID')
  later(24 * 60)
  await ends(await withdraws(two, '450.00', 1), 'PAID')
  // The fault: the card that paid in first gets what the one that paid in last has left.
  const lost = await customer(102, '', '')
  await paysIn(lost, '100.00')
  await loses(lost, 100)
  await paysIn(lost, '50.00', 1)
  await ends(await withdraws(lost, '50.00'), 'PAID')
  await wins(lost, 130)
  const paid = await customer(103, '')
  await paysIn(paid, '100.00')
  await ends(await withdraws(paid, '40.00'), 'PAID')
  const winner = await customer(104, '')
  await paysIn(winner, '30.00')
  await paysIn(winner, '50.00')
  await wins(winner, 120)
  await ends(await withdraws(winner, '60.00'), 'PAID')
  await ends(await withdraws(winner, '90.00'), 'PAID')
  const returned = await customer(105, 'sandbox:payout-returned')
  await paysIn(returned, '100.00')
  await ends(await withdraws(returned, '40.00'), 'RETURNED')
  const refused = await customer(106, '')
  await paysIn(refused, '1500.00')
  await decides(await withdraws(refused, '1200.00'), 'POST refusal', { reason: 'Not your card.' })
  const unresolved = await customer(107, 'sandbox:payout-silent')
  await paysIn(unresolved, '100.00')
  await wins(unresolved, 30)
  const id = await withdraws(unresolved, '110.00')
  await sweep(service.context)
  later(61)
  await ends(id, 'REVIEW')
})

test('refunds', async () => {
  const cases = [
    [111, '', '40.00', 'DONE'],
    [112, 'sandbox:refund-slow', '30.00', 'SENT'],
    [113, 'sandbox:refund-failed', '20.00', 'FAILED'],
  ]
  for (const [id, token, amount, state] of cases) {
    const one = await customer(id, token)
    await paysIn(one, '100.00')
    const [paymentId] = await depositsOf(one)
    await sweeps(refundState(await refunds(paymentId, amount)), state)
  }
  const unknown = await customer(114, 'sandbox:refund-unknown')
  await paysIn(unknown, '100.00')
  const refund = await refunds((await depositsOf(unknown))[0], '25.00')
  later(61)
  await sweeps(refundState(refund), 'REVIEW')
  const colleague = (await operator('POST', 'tokens', { name: 'Ann', role: 'admin' })).token
  const large = await customer(115, '')
  await paysIn(large, '1500.00')
  await refunds((await depositsOf(large))[0], '1200.00', colleague)
  // Made in the back office, of more than the customer has.
  const owes = await customer(116, '')
  await paysIn(owes, '100.00')
  await loses(owes, 80)
  await bankSays((await depositsOf(owes))[0], 'REFUND', '50.00')
})

test('disputes', async () => {
  const cases = [
    [121, ['NOTIFICATION_OF_CHARGEBACK', '100.00']],
    [122, ['CHARGEBACK', '30.00']],
    // The fault: all of the chargeback was credited.
    [123, ['CHARGEBACK', '20.00'], ['CHARGEBACK_REVERSED', '5.00']],
    [124, ['CHARGEBACK', '20.00'], ['CHARGEBACK_REVERSED', '20.00']],
    [125, ['CHARGEBACK', '20.00'], ['CHARGEBACK_REVERSED', '20.00'], ['SECOND_CHARGEBACK', '20.00']],
    [126, ['CHARGEBACK', '20.00'], ['PREARBITRATION_LOST', '20.00']],
    [127, ['CHARGEBACK', '20.00'], ['CHARGEBACK_REVERSED', '20.00'], ['PREARBITRATION_WON', '20.00']],
    [128, ['NOTIFICATION_OF_CHARGEBACK', '30.00'], ['DISPUTE_DEFENSE_PERIOD_ENDED', '30.00']],
    [129, ['NOTIFICATION_OF_CHARGEBACK', '30.00'], ['DISPUTE_DEFENSE_PERIOD_ENDED', '30.00'], ['CHARGEBACK', '30.00']],
  ]
  for (const [id, ...events] of cases) {
    const one = await customer(id, '')
    await paysIn(one, '100.00')
    const [paymentId] = await depositsOf(one)
    for (const [event, amount] of events) await bankSays(paymentId, event, amount)
  }
  // A debt that a later deposit pays in part.
  const owes = await customer(130, '')
  await paysIn(owes, '100.00')
  await loses(owes, 90)
  await bankSays((await depositsOf(owes))[0], 'CHARGEBACK', '100.00')
  await paysIn(owes, '50.00')
})

test('deposits that need manual review, and those that failed', async () => {
  const refused = await customer(141, 'sandbox:capture-refused')
  const refusedId = await pays(refused, '100.00')
  await sweeps(() => stateOf(refusedId), 'REVIEW')
  const failed = await customer(142, '')
  await paysIn(failed, '100.00')
  await bankSays((await depositsOf(failed))[0], 'CAPTURE_FAILED', '100.00')
  const silent = await customer(143, 'sandbox:slow-1')
  const uncaptured = await pays(silent, '100.00')
  await sweep(service.context)
  later(61)
  await sweeps(() => stateOf(uncaptured), 'REVIEW')
  for (const [id, token] of [
    [144, 'sandbox:error-before'],
    [145, 'sandbox:error-after'],
  ]) {
    const voided = await customer(id, token)
    expect(await pays(voided, '100.00')).toBe('24005')
    const [paymentId] = await depositsOf(voided)
    await sweep(service.context)
    later(61)
    await sweeps(() => stateOf(paymentId), 'REVIEW')
  }
  const voided = await customer(147, 'sandbox:timeout-after')
  expect(await pays(voided, '100.00')).toBe('24005')
  const [voidedId] = await depositsOf(voided)
  await sweeps(() => stateOf(voidedId), 'VOIDED')
  const declined = await customer(146, 'sandbox:decline')
  expect(await pays(declined, '100.00')).toBe('24005')
})

test('withdrawals of Adyen, and what its notifications said of them', async () => {
  await start({ GATEWAY: 'adyen' })
  const sent = async (id, tell, { won = 0 } = {}) => {
    const one = await customer(id, 'approve')
    await paysIn(one, '100.00')
    if (won > 0) await wins(one, won)
    const withdrawal = await withdraws(one, won > 0 ? '120.00' : '40.00')
    const seen = await ends(withdrawal, 'SENDING')
    const of = { reference: seen.reference, psp: seen.gatewayReference, value: won > 0 ? 12_000 : 4_000 }
    for (const [event, success] of tell) await adyenSays(event, { ...of, success })
    return withdrawal
  }
  await sent(151, [])
  await sent(152, [], { won: 50 })
  await sent(153, [
    ['PAYOUT_THIRDPARTY', false],
    ['PAYOUT_THIRDPARTY', true],
  ])
  await sent(154, [
    ['PAYOUT_THIRDPARTY', true],
    ['PAYOUT_THIRDPARTY', false],
  ])
  await sent(155, [
    ['PAYOUT_THIRDPARTY', true],
    ['PAIDOUT_REVERSED', true],
  ])
  const resumed = await sent(156, [
    ['PAYOUT_THIRDPARTY', false],
    ['PAYOUT_THIRDPARTY', true],
  ])
  await decides(resumed, 'POST resolution', { outcome: 'paid', note: 'seen at Adyen' })
})

test('what waits when the upgrade begins', async () => {
  await start()
  const colleague = (await operator('POST', 'tokens', { name: 'Bea', role: 'admin' })).token
  // The currency of a customer with money was changed.
  const euros = await customer(161, '', '')
  await paysIn(euros, '100.00')
  await operator('PUT', 'customers/161', { currency: 'EUR' })
  await paysIn(euros, '50.00', 1)
  await ends(await withdraws(euros, '20.00', 1), 'PAID')

  const players = {}
  for (const [id, cards, ...paid] of [
    [171, 1, '1500.00'],
    [172, 1, '1500.00'],
    [173, 1, '1500.00'],
    [174, 1, '100.00'],
    [175, 1, '100.00'],
    [177, 1, '100.00'],
    [178, 1, '100.00'],
    [179, 2, '100.00', '100.00'],
    [180, 1, '100.00'],
    [182, 2, '100.00'],
    [183, 1, '100.00'],
  ]) {
    players[id] = await customer(id, ...Array(cards).fill(''))
    for (const [card, amount] of paid.entries()) await paysIn(players[id], amount, card)
  }
  const thief = await customer(176, '', '')
  await paysIn(thief, '100.00')
  await loses(thief, 100)
  await paysIn(thief, '50.00', 1)
  await wins(players[175], 50)

  // Above what the rule approves: not approved, held, approved by one person.
  await withdraws(players[171], '1200.00')
  await decides(await withdraws(players[172], '1200.00'), 'PUT hold', {
    reason: 'Please send us a proof of your address.',
  })
  await decides(await withdraws(players[173], '1200.00'), 'POST approval', undefined, { token: colleague })
  // Requested by an operator for a customer who has excluded themselves.
  await excludeCustomer(service.context, 180, 'self-exclusion', (time) => time + 200 * DAY)
  later(1)
  await operator('POST', 'customers/180/withdrawals', {
    amount: '100.00',
    paymentMethodId: '1801',
    reason: 'asked by letter',
  })
  // From here on nothing is swept: what is approved waits for its job.
  await withdraws(players[174], '60.00')
  await withdraws(players[175], '150.00')
  await withdraws(thief, '50.00')
  await withdraws(players[177], '60.00')
  await operator('POST', 'customers/177/payment-methods/1771/closure', { reason: 'reported stolen' })
  await withdraws(players[178], '60.00')
  await bankSays((await depositsOf(players[178]))[0], 'CHARGEBACK', '30.00')
  await withdraws(players[179], '90.00')
  await loses(players[179], 110)
  await bankSays((await depositsOf(players[179]))[1], 'CHARGEBACK', '100.00')
  // A deposit that is not captured yet, and notifications that were faster than its capture.
  const early = await customer(181, '')
  const uncaptured = await pays(early, '20.00')
  await bankSays(uncaptured, 'CHARGEBACK', '7.00')
  await bankSays(uncaptured, 'REFUND', '6.00')
  // Another card's deposit of the same customer, and a refund that its job has not sent.
  expect(await pays(players[182], '50.00', 1)).toMatch(/-/)
  await refunds((await depositsOf(players[183]))[0], '10.00')
  const voided = await customer(184, 'sandbox:timeout-after')
  expect(await pays(voided, '100.00')).toBe('24005')
})

// ---- The rows

const TABLES = [
  'customer',
  'payment_method',
  'account',
  'deposit',
  'deposit_event',
  'movement',
  'refund',
  'dispute',
  'dispute_event',
]
TABLES.push('withdrawal', 'withdrawal_event', 'transfer', 'job', 'gateway_notification')

test('the rows are written', async () => {
  expect((await service.operator('GET', '/operator/v1/ledger/check')).body.problems).toEqual([])
  const tables = {}
  for (const table of TABLES) tables[table] = await rows(`select * from ${table} order by 1`)
  const bank = new DatabaseSync(join(home.settings.DATA_DIR, 'sandbox-gateway.db'))
  for (const table of ['payment', 'refund', 'payout'])
    tables[`bank ${table}`] = bank.prepare(`select * from ${table} order by 1`).all()
  bank.close()
  writeFileSync(`${process.env.UPGRADE_ROWS}/0134.${engine}.rows`, textOf(tables))
})

/** A line for each row, with the names of the columns in the first. */
function textOf(tables) {
  const parts = Object.entries(tables).map(([table, found]) => {
    const columns = Object.keys(found[0] ?? {}).filter((column) => found.some((row) => row[column] !== null))
    const lines = [columns, ...found.map((row) => columns.map((column) => row[column]))]
    return `${JSON.stringify(table)}: [\n${lines.map((line) => JSON.stringify(line)).join(',\n')}\n]`
  })
  return `{\n"now": ${now},\n${parts.join(',\n')}\n}\n`
}
