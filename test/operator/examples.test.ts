// The examples of the operator API's description work in the sandbox: each is sent to a service with the sandbox's world.

import { expect, test } from 'vitest'
import { operatorOperations } from '../../src/operator/operations.ts'
import { type TestService, useService } from '../harness/service.ts'
import { deposit, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { newApplication, newConsoleSession, newToken } from './cases.ts'

const service = useService({ SANDBOX_SEED: 'on' })

/** What must be there first: ids that are random, and states that the sandbox does not begin with. */
const PREPARATIONS: Record<string, (service: TestService) => Promise<Record<string, string> | undefined>> = {
  revokeApplication: async (service) => ({ apiKey: await newApplication(service) }),
  replaceApplicationSecret: async (service) => ({ apiKey: await newApplication(service) }),
  async reinstateCustomer(service) {
    await service.operator('PUT', '/operator/v1/customers/20', { status: 'closed' })
    return undefined
  },
  revokeToken: async (service) => ({ id: (await newToken(service, 'feed')).id }),
  endConsoleSession: async (service) => ({ id: `${await newConsoleSession(service)}` }),
  async getDeposit(service) {
    const reply = await deposit(service, await newDepositor(service))
    return { paymentId: reply.json().whoWallets.paymentId }
  },
  async resolveDeposit(service) {
    const customer = await newDepositor(service, { token: 'sandbox:capture-refused' })
    const reply = await deposit(service, customer)
    await sweepUntil(service, customer.id, ['REVIEW'])
    return { paymentId: reply.json().whoWallets.paymentId }
  },
}

test.each(operatorOperations.map((row) => ({ row, name: row.name })))('the example of $name works', async ({ row }) => {
  const { method, example } = row
  const path: Record<string, string> = { ...example.path, ...(await PREPARATIONS[row.name]?.(service)) }
  const filled = row.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] as string))
  const query = new URLSearchParams(example.query as Record<string, string> | undefined)
  const body = row.body === 'stream' ? Buffer.from(example.body as string) : example.body
  // The harness checks the answer against its schema.
  const reply = await service.operator(method, `/operator/v1${filled}${query.size > 0 ? `?${query}` : ''}`, body)
  expect([reply.body, `${reply.status}`]).toEqual([reply.body, expect.toSatisfy((status) => status in row.answer)])
  if (example.answer !== undefined) expect(reply.body).toMatchObject(example.answer)
})
