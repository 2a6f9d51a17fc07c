// What a cashier decides, and what a cashier-lead does.

import { beforeAll, expect, test } from 'vitest'
import { newReference } from '../../harness/movements.ts'
import { operatorNamed, type TestOperator } from '../../harness/operators.ts'
import { captured } from '../../harness/refunds.ts'
import { useService } from '../../harness/service.ts'
import { ledgerProblems } from '../../harness/wallets.ts'
import { player, sweepUntilPaid, waitingWithdrawal } from '../../harness/withdrawals.ts'

const service = useService({ REFUND_FOUR_EYES_ABOVE: '10.00' })
const cashiers: TestOperator[] = []
let lead: TestOperator

beforeAll(async () => {
  for (const name of ['Cash', 'Carry']) cashiers.push(await operatorNamed(service, name, 'cashier'))
  lead = await operatorNamed(service, 'Lea', 'cashier-lead')
})

const ofTwo = () => cashiers as [TestOperator, TestOperator]

test('the first approval is a cashier’s, the second a cashier-lead’s', async () => {
  const [cash, carry] = ofTwo()
  const { id } = await waitingWithdrawal(service)
  const path = `/operator/v1/withdrawals/${id}`
  expect((await carry('GET', path)).body.waitsFor).toBe('me')
  expect((await cash('POST', `${path}/approval`)).body).toMatchObject({
    state: 'REQUESTED',
    waitsFor: 'another person',
  })
  expect((await carry('GET', path)).body.waitsFor).toBe('another person')
  const second = await carry('POST', `${path}/approval`)
  expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining('cashier-lead or admin')])
  expect((await lead('GET', path)).body.waitsFor).toBe('me')
  expect((await lead('POST', `${path}/approval`)).body).toMatchObject({
    state: 'APPROVED',
    approvedBy: [/Cash/, /Lea/].map((name) => expect.stringMatching(name)),
  })
  await sweepUntilPaid(service, id)
  expect(await ledgerProblems(service)).toEqual([])
})

test('who requests for a customer is the first: another cashier cannot approve it', async () => {
  const [cash, carry] = ofTwo()
  const { id: customerId, cards } = await player(service, {})
  const order = { amount: '5.00', paymentMethodId: `${cards[0]}`, reason: 'Asked by phone' }
  const requested = await cash('POST', `/operator/v1/customers/${customerId}/withdrawals`, order)
  expect([requested.status, requested.body.waitsFor]).toEqual([201, 'another person'])
  const path = `/operator/v1/withdrawals/${requested.body.id}`
  for (const one of [cash, carry]) expect((await one('POST', `${path}/approval`)).status).toBe(409)
  expect((await lead('POST', `${path}/approval`)).body.state).toBe('APPROVED')
})

test('a cashier refunds up to the rule; above it a cashier-lead approves', async () => {
  const [cash, carry] = ofTwo()
  const { paymentId } = await captured(service)
  const refund = (amount: string) =>
    cash('POST', `/operator/v1/deposits/${paymentId}/refunds`, { amount, reason: newReference() })
  expect((await refund('10.00')).body).toMatchObject({ waitsFor: null })
  const above = (await refund('0.01')).body
  expect(above).toMatchObject({ state: 'REQUESTED', waitsFor: 'another person' })
  const approval = `/operator/v1/refunds/${above.id}/approval`
  expect((await carry('POST', approval)).status).toBe(403)
  expect((await lead('POST', approval)).status).toBe(200)
})

test('cashiers create no tokens and erase nobody', async () => {
  const { id } = await service.customer()
  for (const one of [...cashiers, lead]) {
    const token = await one('POST', '/operator/v1/tokens', { name: newReference(), role: 'cashier', owner: 'Dora' })
    expect(token.status).toBe(403)
    expect((await one('DELETE', `/operator/v1/customers/${id}/personal-data`)).status).toBe(403)
  }
})
