import { type Operation, operationWith } from '../../http/operations/operation.ts'
import { described, document, element, record } from '../../http/representation/shape.ts'
import type { Parameter } from '../../http/requests/parameters.ts'
import { monthsLater } from '../../platform/runtime/calendar.ts'
import { HOUR_MS } from '../../platform/runtime/durations.ts'
import type { WalletsContext } from '../context.ts'
import { wallet } from '../parameters.ts'
import { excludeCustomer } from '../reviews/exclusions.ts'

const excludedDocument = document(
  'whoWallets',
  record({ excludedUntil: described(element('dateTime'), 'nothing ends it before') }),
)

function duration(meaning: string, least: number, most: number): Parameter<number> {
  return {
    ...wallet,
    from: 'query or form',
    meaning,
    absent: least,
    parse: (raw) => (/^[1-9][0-9]{0,3}$/.test(raw) && +raw >= least && +raw <= most ? +raw : undefined),
    schema: { type: 'integer', minimum: least, maximum: most },
  }
}

const operation = operationWith<WalletsContext>()

/** No part of the contract. */
export const exclusionOperations: Operation<WalletsContext>[] = [
  operation({
    name: 'takeTimeOut',
    summary: 'Lock the caller out for some hours. Ends all sessions; nothing shortens it',
    route: 'PUT /v1/wallets/me/time-out',
    extension: true,
    ticket: 'required',
    locksOut: true,
    parameters: { hours: duration('how long: 24 hours to 6 weeks', 24, 6 * 7 * 24) },
    answer: { status: 200, document: excludedDocument },
    handle: async (context, { caller, parameters: { hours } }) => ({
      excludedUntil: await excludeCustomer(context, caller.customerId, 'time-out', (now) => now + hours * HOUR_MS),
    }),
  }),
  operation({
    name: 'excludeMyself',
    summary:
      'Self-exclusion for some months, and until the caller requests to return. Ends all sessions; nothing shortens it',
    route: 'PUT /v1/wallets/me/exclusion',
    extension: true,
    ticket: 'required',
    locksOut: true,
    parameters: { months: duration('how long: 6 to 60 months', 6, 60) },
    answer: { status: 200, document: excludedDocument },
    handle: async (context, { caller, parameters: { months } }) => ({
      excludedUntil: await excludeCustomer(context, caller.customerId, 'self-exclusion', (now) =>
        monthsLater(now, months),
      ),
    }),
  }),
]
