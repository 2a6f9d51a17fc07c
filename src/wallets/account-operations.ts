import { type Operation, operationWith } from '../http/operation.ts'
import { readBalance } from './account.ts'
import { balanceDocument } from './account-shapes.ts'
import type { WalletsContext } from './context.ts'

const operation = operationWith<WalletsContext>()

/** No part of the contract. */
export const accountOperations: Operation<WalletsContext>[] = [
  operation({
    name: 'getMyBalance',
    summary: 'The caller’s balance',
    method: 'GET',
    path: '/v1/wallets/me/balance',
    extension: true,
    ticket: 'required',
    parameters: {},
    answer: { status: 200, document: balanceDocument },
    faults: {},
    handle: (context, { caller }) => readBalance(context, caller.customerId),
  }),
]
