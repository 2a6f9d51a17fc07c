// What the sportsbook reports of its customers' bets, one by one; feed-operations.ts has them as lines.

import { type Actor, actorOf } from '../../identity/operators/person.ts'
import type { Context } from '../../platform/context.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { repeatUntilFound } from '../../sportsbook/change.ts'
import type { FeedKind, TextLine } from '../../sportsbook/feed.ts'
import { MOVEMENT_KINDS } from '../../wallets/account/movement-store.ts'
import { applyMovements, type Movement, type MovementResult } from '../../wallets/account/movements.ts'
import { readProposal } from '../../wallets/proposals.ts'
import type { OperatorContext } from '../context.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { proposal, toProposal } from './persons.ts'

const terms = {
  customerId: s.id('1'),
  kind: s.oneOf(
    MOVEMENT_KINDS,
    'winnings',
    'A stake debits the customer; winnings and void (a returned stake) credit; an adjustment does either.',
  ),
  amount: s.signedMoney('5.00', 'In the customer’s currency. Only an adjustment may be negative.'),
}
const bet = { betId: s.id('70040', 'The bet, for the statement.') }

const reference = s.reference('bet-70040-winnings', 'The sportsbook’s own. It is applied once, whatever is sent again.')
/** As a line of a feed, where the reference is the id. */
export const movementLine = s.namedObject('MovementLine', terms, bet)
type MovementLine = s.ValueOf<typeof movementLine>

const movementBody = s.namedObject('Movement', { reference, ...terms }, bet)

const appliedMovement = s.namedObject('AppliedMovement', {
  reference,
  outcome: s.oneOf(
    ['applied', 'repeated', 'proposed'],
    'applied',
    '`repeated`: it was applied before. `proposed`: nothing has moved; it is applied when another person sends the same.',
  ),
  proposal,
  currency: s.string('GBP'),
  balance: s.amount('25.00', 'The customer’s balance now.'),
})

export const movementOperations = [
  operatorOperation({
    name: 'makeMovement',
    summary: 'Apply a stake, winnings, a returned stake or an adjustment',
    description:
      'The same reference with the same terms again is answered 200 and moves nothing. Adjustments that credit a customer with more than ' +
      'ADJUSTMENT_FOUR_EYES_ABOVE in a UTC day need two persons, who send the same one after the other. Credits pay the customer’s debt first. ' +
      'Many movements are lines of a feed: `{"put": "movement", "id": reference, "data": {…}}`.',
    route: 'POST /movements',
    role: 'accounts',
    audit: 'sent movement {body.reference} of customer {body.customerId}',
    body: movementBody,
    answer: { 200: appliedMovement, 201: appliedMovement },
    problems: {
      404: 'There is no such customer.',
      409: 'The reference was applied with other terms; or the caller has proposed it; or only people decide; or the customer was erased.',
      422: 'The amount is beyond the customer’s balance, or 0, or negative without being an adjustment; or an excluded customer stakes.',
    },
    example: {
      body: { reference: 'bet-70040-winnings', customerId: '1', kind: 'winnings', amount: '5.00', betId: '70040' },
      answer: { reference: 'bet-70040-winnings', outcome: 'applied', currency: 'GBP', balance: '25.00' },
    },
    async handle(context, { body: { reference, ...line }, operator }) {
      const { outcome, currency, balance } = await makeMovement(context, toMovement(reference, line), actorOf(operator))
      const decided = outcome === 'proposed' ? await readProposal(context.database, `movement ${reference}`) : null
      const proposal = toProposal(decided, operator)
      const body = { reference, outcome, proposal, currency, balance: formatMoney(balance) }
      return { status: outcome === 'applied' ? 201 : 200, body } as const
    },
  }),
]

async function makeMovement(context: OperatorContext, movement: Movement, by: Actor): Promise<MovementResult> {
  const [result] = await repeatUntilFound(() =>
    context.database.transaction((transaction) =>
      applyMovements(transaction, [movement], { config: context.config, now: context.now, by }),
    ),
  )
  countMovements(context, [movement], [result])
  if (result instanceof Refused) throw result
  return result as MovementResult
}

export function movementKind(
  context: Pick<OperatorContext, 'config' | 'metrics' | 'now'>,
  read: FeedKind['read'],
): FeedKind {
  const movementsOf = (lines: readonly TextLine[]) => lines.map(({ id, data }) => toMovement(id, data as MovementLine))
  return {
    read,
    applyTogether: (transaction, lines) =>
      applyMovements(transaction, movementsOf(lines), { config: context.config, now: context.now, by: null }),
    onCommitted: (lines, results) =>
      countMovements(context, movementsOf(lines), results as Awaited<ReturnType<typeof applyMovements>>),
  }
}

function toMovement(reference: string, { customerId, kind, amount, betId }: MovementLine): Movement {
  const sum = parseMoney(amount.replace('-', '')) as bigint
  return {
    reference,
    customerId: Number(customerId),
    kind,
    amount: amount.startsWith('-') ? -sum : sum,
    betId: betId === undefined ? null : Number(betId),
  }
}

function countMovements(
  { metrics }: Pick<Context, 'metrics'>,
  movements: readonly Movement[],
  results: readonly (MovementResult | Refused | undefined)[],
): void {
  const labels = movements.map(({ kind }, index) => {
    const result = results[index]
    return `kind="${kind}",outcome="${result instanceof Refused ? 'refused' : result?.outcome}"` as const
  })
  for (const [label, of] of Map.groupBy(labels, (label) => label))
    metrics.count('paddock_movements_total', label, of.length)
}
