// The plays of money that goes back, goes out or is decided by two persons (writing-plays.ts).

import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { lockWithdrawal } from '../../src/wallets/withdrawals/store.ts'
import { operatorNamed, type TestOperator } from './operators.ts'
import { debtor } from './refunds.ts'
import type { Json, TestService } from './service.ts'
import { addCard, deposit, HOLDER } from './wallets.ts'
import { paidOutside, win } from './withdrawals.ts'
import { expectAnswer, operate, type Play, type Side, send } from './writing-world.ts'

const seconds = new WeakMap<TestService, Promise<TestOperator>>()

/** By another person than the tests' own operator. */
async function confirm({ service, world }: Side, method: string, path: string, body?: object): Promise<void> {
  const second = seconds.get(service) ?? operatorNamed(service, 'second')
  seconds.set(service, second)
  const reply = await (await second)(method, `/operator/v1${path}`, body)
  expectAnswer(world, `${method} ${path}`, reply.status, reply.body)
}

/** Both persons make the same call. */
async function decideTwice(side: Side, path: string, body: object): Promise<void> {
  await operate(side, 'POST', path, body)
  await confirm(side, 'POST', path, body)
}

/** A captured deposit; undefined: it was refused. */
async function paid(side: Side, card = side.me.card): Promise<string | undefined> {
  const reply = await deposit(side.service, { ticket: side.me.ticket, method: card, amount: '20.00' })
  expectAnswer(side.world, 'deposit', reply.status, reply.text)
  await sweep(side.service.context)
  return reply.json().whoWallets?.paymentId
}

/** undefined: it was refused, because another play has closed a card with the same number. */
function newCard({ service, me, world }: Side, options: { token?: string } = {}): Promise<number | undefined> {
  return addCard(service, me, options).catch((error) => {
    if (!world.refusals) throw error
    return undefined
  })
}

export const moneyPlays: Record<string, Play> = {
  refunds: {
    operations: ['refundDeposit', 'approveRefund', 'refuseRefund', 'resolveRefund'],
    async run(side) {
      const { service } = side
      // The bank only receives its refunds.
      const slow = await newCard(side, { token: 'sandbox:refund-slow' })
      const paymentId = slow && (await paid(side, slow))
      if (paymentId === undefined) return
      const refund = async (amount: string): Promise<string | undefined> =>
        (await operate(side, 'POST', `/deposits/${paymentId}/refunds`, { amount, reason: 'asked for it' })).body.id
      await refund('2.00')
      const [approved, refused] = [await refund('6.00'), await refund('7.00')]
      if (refused !== undefined) await operate(side, 'POST', `/refunds/${refused}/refusal`, { reason: 'no' })
      if (approved === undefined) return
      await confirm(side, 'POST', `/refunds/${approved}/approval`)
      await sweep(service.context)
      await sweep(service.context)
      const { items } = (await operate(side, 'GET', `/deposits/${paymentId}/refunds`)).body
      if (items.find(({ id }: Json) => id === approved)?.state !== 'SENT') return
      await operate(side, 'POST', `/refunds/${approved}/resolution`, { outcome: 'failed', note: 'looked up' })
    },
  },
  disputes: {
    operations: ['sendSandboxNotification', 'endDispute', 'withdrawMoneyProposal', 'settleNotification'],
    async run(side) {
      const paymentId = await paid(side)
      if (paymentId === undefined) return
      const report = async (event: string, more: object = {}) =>
        (await operate(side, 'POST', '/sandbox/disputes', { paymentId, event, amount: '15.00', ...more })).body
      for (const event of ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'REFUND', 'REFUND_FAILED']) {
        await report(event)
        await sweep(side.service.context)
      }
      const { items } = await report('CHARGEBACK_REVERSED')
      if (items === undefined) return
      const end = `/disputes/${items[0].id}/end`
      await operate(side, 'POST', end, { note: 'asked the bank' })
      const proposals = (await operate(side, 'GET', '/money-proposals?limit=100')).body.items as Json[]
      const own = proposals.find(({ kind, subject }) => kind === 'dispute' && subject === items[0].id)
      if (own !== undefined) await operate(side, 'DELETE', `/money-proposals/${own.id}`)
      await decideTwice(side, end, { note: 'asked the bank' })
      await report('REFUND_FAILED', { gatewayReference: `nobody-${paymentId}`, amount: '1.23' })
      const waiting = (await operate(side, 'GET', '/notifications/unapplied?limit=100')).body.items as Json[]
      const unapplied = waiting.find(({ reference }) => reference === paymentId)
      if (unapplied === undefined) return
      await operate(side, 'POST', `/notifications/unapplied/${unapplied.id}/settlement`, { note: 'asked the bank' })
    },
  },
  changedCards: {
    operations: ['putPaymentMethod', 'removePaymentMethod', 'closePaymentMethod', 'reopenPaymentMethod'],
    async run(side) {
      // While a withdrawal to it waits.
      const { service, me } = side
      const card = await newCard(side)
      if (card === undefined) return
      if ((await paid(side, card)) === undefined) return
      const body = { amount: '3.00', paymentMethodId: `${card}`, reason: 'asked' }
      await operate(side, 'POST', `/customers/${me.id}/withdrawals`, body)
      await addCard(service, me, { id: card, holder: HOLDER }).catch(() => {})
      const path = `/customers/${me.id}/payment-methods/${card}`
      await operate(side, 'POST', `${path}/closure`, { reason: 'reported stolen' })
      await operate(side, 'DELETE', `${path}/closure`)
      await operate(side, 'DELETE', path)
    },
  },
  closedAccounts: {
    operations: ['recordAccountClosure'],
    async run(side) {
      const card = await newCard(side)
      if (card === undefined) return
      if (side.world.refusals) await paid(side, card)
      const path = `/customers/${side.me.id}/payment-methods/${card}/account-closure`
      await decideTwice(side, path, { note: 'letter of the bank' })
    },
  },
}

/** The player whom other plays change meanwhile, and who can be refused. */
const shared = ({ world, me }: Side) => (world.refusals ? [me.id] : [])

let payments = 0

/** Money that goes out. */
export const payoutPlays: Record<string, Play> = {
  withdrawals: {
    operations: [
      'makeWithdrawal',
      'requestWithdrawal',
      'approveWithdrawal',
      'refuseWithdrawal',
      'holdWithdrawal',
      'releaseWithdrawal',
      'resolveWithdrawal',
    ],
    async run(side) {
      const { service, me } = side
      // A card of its own, which no other play closes.
      const card = await newCard(side)
      if (card === undefined) return
      if ((await paid(side, card)) === undefined) return
      const made = await send(side, 'POST', `/v1/wallets/me/withdrawals?amount=2.00&id=${card}`)
      expectAnswer(side.world, 'withdrawal', made.status, made.text)
      await sweep(service.context)
      const request = async () => {
        const body = { amount: '3.00', paymentMethodId: `${card}`, reason: 'asked' }
        return (await operate(side, 'POST', `/customers/${me.id}/withdrawals`, body)).body.id as string | undefined
      }
      const [approved, refused] = [await request(), await request()]
      if (approved === undefined || refused === undefined) return
      await operate(side, 'PUT', `/withdrawals/${refused}/hold`, { reason: 'wait' })
      await operate(side, 'DELETE', `/withdrawals/${refused}/hold`)
      await operate(side, 'POST', `/withdrawals/${refused}/refusal`, { reason: 'no' })
      await confirm(side, 'POST', `/withdrawals/${approved}/approval`)
      await asIfUnanswered(service, approved)
      if ((await operate(side, 'GET', `/withdrawals/${approved}`)).body.state !== 'REVIEW') return
      await operate(side, 'POST', `/withdrawals/${approved}/resolution`, { outcome: 'returned', note: 'looked up' })
    },
  },
  outside: {
    operations: ['recordOutsidePayment', 'recordOutsideReturn'],
    async run(side) {
      const { id } = await side.service.customer()
      await win(side.service, { id }, '5.00')
      for (const customerId of [id, ...shared(side)]) {
        const body = { amount: '5.00', bankReference: `FT-${++payments}`, note: 'paid by the bank' }
        await decideTwice(side, `/customers/${customerId}/outside-payments`, body)
      }
      await decideTwice(side, `/withdrawals/${await paidOutside(side.service)}/outside-return`, { note: 'came back' })
    },
  },
  debts: {
    operations: ['writeOffDebt'],
    async run(side) {
      const { id } = await debtor(side.service)
      for (const customerId of [id, ...shared(side)])
        await decideTwice(side, `/customers/${customerId}/debt-write-offs`, { amount: '5.00', note: 'has died' })
    },
  },
}

/** The gateway was called for its parts. */
async function asIfUnanswered({ context }: TestService, id: string): Promise<void> {
  await context.database.transaction(async (tx) => {
    await tx.one(lockWithdrawal, { id: Number(id) })
    await tx.script(
      `delete from job where part_id in (select id from withdrawal_part where withdrawal_id = ${id});
       update withdrawal_part set state = 'SENDING', begun_at = 1 where withdrawal_id = ${id} and state = 'WAITING';
       update withdrawal_part set state = 'REVIEW', review = 'unresolved' where withdrawal_id = ${id} and state = 'SENDING';
       update withdrawal set state = 'SENDING' where id = ${id} and state = 'APPROVED';
       update withdrawal set state = 'REVIEW' where id = ${id} and state = 'SENDING'`,
    )
  })
}
