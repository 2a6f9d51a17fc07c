// Refunds, chargebacks and stakes of one customer at the same time: nobody has more than the money adds up to.

import { expect, test } from 'vitest'
import { sweep } from '../../../src/wallets/sweep/sweeper.ts'
import {
  captured,
  moneyOf,
  refund,
  refundStates,
  refundsOf,
  spend,
  sweepUntilRefunds,
  tell,
} from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'
import { ledgerProblems } from '../../harness/wallets.ts'

const service = useService()

test('refunds of one deposit at once are made as far as it goes', async () => {
  const customer = await captured(service)
  const replies = await Promise.all(Array.from({ length: 6 }, () => refund(service, customer.paymentId, '15.00')))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
  await Promise.all([sweep(service.context), sweep(service.context), sweep(service.context)])
  await sweepUntilRefunds(service, customer.paymentId, ['DONE'])
  expect(await moneyOf(service, customer)).toEqual([500n, 0n])
  expect(await ledgerProblems(service)).toEqual([])
})

test('a refund and a chargeback at once: one that was not sent comes back, else both add up', async () => {
  for (let round = 0; round < 5; round++) {
    const customer = await captured(service)
    await Promise.all([
      refund(service, customer.paymentId, '15.00'),
      tell(service, customer.paymentId, 'CHARGEBACK', '12.00'),
      sweep(service.context),
    ])
    const isSent = (await refundStates(service, customer.paymentId)).some((state) => state !== 'FAILED')
    const worth = 2000n - 1200n - (isSent ? 1500n : 0n)
    expect(await moneyOf(service, customer)).toEqual(worth < 0n ? [0n, -worth] : [worth, 0n])
    const { returned } = await refundsOf(service, customer.paymentId)
    expect(returned).toBe(isSent ? '27.00' : '12.00')
  }
  expect(await ledgerProblems(service)).toEqual([])
})

test('chargebacks, their reversals and stakes at once leave neither a negative balance nor a lost debt', async () => {
  for (let round = 0; round < 5; round++) {
    const customer = await captured(service)
    const told = (event: string) => tell(service, customer.paymentId, event, '18.00')
    const [stakes] = await Promise.all([
      Promise.all(
        [3n, 5n, 7n, 9n].map(async (stake) => ((await spend(service, customer.id, `${stake}.00`)) ? stake * 100n : 0n)),
      ),
      told('CHARGEBACK'),
      told('CHARGEBACK_REVERSED'),
      told('CHARGEBACK'),
      told('SECOND_CHARGEBACK'),
    ])
    const worth = 2000n - 1800n - stakes.reduce((sum, stake) => sum + stake, 0n)
    expect(await moneyOf(service, customer)).toEqual(worth < 0n ? [0n, -worth] : [worth, 0n])
  }
  expect(await ledgerProblems(service)).toEqual([])
})
