import { type Operation, operationWith } from '../http/operation.ts'
import { type Parameter, parseDigits } from '../http/parameters.ts'
import { parseMoney } from '../platform/runtime/money.ts'
import type { WalletsContext } from './context.ts'
import { type Cv2, parseCv2 } from './cv2.ts'
import { makeDeposit, paymentResult } from './deposit.ts'
import { DEPOSIT_FAULTS, METHOD_FAULTS } from './faults.ts'
import { listMethods } from './method.ts'
import { methodsDocument, paymentDocument } from './shapes.ts'

/** Wallet faults are answered with HTTP 200, also those of parameters. */
const wallet = { required: true, blank: 'value', missingFault: 'walletMissing', invalidFault: 'walletInvalid' } as const

const transactionType: Parameter<string> = {
  ...wallet,
  from: 'query or form',
  meaning: 'what to do; only deposit is supported',
  absent: 'deposit',
  parse: (raw) => (raw === 'deposit' ? raw : undefined),
  schema: { type: 'string', enum: ['deposit'] },
}

const amount: Parameter<bigint> = {
  ...wallet,
  from: 'query or form',
  meaning: 'the amount to deposit, with at most two decimals',
  absent: 0n,
  parse: (raw) => (/^0[0-9]/.test(raw) ? undefined : parseMoney(raw)),
  schema: { type: 'string', pattern: '^(0|[1-9][0-9]*)(\\.[0-9]{1,2})?$' },
}

const id: Parameter<number> = {
  ...wallet,
  from: 'query or form',
  meaning: 'id of a payment method, from getPaymentMethods',
  absent: -1,
  parse: parseDigits,
  schema: { type: 'string', pattern: '^[0-9]+$' },
}

const cv2: Parameter<Cv2 | undefined> = {
  ...wallet,
  from: 'query or form',
  meaning: 'the card’s security code; used once and never stored',
  secret: true,
  absent: undefined,
  parse: parseCv2,
  invalidFault: 'cv2Invalid',
  malformedFault: 'walletInvalid',
  schema: { type: 'string', pattern: '^[0-9]{3,4}$' },
}

const idempotencyKey: Parameter<string | null> = {
  ...wallet,
  required: false,
  blank: 'absent',
  from: 'header',
  meaning: 'the same key and parameters again answer the first result, without a second charge',
  absent: null,
  parse: (raw) => (/^[\x21-\x7e]{1,64}$/.test(raw) ? raw : undefined),
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,64}$' },
}

const operation = operationWith<WalletsContext>()

function methodsOperation(name: string, method: 'GET' | 'POST'): Operation<WalletsContext> {
  return operation({
    name,
    summary: 'The caller’s registered payment methods',
    method,
    path: '/v1/wallets/me/methods',
    repeatable: true,
    ticket: 'required',
    parameters: {},
    answer: { status: 200, document: methodsDocument },
    faults: METHOD_FAULTS,
    handle: async (context, { caller }) => ({ paymentMethods: await listMethods(context, caller.customerId) }),
  })
}

export const walletOperations: Operation<WalletsContext>[] = [
  operation({
    name: 'makeTransaction',
    summary: 'Deposit into the caller’s account with a registered card',
    method: 'POST',
    path: '/v1/wallets/me',
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
]
