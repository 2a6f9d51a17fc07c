import { type Operation, operationWith } from '../../http/operations/operation.ts'
import type { Parameter } from '../../http/requests/parameters.ts'
import { readBalance } from '../account/balance.ts'
import { balanceDocument, statementDocument } from '../account/shapes.ts'
import { readStatement } from '../account/statement.ts'
import type { WalletsContext } from '../context.ts'
import { optionalWallet, walletBlock } from '../parameters.ts'

const operation = operationWith<WalletsContext>()

function day(meaning: string): Parameter<number | null> {
  return {
    ...optionalWallet,
    from: 'query',
    meaning,
    absent: null,
    parse: parseDay,
    schema: { type: 'string', format: 'date' },
  }
}

/** undefined for 30 February: it would otherwise be 2 March. */
function parseDay(raw: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(raw)) return undefined
  const time = Date.parse(raw)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(raw) ? time : undefined
}

const ORDERS = ['oldest', 'newest'] as const

const order: Parameter<(typeof ORDERS)[number]> = {
  ...optionalWallet,
  from: 'query',
  meaning: 'which lines come first',
  absent: 'oldest',
  parse: (raw) => ORDERS.find((one) => one === raw),
  schema: { type: 'string', enum: [...ORDERS], default: 'oldest' },
}

/** No part of the contract. */
export const accountOperations: Operation<WalletsContext>[] = [
  operation({
    name: 'getMyBalance',
    summary: 'The caller’s balance',
    route: 'GET /v1/wallets/me/balance',
    mayBeStale: false,
    extension: true,
    ticket: 'required',
    answer: { status: 200, document: balanceDocument },
    handle: (context, { caller }) => readBalance(context, caller.customerId),
  }),
  operation({
    name: 'getMyStatement',
    summary: 'The lines of the caller’s account, with the balance after each',
    route: 'GET /v1/wallets/me/statement',
    mayBeStale: false,
    extension: true,
    ticket: 'required',
    parameters: {
      from: day('first UTC day; three months before the last one, if absent'),
      to: day('last UTC day; today, if absent'),
      order,
      ...walletBlock,
    },
    answer: { status: 200, document: statementDocument },
    handle: (context, { caller, parameters: { from, to, order, ...block } }) =>
      readStatement(context, caller.customerId, { from, to }, { ...block, newestFirst: order === 'newest' }),
  }),
]
