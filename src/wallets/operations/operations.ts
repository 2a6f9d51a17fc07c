import { type Operation, operationWith } from '../../http/operations/operation.ts'
import type { Parameter } from '../../http/requests/parameters.ts'
import { listMethods } from '../cards/cards.ts'
import { methodsDocument } from '../cards/shapes.ts'
import type { WalletsContext } from '../context.ts'
import { makeDeposit, paymentResult } from '../deposits/deposit.ts'
import { paymentDocument } from '../deposits/shapes.ts'
import { DEPOSIT_FAULTS, METHOD_FAULTS } from '../faults.ts'
import type { Cv2 } from '../gateways/cv2.ts'
import { amount, cv2, id, idempotencyKey, wallet } from '../parameters.ts'
import { challengeOperations } from './deposits.ts'

const transactionType: Parameter<string> = {
  ...wallet,
  from: 'query or form',
  meaning: 'what to do; only deposit is supported',
  absent: 'deposit',
  parse: (raw) => (raw === 'deposit' ? raw : undefined),
  schema: { type: 'string', enum: ['deposit'] },
}

const operation = operationWith<WalletsContext>()

function methodsOperation(name: string, method: 'GET' | 'POST'): Operation<WalletsContext> {
  return operation({
    name,
    summary: 'The caller’s registered payment methods',
    route: `${method} /v1/wallets/me/methods`,
    ...(method === 'GET' ? { mayBeStale: false } : {}),
    repeatable: true,
    ticket: 'required',
    answer: { status: 200, document: methodsDocument },
    faults: METHOD_FAULTS,
    handle: async (context, { caller }) => ({ paymentMethods: await listMethods(context, caller.customerId) }),
  })
}

export const walletOperations: Operation<WalletsContext>[] = [
  operation({
    name: 'makeTransaction',
    summary: 'Deposit into the caller’s account with a registered card',
    route: 'POST /v1/wallets/me',
    movesMoney: true,
    ticket: 'required',
    parameters: { transactionType, amount, id, cv2, 'Idempotency-Key': idempotencyKey },
    answer: {
      status: 200,
      document: paymentDocument,
      headers: { 'Idempotent-Replayed': 'true where the answer is the first one to this Idempotency-Key again' },
    },
    faults: DEPOSIT_FAULTS,
    async handle(context, { caller, parameters, response }) {
      const order = {
        customerId: caller.customerId,
        apiKey: caller.apiKey,
        idempotencyKey: parameters['Idempotency-Key'],
        amount: parameters.amount,
        methodId: parameters.id,
      }
      const { deposit, replayed } = await makeDeposit(context, order, parameters.cv2 as Cv2)
      if (replayed) response.setHeader('idempotent-replayed', 'true')
      return paymentResult(deposit)
    },
  }),
  methodsOperation('getPaymentMethods', 'POST'),
  methodsOperation('getPaymentMethodsByGet', 'GET'),
  ...challengeOperations,
]
