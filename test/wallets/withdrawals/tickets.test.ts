// Withdrawals with tickets of an identity provider, which may end them at any time.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putCustomer } from '../../../src/identity/customers/customer.ts'
import { expectFault } from '../../harness/answers.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { addCard } from '../../harness/wallets.ts'
import { payIn, statusOrFault, withdraw } from '../../harness/withdrawals.ts'

const active = new Map<string, number>()
const provider = createServer(async (request, response) => {
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
  const customer = active.get(form.get('token') ?? '')
  response.end(JSON.stringify(customer === undefined ? { active: false } : { active: true, sub: `${customer}` }))
})

let service: TestService
beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  service = await startTestService({
    TICKETS: 'introspection',
    INTROSPECTION_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`,
    INTROSPECTION_CLIENT_ID: 'paddock',
    INTROSPECTION_CLIENT_SECRET: 's',
  })
})
afterAll(async () => {
  await service.close()
  provider.close()
})

/** With a captured deposit of 20.00. */
async function customer(id: number, ticket: string) {
  await putCustomer(service.context.database, id, { verified: true, fundsStatementVersion: 1 }, Date.now())
  active.set(ticket, id)
  const card = await addCard(service, { id })
  await payIn(service, { id, ticket }, card)
  return { ticket, card }
}

test('one that the provider has ended replays no withdrawal, and another of the customer does', async () => {
  const ann = await customer(70_101, 'ann')
  const order = { ...ann, amount: '5.00', key: 'once' }
  const first = (await withdraw(service, order)).json().whoWallets.withdrawal
  active.delete('ann')
  service.clock.advance(5_000)
  expectFault(await withdraw(service, order), '/v1/wallets/me/withdrawals', 'ticketInvalid', 'who-ticket')
  active.set('ann again', 70_101)
  const again = await withdraw(service, { ...order, ticket: 'ann again' })
  expect([again.json().whoWallets.withdrawal.id, again.headers.get('idempotent-replayed')]).toEqual([first.id, 'true'])
})

test('a key counts for its customer alone, and so does a card', async () => {
  const [bea, cy] = [await customer(70_102, 'bea'), await customer(70_103, 'cy')]
  const first = await withdraw(service, { ...bea, amount: '5.00', key: 'shared' })
  const other = await withdraw(service, { ...cy, amount: '6.00', key: 'shared' })
  expect(other.headers.get('idempotent-replayed')).toBe(null)
  const idOf = (reply: typeof first) => reply.json().whoWallets.withdrawal.id
  expect(idOf(other)).not.toBe(idOf(first))
  expect(statusOrFault(await withdraw(service, { ...cy, card: bea.card, amount: '5.00', key: 'shared' }))).not.toBe(
    'approved',
  )
  expect(statusOrFault(await withdraw(service, { ...cy, card: bea.card, amount: '5.00' }))).toBe('24001')
})
