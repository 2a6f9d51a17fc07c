import { type Operation, operationWith } from '../../http/operations/operation.ts'
import type { Parameter } from '../../http/requests/parameters.ts'
import { parseMoney } from '../../platform/runtime/money.ts'
import type { WalletsContext } from '../context.ts'
import { changeLimit, confirmLimit, MAX_LIMIT, readLimits, recordPrompt } from '../limits/limits.ts'
import { limitsDocument } from '../limits/shapes.ts'
import { wallet } from '../parameters.ts'
import { PERIODS, type Period } from '../periods.ts'

const period: Parameter<Period> = {
  ...wallet,
  from: 'path',
  meaning: 'day, week (from Monday) or month; UTC',
  absent: 'day',
  parse: (raw) => PERIODS.find((one) => one === raw),
  schema: { type: 'string', enum: PERIODS },
}

const amount: Parameter<bigint> = {
  ...wallet,
  from: 'query or form',
  meaning: 'the most that the caller wants to deposit in the period, with at most two decimals',
  absent: 0n,
  parse(raw) {
    const money = /^0[0-9]/.test(raw) ? undefined : parseMoney(raw)
    return money === undefined || money > MAX_LIMIT ? undefined : money
  },
  schema: { type: 'string', pattern: '^(0|[1-9][0-9]{0,9})(\\.[0-9]{1,2})?$' },
}

const prompted: Parameter<boolean> = {
  ...wallet,
  from: 'query or form',
  meaning: 'Y: the caller was prompted for limits, whatever the answer',
  absent: false,
  parse: (raw) => (raw === 'Y' ? true : undefined),
  schema: { type: 'string', enum: ['Y'] },
}

const operation = operationWith<WalletsContext>()

const answer = { status: 200, document: limitsDocument } as const

/** No part of the contract. */
export const limitOperations: Operation<WalletsContext>[] = [
  operation({
    name: 'getMyLimits',
    summary: 'The limits that the caller has set for their deposits',
    route: 'GET /v1/wallets/me/limits',
    mayBeStale: false,
    extension: true,
    ticket: 'required',
    answer,
    handle: (context, { caller }) => readLimits(context, caller.customerId),
  }),
  operation({
    name: 'markLimitsPrompted',
    summary: 'Record that the caller was prompted for limits',
    route: 'PUT /v1/wallets/me/limits',
    extension: true,
    ticket: 'required',
    parameters: { prompted },
    answer,
    async handle(context, { caller: { customerId } }) {
      await recordPrompt(context, customerId)
      return readLimits(context, customerId)
    },
  }),
  operation({
    name: 'setMyLimit',
    summary: 'Set a limit, at once, or request a higher one, to be confirmed 24 hours later',
    route: 'PUT /v1/wallets/me/limits/{period}',
    extension: true,
    ticket: 'required',
    parameters: { period, amount },
    answer,
    async handle(context, { caller: { customerId }, parameters }) {
      await changeLimit(context, customerId, parameters.period, parameters.amount)
      return readLimits(context, customerId)
    },
  }),
  operation({
    name: 'removeMyLimit',
    summary: 'Request to have no limit, to be confirmed 24 hours later',
    route: 'DELETE /v1/wallets/me/limits/{period}',
    extension: true,
    ticket: 'required',
    parameters: { period },
    answer,
    async handle(context, { caller: { customerId }, parameters }) {
      await changeLimit(context, customerId, parameters.period, null)
      return readLimits(context, customerId)
    },
  }),
  operation({
    name: 'confirmMyLimit',
    summary: 'Put a requested limit into force, from 24 hours to 7 days after the request',
    route: 'POST /v1/wallets/me/limits/{period}/confirmation',
    extension: true,
    ticket: 'required',
    parameters: { period },
    answer,
    async handle(context, { caller: { customerId }, parameters }) {
      await confirmLimit(context, customerId, parameters.period)
      return readLimits(context, customerId)
    },
  }),
]
