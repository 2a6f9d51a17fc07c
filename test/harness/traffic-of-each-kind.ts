// Some of everything that the service measures, so that each of its metrics has a value.

import { expect } from 'vitest'
import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import { challengedDepositor, finishChallenge, registerReturnAddresses } from './challenges.ts'
import { listen } from './event-source.ts'
import { wallet } from './limits.ts'
import { captured, refund, sweepUntilRefunds, unappliedNotification } from './refunds.ts'
import type { TestService } from './service.ts'
import { newMatch, newTip } from './sportsbook.ts'
import { addCard, deposit, newDepositor, paidOrFaultCode } from './wallets.ts'
import { newWebhook, startReceiver, untilReceived } from './webhooks.ts'
import { reviewedWithdrawal, waitingWithdrawal, win } from './withdrawals.ts'

/** What it leaves open for the metrics' sake is closed by what it returns. */
export async function trafficOfEachKind(service: TestService): Promise<{ close(): Promise<void> }> {
  const receiver = await startReceiver()
  await newWebhook(service, receiver.url)
  await service.call('GET', '/v1/profiles/1000000')
  await money(service)
  await limitsAndExclusions(service)
  await heldTip(service)
  const stream = await streams(service)
  await untilReceived(receiver, 1)
  return {
    async close() {
      stream.close()
      await receiver.close()
    },
  }
}

async function money(service: TestService): Promise<void> {
  await registerReturnAddresses(service)
  const { ticket, paymentId } = await challengedDepositor(service)
  await finishChallenge(service, { ticket, paymentId, result: 'none' })
  // Its lease ends while the withdrawal after it waits for its review.
  await challengedDepositor(service)
  await reviewedWithdrawal(service)
  const { customer } = await waitingWithdrawal(service)
  await win(service, customer, '5.00')
  const refused = await newDepositor(service, { token: 'sandbox:decline' })
  expect(paidOrFaultCode(await deposit(service, refused))).not.toBe('paid')
  const { paymentId: refunded } = await captured(service)
  expect((await refund(service, refunded, '5.00')).status).toBe(201)
  await sweepUntilRefunds(service, refunded, ['DONE'])
  await unappliedNotification(service)
}

async function limitsAndExclusions(service: TestService): Promise<void> {
  const { id } = await service.customer()
  const ticket = (await service.context.sessions?.issue(id, DAY_MS))?.ticket as string
  const method = await addCard(service, { id })
  await wallet(service, ticket, 'PUT', 'limits/day?amount=10.00')
  expect(paidOrFaultCode(await deposit(service, { ticket, method, amount: '20.00' }))).not.toBe('paid')
  await wallet(service, ticket, 'PUT', 'time-out?hours=24')
}

async function heldTip(service: TestService): Promise<void> {
  const settings = '/operator/v1/moderation/settings'
  const { labels, groups } = (await service.operator('GET', settings)).body
  const rules = { links: null, words: ['sure thing'], rate: null }
  await service.operator('PUT', settings, { labels, groups, rules })
  const [outcome] = await newMatch(service)
  const tip = await newTip(service, await service.member(), Number(outcome?.id), { text: 'A sure thing' })
  const decided = await service.operator('POST', `/operator/v1/moderation/comments/${tip}`, { action: 'publish' })
  expect(decided.status).toBe(200)
}

/** One has ended, and one is open. */
async function streams(service: TestService): Promise<{ close(): void }> {
  const { ticket } = await service.member()
  const [ended, open] = [listen(service.publicUrl, { ticket }), listen(service.publicUrl, { ticket })]
  await Promise.all([ended.greeted(), open.greeted()])
  ended.close()
  return open
}
