// A refund that waits while its deposit's money goes another way. Amounts by hand.

import { expect, test } from 'vitest'
import { captured, moneyOf, refund, refundStates } from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'
import { ledgerProblems } from '../../harness/wallets.ts'
import { anotherOperator } from '../../harness/withdrawals.ts'

const service = useService({ REFUND_FOUR_EYES_ABOVE: '50.00' })

test.each([
  ['a dispute is opened', 'NOTIFICATION_OF_CHARGEBACK', [10000n, 0n], ['FAILED']],
  ['a chargeback', 'CHARGEBACK', [0n, 0n], ['FAILED']],
  ['a refund of the back office', 'REFUND', [0n, 0n], ['FAILED', 'DONE']],
] as const)('%s: it comes back, and nobody can approve it', async (_, event, money, states) => {
  const customer = await captured(service, 'sandbox:approve', '100.00')
  const { id } = (await refund(service, customer.paymentId, '60.00')).body
  expect(await moneyOf(service, customer)).toEqual([4000n, 0n])
  const body = { paymentId: customer.paymentId, event, amount: '100.00' }
  const more = event === 'REFUND' ? { gatewayReference: 'made-by-somebody' } : {}
  const told = await service.operator('POST', '/operator/v1/sandbox/disputes', { ...body, ...more })
  expect(told.status).toBe(200)
  expect(await refundStates(service, customer.paymentId)).toEqual(states)
  expect(await moneyOf(service, customer)).toEqual(money)
  const token = await anotherOperator(service)
  const approval = await service.operator('POST', `/operator/v1/refunds/${id}/approval`, undefined, token)
  expect(approval.status).toBe(409)
  expect(await ledgerProblems(service)).toEqual([])
})
