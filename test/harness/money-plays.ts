// The plays of money that goes back (writing-plays.ts).

import { sweep } from '../../src/wallets/sweeper.ts'
import type { TestService } from './service.ts'
import { addCard, deposit } from './wallets.ts'
import { expectAnswer, operate, type Play, type Side, send } from './writing-world.ts'

const secondTokens = new WeakMap<TestService, string>()

/** Of an operator who may approve what the tests' own requests. */
async function secondToken(service: TestService): Promise<string> {
  const known = secondTokens.get(service)
  if (known !== undefined) return known
  const created = await service.operator('POST', '/operator/v1/tokens', { name: 'second', role: 'admin' })
  secondTokens.set(service, created.body.token)
  return created.body.token
}

/** A captured deposit; undefined: it was refused. */
async function paid(side: Side, card = side.me.card): Promise<string | undefined> {
  const reply = await deposit(side.service, { ticket: side.me.ticket, method: card, amount: '20.00' })
  expectAnswer(side.world, 'deposit', reply.status, reply.text)
  await sweep(side.service.context)
  return reply.json().whoWallets?.paymentId
}

export const moneyPlays: Record<string, Play> = {
  refunds: {
    operations: ['refundDeposit', 'approveRefund', 'refuseRefund', 'resolveRefund'],
    async run(side) {
      const paymentId = await paid(side)
      if (paymentId === undefined) return
      const refund = (amount: string) =>
        operate(side, 'POST', `/deposits/${paymentId}/refunds`, { amount, reason: 'asked for it' })
      await refund('2.00')
      await sweep(side.service.context)
      const approved = (await refund('6.00')).body.id
      if (approved !== undefined) {
        const token = await secondToken(side.service)
        const path = `/operator/v1/refunds/${approved}/approval`
        const { status, body } = await side.service.operator('POST', path, undefined, token)
        expectAnswer(side.world, path, status, body)
        await sweep(side.service.context)
      }
      const refused = (await refund('7.00')).body.id
      if (refused !== undefined) await operate(side, 'POST', `/refunds/${refused}/refusal`, { reason: 'no' })
      const slow = (await refund('3.00')).body.id
      if (slow === undefined) return
      // As if the gateway had only received it.
      await side.service.context.database.script(
        `update refund set state = 'REVIEW' where id = ${Number(slow)} and state = 'REQUESTED'`,
      )
      if ((await stateOf(side, paymentId, slow)) !== 'REVIEW') return
      await operate(side, 'POST', `/refunds/${slow}/resolution`, { outcome: 'failed', note: 'looked up' })
    },
  },
  disputes: {
    operations: ['sendSandboxNotification'],
    async run(side) {
      const paymentId = await paid(side)
      if (paymentId === undefined) return
      for (const event of [
        'NOTIFICATION_OF_CHARGEBACK',
        'CHARGEBACK',
        'REFUND',
        'CHARGEBACK_REVERSED',
        'REFUND_FAILED',
      ]) {
        await operate(side, 'POST', '/sandbox/disputes', { paymentId, event, amount: '15.00' })
        await sweep(side.service.context)
      }
    },
  },
}

/** Money that goes out (withdrawals). */
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
      const card = await addCard(service, me)
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
      const path = `/operator/v1/withdrawals/${approved}/approval`
      const { status, body } = await service.operator('POST', path, undefined, await secondToken(service))
      expectAnswer(side.world, path, status, body)
      // As if the gateway had not answered.
      await service.context.database.script(
        `delete from job where withdrawal_id = ${approved};
         update withdrawal set state = 'SENDING' where id = ${approved} and state = 'APPROVED';
         update withdrawal set state = 'REVIEW', review = 'payout-unresolved' where id = ${approved} and state = 'SENDING'`,
      )
      await operate(side, 'POST', `/withdrawals/${approved}/resolution`, { outcome: 'returned', note: 'looked up' })
    },
  },
}

async function stateOf(side: Side, paymentId: string, id: string): Promise<string | undefined> {
  const { items } = (await operate(side, 'GET', `/deposits/${paymentId}/refunds`)).body
  return items.find((one: { id: string }) => one.id === id)?.state
}
