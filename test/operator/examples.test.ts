// The curl commands of the operator's reference work in the sandbox: each is sent to a service with the sandbox's world.

import { expect, test } from 'vitest'
import { operatorAreas, operatorOperations } from '../../src/operator/operations.ts'
import type { OperatorOperation } from '../../src/operator/server/operation.ts'
import { operatorPages } from '../../src/operator/server/reference.ts'
import { SANDBOX_CUSTOMERS } from '../../src/sandbox/world/customers.ts'
import { curlRequest, shellWords } from '../harness/curl.ts'
import { checkOperatorAnswer } from '../harness/operator-answers.ts'
import { textsOf } from '../harness/reference-pages.ts'
import { sampleOf } from '../harness/reference-samples.ts'
import { captured, debtor, disputed, sentRefund, unappliedNotification, waitingRefund } from '../harness/refunds.ts'
import { OPERATOR_TOKEN, type TestService, textOf, useService } from '../harness/service.ts'
import { deposit, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { paidOutside, payIn, player, reviewedWithdrawal, waitingWithdrawal, win } from '../harness/withdrawals.ts'
import {
  endedDelivery,
  newAppeal,
  newApplication,
  newConsoleSession,
  newProposal,
  newToken,
  newView,
  newWebhook,
} from './cases.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const pages = textsOf(operatorPages(operatorAreas, { sandbox: true, address: () => 'http://localhost:8081' }))

/** What must be there first: ids that are random, and states that the sandbox does not begin with. */
const waiting = async (service: TestService) => ({ id: (await waitingWithdrawal(service)).id })

const PREPARATIONS: Record<string, (service: TestService) => Promise<Record<string, string> | undefined>> = {
  revokeApplication: async (service) => ({ apiKey: await newApplication(service) }),
  replaceApplicationSecret: async (service) => ({ apiKey: await newApplication(service) }),
  async reinstateCustomer(service) {
    await service.operator('PUT', '/operator/v1/customers/20', { status: 'closed' })
    return undefined
  },
  async endSession(service) {
    await service.operator('POST', '/operator/v1/customers/1/tickets', {})
    return { session: (await service.operator('GET', '/operator/v1/customers/1/sessions')).body.items[0].id }
  },
  getAppeal: async (service) => ({ id: `${await newAppeal(service)}` }),
  decideAppeal: async (service) => ({ id: `${await newAppeal(service)}` }),
  revokeToken: async (service) => ({ id: (await newToken(service, 'feed')).id }),
  endConsoleSession: async (service) => ({ id: `${await newConsoleSession(service)}` }),
  deleteView: async (service) => ({ id: await newView(service) }),
  getWebhook: async (service) => ({ id: await newWebhook(service) }),
  changeWebhook: async (service) => ({ id: await newWebhook(service) }),
  deleteWebhook: async (service) => ({ id: await newWebhook(service) }),
  rotateWebhookSecret: async (service) => ({ id: await newWebhook(service) }),
  testWebhook: async (service) => ({ id: await newWebhook(service) }),
  listWebhookDeliveries: async (service) => ({ id: await newWebhook(service) }),
  getWebhookDelivery: endedDelivery,
  resendWebhookDelivery: endedDelivery,
  resendWebhookDeliveries: async (service) => ({ id: await newWebhook(service) }),
  getDeposit: newPaymentId,
  readGatewayView: newPaymentId,
  refundDeposit: async (service) => ({ paymentId: (await captured(service)).paymentId }),
  listDepositRefunds: newPaymentId,
  approveRefund: async (service) => ({ id: await waitingRefund(service) }),
  refuseRefund: async (service) => ({ id: await waitingRefund(service) }),
  resolveRefund: async (service) => ({ id: await sentRefund(service) }),
  getWithdrawal: waiting,
  approveWithdrawal: waiting,
  refuseWithdrawal: waiting,
  holdWithdrawal: waiting,
  releaseWithdrawal: waiting,
  resolveWithdrawal: async (service) => ({ id: (await reviewedWithdrawal(service)).id }),
  async requestWithdrawal(service) {
    await payIn(service, { id: 1, ticket: SANDBOX_CUSTOMERS[0].ticket }, 101)
    return undefined
  },
  readWithdrawalOptions: async (service) => ({ id: `${(await player(service, {})).id}` }),
  recordAccountClosure: async (service) => {
    const { id, method } = await newDepositor(service)
    return { id: `${id}`, methodId: `${method}` }
  },
  recordOutsidePayment: async (service) => {
    const winner = await service.customer()
    await win(service, winner, '5.00')
    return { id: `${winner.id}` }
  },
  recordOutsideReturn: async (service) => ({ id: await paidOutside(service) }),
  writeOffDebt: async (service) => ({ id: `${(await debtor(service)).id}` }),
  endDispute: async (service) => ({ id: (await disputed(service)).disputeId }),
  withdrawMoneyProposal: async (service) => ({ id: await newProposal(service) }),
  settleNotification: async (service) => ({ id: await unappliedNotification(service) }),
  async sendSandboxNotification(service) {
    // The id is in the body of the example.
    const { id, method } = await newDepositor(service)
    const row = operatorOperations.find(({ name }) => name === 'sendSandboxNotification')
    const { paymentId } = (row as OperatorOperation).example.body as { paymentId: string }
    await service.context.database.script(`insert into deposit (id, customer_id, api_key, payment_method_id, gateway, day,
        lease_until, created_at, decided_at, amount, currency, state, fault)
      values ('${paymentId}', ${id}, 'k', ${method}, 'sandbox', 1, 1, 1, 1, 2500, 'GBP', 'DECLINED', 'authorisationFailed')`)
    return undefined
  },
  async resolveDeposit(service) {
    const customer = await newDepositor(service, { token: 'sandbox:capture-refused' })
    const reply = await deposit(service, customer)
    await sweepUntil(service, customer.id, ['REVIEW'])
    return { paymentId: reply.json().whoWallets.paymentId }
  },
}

async function newPaymentId(service: TestService): Promise<{ paymentId: string }> {
  const reply = await deposit(service, await newDepositor(service))
  return { paymentId: reply.json().whoWallets.paymentId }
}

test.each(operatorOperations.map((row) => ({ row, name: row.name })))('the command of $name works', async ({ row }) => {
  const { example } = row
  const reply = await run(row, { ...example.path, ...(await PREPARATIONS[row.name]?.(service)) })
  expect([reply.text, `${reply.status}`]).toEqual([reply.text, expect.toSatisfy((status) => status in row.answer)])
  if (example.answer !== undefined) expect(JSON.parse(reply.text)).toMatchObject(example.answer)
})

/** `path`: what stands in the address instead of the example's ids. */
async function run({ name, method, path: template, example }: OperatorOperation, path: Record<string, string>) {
  const shown = addressOf(template, example.path ?? {})
  const address = addressOf(template, path)
  const { url, ...request } = curlRequest(
    shellWords(sampleOf(`${pages.get(`/docs/${name}`)}`, `${name}-curl`), { OPERATOR_TOKEN }),
  )
  const [origin, ...query] = url.split(shown)
  expect(origin).toBe('http://localhost:8081')
  const response = await fetch(service.operatorUrl + address + query.join(shown), request as RequestInit)
  const { status, headers } = response
  const reply = { status, type: headers.get('content-type') ?? '', text: await textOf(response.headers, response.body) }
  checkOperatorAnswer(method, address, reply)
  return reply
}

function addressOf(template: string, path: Readonly<Record<string, string>>): string {
  return `/operator/v1${template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${path[name]}`))}`
}
