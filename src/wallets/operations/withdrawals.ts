import { type Operation, operationWith } from '../../http/operations/operation.ts'
import { type Parameter, parseDigits } from '../../http/requests/parameters.ts'
import type { WalletsContext } from '../context.ts'
import { WITHDRAWAL_FAULTS } from '../faults.ts'
import { amount, id, idempotencyKey, wallet, walletBlock } from '../parameters.ts'
import {
  listOwnWithdrawals,
  type Options,
  readOptions,
  readOwnWithdrawal,
  toOptions,
  toWithdrawal,
} from '../withdrawals/read.ts'
import { optionsDocument, withdrawalDocument, withdrawalListDocument } from '../withdrawals/shapes.ts'
import { requestWithdrawal } from '../withdrawals/withdrawal.ts'

const withdrawalId: Parameter<number> = {
  ...wallet,
  from: 'path',
  meaning: 'of the withdrawal',
  absent: -1,
  parse: parseDigits,
  schema: { type: 'string', pattern: '^[0-9]+$' },
}

const shared = { extension: true, ticket: 'required' } as const
const operation = operationWith<WalletsContext>()

/** No part of the contract. The customer cannot take a withdrawal back: regulators forbid it. */
export const withdrawalOperations: Operation<WalletsContext>[] = [
  operation({
    ...shared,
    name: 'getWithdrawalOptions',
    summary: 'How much the caller can withdraw to which card',
    route: 'GET /v1/wallets/me/withdrawals/options',
    mayBeStale: false,
    answer: { status: 200, document: optionsDocument },
    async handle(context, { caller }) {
      return toOptions((await readOptions(context, caller.customerId)) as Options)
    },
  }),
  operation({
    ...shared,
    name: 'makeWithdrawal',
    summary: 'Withdraw money to a registered card',
    route: 'POST /v1/wallets/me/withdrawals',
    movesMoney: true,
    parameters: {
      amount: { ...amount, meaning: 'the amount to withdraw, with at most two decimals' },
      id,
      'Idempotency-Key': idempotencyKey,
    },
    answer: {
      status: 200,
      document: withdrawalDocument,
      headers: { 'Idempotent-Replayed': 'true where the Idempotency-Key was used before, with that withdrawal' },
    },
    faults: WITHDRAWAL_FAULTS,
    async handle(context, { caller, parameters, response }) {
      const { customerId, apiKey } = caller
      const { withdrawal, parts, replayed } = await requestWithdrawal(context, {
        customerId,
        apiKey,
        idempotencyKey: parameters['Idempotency-Key'],
        amount: parameters.amount,
        methodId: parameters.id,
      })
      if (replayed) response.setHeader('idempotent-replayed', 'true')
      return { withdrawal: toWithdrawal(withdrawal, parts) }
    },
  }),
  operation({
    ...shared,
    name: 'getMyWithdrawals',
    summary: 'The caller’s withdrawals, newest first',
    route: 'GET /v1/wallets/me/withdrawals',
    mayBeStale: false,
    parameters: walletBlock,
    answer: { status: 200, document: withdrawalListDocument, mayBeEmpty: true },
    handle: (context, { caller, parameters }) => listOwnWithdrawals(context, caller.customerId, parameters),
  }),
  operation({
    ...shared,
    name: 'getWithdrawal',
    summary: 'One of the caller’s withdrawals',
    route: 'GET /v1/wallets/me/withdrawals/{id}',
    mayBeStale: false,
    parameters: { id: withdrawalId },
    answer: { status: 200, document: withdrawalDocument },
    faults: { walletInvalid: 'id' },
    handle: (context, { caller, parameters }) => readOwnWithdrawal(context, caller.customerId, parameters.id),
  }),
]
