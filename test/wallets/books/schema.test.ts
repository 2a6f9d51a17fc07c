// What the schema refuses, whoever asks and whatever the code does: each trigger, check and unique index of money. Each statement below is
// wrong for one reason only, so that it would succeed without its guard.

import { describe, expect, test } from 'vitest'
import { refund, spend, sweepUntilRefunds, tell } from '../../harness/refunds.ts'
import { engine, type Json, useService } from '../../harness/service.ts'
import { addCard, HOLDER } from '../../harness/wallets.ts'
import {
  anotherOperator,
  type Player,
  payIn,
  player,
  rows,
  sweepUntilPaid,
  win,
  withdrawn,
} from '../../harness/withdrawals.ts'

const service = useService({ REFUND_FOUR_EYES_ABOVE: '5.00', WITHDRAWAL_APPROVED_UP_TO: '30.00' })

/** Of a customer with 20.00 paid in and 40.00 won. */
let customer: Player
let card = 0
const id = { deposit: '', waiting: '', paid: '', waitingRefund: '', doneRefund: '', dispute: '', card: 0 }

test('first, a customer with one of each', async () => {
  customer = await player(service, { amount: '20.00' }, { amount: '20.00' }, { amount: '20.00' })
  card = customer.cards[0] as number
  await win(service, customer, '40.00')
  const [, refunded, disputed] = (
    await service.operator('GET', `/operator/v1/deposits?customerId=${customer.id}`)
  ).body.items
    .map(({ paymentId }: { paymentId: string }) => paymentId)
    .toReversed() as [string, string, string]
  const { ticket } = customer
  // Refunds: one is done, one waits for a second person.
  const done = (await refund(service, refunded, '4.00')).body.id
  await sweepUntilRefunds(service, refunded, ['DONE'])
  const waitingRefund = (await refund(service, refunded, '6.00')).body.id
  // Withdrawals: one was paid, one waits.
  const paid = await withdrawn(service, { ticket, card, amount: '20.00' })
  await sweepUntilPaid(service, paid)
  await tell(service, disputed, 'CHARGEBACK', '25.00')
  const [dispute] = await rows(service, `select id from dispute where deposit_id = '${disputed}'`)
  const fresh = await addCard(service, { id: customer.id }, { holder: HOLDER, max: '5000.00' })
  await payIn(service, customer, fresh, '20.00')
  const waiting = await withdrawn(service, { ticket, card: fresh, amount: '19.00' })
  Object.assign(id, {
    deposit: refunded,
    waiting,
    paid,
    waitingRefund,
    doneRefund: done,
    dispute: dispute?.id,
    card: fresh,
  })
  const [state] = await rows(service, `select state from withdrawal where id = ${waiting}`)
  expect(state).toEqual({ state: 'REQUESTED' })
})

const run = (sql: string) => service.context.database.script(sql)

/** The insertion of a row once more, with other values for some columns. */
async function copyOf(table: string, where: string, changes: Record<string, string>): Promise<string> {
  const [row] = await rows(service, `select * from ${table} where ${where} order by id limit 1`)
  const { id: _, number: __, ...values } = row as Json
  const literal = (value: Json) =>
    value === null
      ? 'null'
      : typeof value === 'string' && !/^-?[0-9]+$/.test(value)
        ? `'${value.replaceAll("'", "''")}'`
        : `${value}`
  const all = {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, literal(value)])),
    ...changes,
  }
  return `insert into ${table} (${Object.keys(all).join(', ')}) values (${Object.values(all).join(', ')})`
}

type Guarded = Readonly<Record<string, () => string | Promise<string>>>

async function refuseEach(guarded: Guarded): Promise<void> {
  for (const [what, statement] of Object.entries(guarded)) {
    await expect(run(await statement()), `${what} on ${engine}`).rejects.toThrow()
  }
}

test('of customers and cards', async () => {
  await refuseEach({
    'another currency of a customer with money': () => `update customer set currency = 'EUR' where id = ${customer.id}`,
    'another token of a card that has paid in': () =>
      `update payment_method set token = 'sandbox:decline' where id = ${card}`,
    'another number of it': () => `update payment_method set card_number = '555555******4444' where id = ${card}`,
  })
})

test('of deposits', async () => {
  const change = (set: string) => () => `update deposit set ${set} where id = '${id.deposit}'`
  await refuseEach({
    'more captured than the deposit': change('captured = amount + 1'),
    'less than nothing captured': change('captured = -1'),
    'a move that its machine does not have': change(`state = 'AUTHORISED'`),
    'other terms': change('amount = 1'),
  })
})

describe('of withdrawals and their parts', () => {
  const change = (set: string) => () => `update withdrawal set ${set} where id = ${id.waiting}`
  const changePart =
    (set: string, withdrawal: 'waiting' | 'paid' = 'waiting') =>
    () =>
      `update withdrawal_part set ${set} where withdrawal_id = ${id[withdrawal]}`
  const copyOfPart = (changes: Record<string, string>) => () =>
    copyOf('withdrawal_part', `withdrawal_id = ${id.waiting}`, { reference: `'another'`, ...changes })

  test('terms, moves and approvals', async () => {
    const twoPersons = `approved_by = 'a', approved_person = 'a', approved_again_by = 'b', approved_again_person`
    await refuseEach({
      'other terms': change('payment_method_id = null'),
      'a move that its machine does not have': change(`state = 'SENDING'`),
      'the same person twice': change(`${twoPersons} = 'a'`),
      'an approval without a person': change(`approved_by = 'a'`),
      'a second approval without a person': change(`approved_by = 'a', approved_person = 'a', approved_again_by = 'b'`),
      'a request by an operator without a person': () =>
        copyOf('withdrawal', `id = ${id.waiting}`, {
          ...{ reference: `'another'`, api_key: 'null', requested_by: `'a'` },
        }),
      'an unknown hold': change(`hold = 'nobody'`),
      'other terms of a part': changePart('amount = 1'),
      'a move that a part does not have': changePart(`state = 'WAITING', paid = 0, begun_at = null`, 'paid'),
      'a part that is not approved': changePart(`state = 'SENDING', begun_at = 1`),
      'a part that is not approved, paid': changePart(`state = 'PAID', paid = amount`),
      'a part by no kind': copyOfPart({ kind: `'elsewhere'` }),
    })
  })

  test('a part that is approved, and held', async () => {
    await run(`update withdrawal set approved_by = 'a', approved_person = 'a', approved_again_by = 'b', approved_again_person = 'b',
      hold = 'card', hold_reason = 'why' where id = ${id.waiting}`)
    await refuseEach({ 'a part that is held': changePart(`state = 'SENDING', begun_at = 1`) })
    await run(`update withdrawal set approved_by = null, approved_person = null, approved_again_by = null, approved_again_person = null,
      hold = null where id = ${id.waiting}`)
  })

  test('sums', async () => {
    await refuseEach({
      'more paid and returned than the part': copyOfPart({ paid: '999999999', state: `'SENDING'` }),
      'paid, and not all of it': changePart('paid = paid - 1', 'paid'),
      'waiting, and paid': changePart('paid = 1'),
      'waiting, and returned': changePart('returned = 1'),
      'waiting, and begun': changePart('begun_at = 1'),
      'less than nothing paid': copyOfPart({ paid: '-1', state: `'SENDING'` }),
      'less than nothing returned': copyOfPart({ returned: '-1', state: `'SENDING'` }),
      'in review without a reason': copyOfPart({ state: `'REVIEW'` }),
      'something kept back beside a review': changePart('kept_back = 1', 'paid'),
      'less than nothing kept back': copyOfPart({ kept_back: '-1', state: `'REVIEW'`, review: `'unresolved'` }),
      'a return of no deposit': copyOfPart({ kind: `'return'`, deposit_id: 'null' }),
      'freed winnings': copyOfPart({ kind: `'payout'`, deposit_id: 'null', freed: '1' }),
      'a reference twice': () => copyOf('withdrawal_part', `withdrawal_id = ${id.waiting}`, {}),
    })
  })

  test('they are kept', async () => {
    await run(`delete from job where part_id is not null`)
    const withoutParts = await copyOf('withdrawal', `id = ${id.waiting}`, {
      reference: `'bare'`,
      idempotency_key: 'null',
    })
    await run(withoutParts)
    const bare = await copyOfPart({ reference: `'bare'` })()
    await run(bare)
    await refuseEach({
      'a withdrawal that is deleted': () => `delete from withdrawal where reference = 'bare'`,
      'a part that is deleted': () => `delete from withdrawal_part where reference = 'bare'`,
      'an event that is deleted': () => 'delete from withdrawal_event',
    })
  })
})

test('of refunds', async () => {
  const change =
    (set: string, which: 'waitingRefund' | 'doneRefund' = 'waitingRefund') =>
    () =>
      `update refund set ${set} where id = ${id[which]}`
  const copy = (changes: Record<string, string>) => () =>
    copyOf('refund', `id = ${id.doneRefund}`, { reference: `'another'`, gateway_reference: 'null', ...changes })
  await refuseEach({
    'other terms': change(`currency = 'EUR'`),
    'a move that its machine does not have': change(`state = 'SENT'`, 'doneRefund'),
    'one that is not approved, sent': change(`state = 'SENT'`),
    'one that is not approved, begun': change('begun_at = 1'),
    'approved by who requested it': change(`approved_by = 'x', approved_person = requested_person`),
    'approved by no person': change(`approved_by = 'x'`),
    'more paid and returned than the refund': copy({ paid: '999999999', state: `'SENT'` }),
    'done, and not all of it': change('paid = paid - 1', 'doneRefund'),
    'more debited than the refund': change('debited = amount + 1', 'doneRefund'),
    'in review without a reason': copy({ state: `'REVIEW'` }),
    'something kept back beside a review': change('kept_back = 1', 'doneRefund'),
    'the return of no part': copy({ origin: `'withdrawal'` }),
    'of an unknown origin': copy({ origin: `'elsewhere'` }),
    'a reference twice': () => copyOf('refund', `id = ${id.doneRefund}`, {}),
  })
  await run(await copy({ reference: `'bare'` })())
  await refuseEach({ 'one that is deleted': () => `delete from refund where reference = 'bare'` })
})

test('of disputes', async () => {
  const change = (set: string) => () => `update dispute set ${set} where id = ${id.dispute}`
  await refuseEach({
    'other terms': change(`gateway_reference = 'another'`),
    'a move that its machine does not have': change(`state = 'OPENED'`),
    'less than nothing debited': change('debited = -1'),
    'less than nothing for the house': change('house = -1'),
    'a step that is changed': () => `update dispute_event set amount = 1 where dispute_id = ${id.dispute}`,
    'a step that is applied again': () => copyOf('dispute_event', `dispute_id = ${id.dispute}`, {}),
    'a second one with its reference': () => copyOf('dispute', `id = ${id.dispute}`, {}),
  })
  await run(
    await copyOf('dispute', `id = ${id.dispute}`, {
      gateway_reference: `'bare'`,
      charged: '0',
      debited: '0',
      house: '0',
    }),
  )
  await refuseEach({ 'one that is deleted': () => `delete from dispute where gateway_reference = 'bare'` })
  await run(`insert into dispute_event (dispute_id, notification_key, event, amount, at)
    select id, 'bare', 'ISSUER_COMMENTS', 1, 1 from dispute where gateway_reference = 'bare'`)
  await refuseEach({ 'a step that is deleted': () => `delete from dispute_event where notification_key = 'bare'` })
})

test('of transfers: each kind once for a cause', async () => {
  const again = (column: string, kind: string) => () =>
    copyOf('transfer', `${column} is not null and kind = '${kind}'`, {
      line: 'null',
      customer_account_id: 'null',
      balance_after: 'null',
    })
  await refuseEach({
    'of a deposit': again('deposit_id', 'capture'),
    'of a refund': again('refund_id', 'refund'),
    'of a part': again('part_id', 'return_paid'),
    'of a step of a dispute': again('dispute_event_id', 'chargeback_house'),
    'a kind that its source does not have': () =>
      copyOf('transfer', `part_id is not null and kind = 'return_paid'`, { kind: `'capture'` }),
  })
})

test('of debts that were written off', async () => {
  const { id: debtor } = await player(service, { amount: '20.00' })
  expect(await spend(service, debtor, '20.00')).toBe(true)
  const [deposited] = await rows(service, `select id from deposit where customer_id = ${debtor}`)
  await tell(service, deposited?.id, 'CHARGEBACK')
  const body = { amount: '5.00', note: 'cannot be collected' }
  const path = `/operator/v1/customers/${debtor}/debt-write-offs`
  expect((await service.operator('POST', path, body)).status).toBe(200)
  expect((await service.operator('POST', path, body, await anotherOperator(service))).status).toBe(201)
  await refuseEach({
    'one that is changed': () => 'update debt_write_off set amount = 1',
    'one of nothing': () => copyOf('debt_write_off', `customer_id = ${debtor}`, { amount: '0' }),
    'paid twice': () => copyOf('transfer', 'write_off_id is not null', {}),
  })
  await run(await copyOf('debt_write_off', `customer_id = ${debtor}`, { note: `'bare'` }))
  await refuseEach({ 'one that is deleted': () => `delete from debt_write_off where note = 'bare'` })
})

test('of what waits: one job for each, one proposal for each, an outcome for each', async () => {
  const other = await player(service, { amount: '20.00' })
  const [deposited] = await rows(service, `select id from deposit where customer_id = ${other.id}`)
  const paymentId = deposited?.id as string
  const job = (column: string, value: string, kind: string) =>
    `insert into job (${column}, kind, run_at, created_at) values (${value}, '${kind}', 4102444800000, 1)`
  const [part] = await rows(service, `select id from withdrawal_part where withdrawal_id = ${id.paid}`)
  for (const one of [
    job('deposit_id', `'${paymentId}'`, 'book'),
    job('refund_id', id.doneRefund, 'refund'),
    job('part_id', part?.id, 'part'),
  ]) {
    await run(one)
    await refuseEach({ 'a second job': () => one })
  }
  await run(`delete from job where run_at = 4102444800000`)
  await refuseEach({
    'a job of a part with a deposit': () => job('deposit_id', `'${paymentId}'`, 'part'),
    'a job of a refund with a part': () => job('part_id', part?.id, 'refund'),
    'a job of a deposit with a refund': () => job('refund_id', id.doneRefund, 'book'),
  })
  const proposal = `insert into money_proposal (subject, customer_id, terms, note, by_name, by_person, at)
    values ('deposit x', ${other.id}, 'captured', '', 'a', 'a', 1)`
  await run(proposal)
  await refuseEach({ 'a second proposal': () => proposal })
  await run(`delete from money_proposal where subject = 'deposit x'`)
  await refuseEach({
    'a notification twice': () => copyOf('gateway_notification', `gateway = 'sandbox'`, {}),
    'one without an outcome': () =>
      copyOf('gateway_notification', `gateway = 'sandbox'`, { notification_key: `'another'`, outcome: `'nothing'` }),
  })
})
