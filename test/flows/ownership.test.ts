// What belongs to one customer, requested by another who knows its id.

import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'
import { newBet, newMatch, newTip, postTip, type TestOutcome } from '../harness/sportsbook.ts'
import { addCard, deposit } from '../harness/wallets.ts'

const service = useService()

test('a customer can neither change nor use what belongs to another', async () => {
  const [owner, other] = [await service.member(), await service.member()]
  const [first, second] = (await newMatch(service, { outcomes: 2 })) as [TestOutcome, TestOutcome]
  const method = await addCard(service, owner)
  const tip = await newTip(service, owner, first.id)
  const betId = await newBet(service, owner.id, [second.id])

  await service.call('PUT', `/v1/communities/comments/${tip}`, { ticket: other.ticket })
  expect((await service.call('GET', `/v1/communities/comments/${tip}`)).status).toBe(200)
  await service.call('PUT', `/v1/communities/comments/${tip}`, { ticket: owner.ticket })
  expect((await service.call('GET', `/v1/communities/comments/${tip}`)).text).toContain('30500')

  const onForeignBet = await postTip(service, other, second.id, { betId })
  expect(onForeignBet.text).toContain('betId')
  expect((await postTip(service, owner, second.id, { betId })).status).toBe(200)

  expect((await deposit(service, { ticket: other.ticket, method })).text).toContain('24001')
  const methods = await service.call('GET', '/v1/wallets/me/methods', { ticket: other.ticket })
  expect(methods.text).not.toContain('411111')
  expect((await deposit(service, { ticket: owner.ticket, method })).text).toContain('paymentId')
})
