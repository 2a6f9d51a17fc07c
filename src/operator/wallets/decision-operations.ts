// What waits for a second person, whom money is to be paid, and debts that are written off.

import { UNTIL_RETURN } from '../../identity/exclusions/store.ts'
import type { Operator } from '../../identity/operators/operator.ts'
import { actorOf } from '../../identity/operators/person.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { formatMoney, parseMoney } from '../../platform/runtime/money.ts'
import { balancesOf } from '../../wallets/account/ledger.ts'
import {
  listProposals,
  PROPOSAL_KINDS,
  type Proposal,
  type ProposalKind,
  readProposal,
  withdrawProposal,
} from '../../wallets/proposals.ts'
import { writeOffDebt } from '../../wallets/reviews/debts.ts'
import { balancesToPay } from '../../wallets/reviews/store.ts'
import { currencyOf } from '../../wallets/withdrawals/store.ts'
import { existing } from '../customers/activity-operations.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, paging, positionOf } from '../server/pages.ts'
import { notValid } from '../server/problem.ts'
import { shown } from '../server/shown.ts'
import { confirmationOf, proof, proposal, toProposal, WAITS_FOR } from './persons.ts'

const moneyProposal = s.namedObject('MoneyProposal', {
  id: s.id('6'),
  kind: s.oneOf(
    PROPOSAL_KINDS,
    'deposit',
    'What is decided about. `part`: of a withdrawal. `card`: one that is added. `account-closure`: that the account behind a card is closed.',
  ),
  subject: s.string(
    '0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60',
    'Its id; of an outside payment or a write-off that of the customer, of a movement its reference.',
  ),
  withdrawalId: s.orNull(s.id('4'), 'The withdrawal of a part.', null),
  customerId: s.id('1'),
  outcome: s.string('captured', 'What was decided, in words. Who confirms it sends the same call.'),
  note: s.string('The gateway shows the capture'),
  by: s.string('openid:ann', 'Who has decided first.'),
  at: s.time(),
  waitsFor: s.oneOf(WAITS_FOR, 'me', 'Who can confirm it.'),
})

const balanceToPay = s.namedObject('BalanceToPay', {
  customerId: s.id('1'),
  currency: s.string('GBP', 'ISO 4217'),
  balance: s.amount('120.00'),
  excludedUntil: s.orNull(s.time(), 'Until when the customer cannot play. null: until a reinstatement or a return.'),
})

const writtenOff = s.namedObject('DebtWriteOff', {
  customerId: s.id('1'),
  currency: s.string('GBP', 'ISO 4217'),
  debt: s.amount('0.00', 'What the customer owes now.'),
  proposal,
})

const moneyProposalOf = shown(moneyProposal)
const balanceToPayOf = shown(balanceToPay)

export const decisionOperations = [
  operatorOperation({
    name: 'listMoneyProposals',
    summary: 'List the decisions about money that wait for a second person',
    description:
      'Resolutions, cards, closed accounts, payments outside, write-offs and movements. Refunds and withdrawals that wait for approval ' +
      'are in their own lists.',
    route: 'GET /money-proposals',
    role: 'cashier',
    audit: 'listed the decisions about money that wait',
    query: s.allOptional(paging),
    answer: { 200: s.page(moneyProposal) },
    example: { query: { limit: 20 } },
    async handle({ database }, { operator, query: { cursor, limit } }) {
      const [after] = positionOf(cursor, [0]) as [number]
      const page = pageOf(await listProposals(database, after, limit + 1), limit, ({ id }) => [id])
      return { items: page.rows.map((row) => showMoneyProposal(row, operator)), cursor: page.cursor }
    },
  }),
  operatorOperation({
    name: 'withdrawMoneyProposal',
    summary: 'Withdraw a decision about money that waits for a second person',
    description:
      'Nothing has moved, and nothing moves. Who proposed it may withdraw it, and so may everybody else who could confirm it.',
    route: 'DELETE /money-proposals/{id}',
    role: 'cashier-lead',
    decides: true,
    audit: 'withdrew the proposal {id}',
    answer: { 204: null },
    problems: { 404: 'There is no such proposal: it was confirmed or withdrawn.' },
    async handle({ database }, { path, trail }) {
      await database.transaction(async (tx) => {
        const { subject, by } = await withdrawProposal(tx, path.id)
        trail.note(`${subject}, proposed by ${by.name}`)
      })
    },
  }),
  operatorOperation({
    name: 'listBalancesToPay',
    summary: 'List excluded customers with a balance, which is to be paid to them',
    description: 'They cannot play with it. Request a withdrawal for them, or record a payment outside.',
    route: 'GET /balances-to-pay',
    role: 'cashier',
    audit: 'listed the balances of excluded customers',
    query: s.allOptional(paging),
    answer: { 200: s.page(balanceToPay) },
    example: { query: { limit: 20 } },
    async handle({ database, now }, { query: { cursor, limit } }) {
      const [after] = positionOf(cursor, [0]) as [number]
      const rows = await database.query(balancesToPay, { now: now(), after, limit: limit + 1 })
      const page = pageOf(rows, limit, ({ id }) => [id])
      const items = page.rows.map((row) => {
        const until = row.play_from === UNTIL_RETURN ? row.excluded_until : row.play_from
        const excludedUntil = until === null || until <= now() ? null : isoTime(until)
        return balanceToPayOf(row, { customerId: `${row.id}`, excludedUntil })
      })
      return { items, cursor: page.cursor }
    },
  }),
  operatorOperation({
    name: 'writeOffDebt',
    summary: 'Write off what a customer owes',
    description:
      'The house pays it when another person has decided the same amount; until then the answer has a `proposal`, and nothing has moved.',
    route: 'POST /customers/{id}/debt-write-offs',
    role: 'cashier-lead',
    decides: true,
    audit: 'wrote off {body.amount} of the debt of customer {id}',
    body: s.object({ amount: s.money('25.00', 'At most the debt.'), note: proof }),
    answer: { 200: writtenOff, 201: writtenOff },
    problems: {
      409: 'The customer owes less, or you have decided this: another person confirms it.',
      422: 'The amount is 0.',
    },
    example: { path: { id: '2' }, body: { amount: '5.00', note: 'The customer has died' } },
    async handle({ database, ...context }, { path: { id: customerId }, body: { note, ...body }, operator }) {
      await existing(database, customerId)
      const amount = parseMoney(body.amount) as bigint
      if (amount === 0n) throw notValid([{ pointer: '/amount', detail: 'must be more than 0' }])
      const order = { customerId, amount, note, by: actorOf(operator) }
      const result = await writeOffDebt({ database, ...context }, order)
      const { currency } = (await database.one(currencyOf, { customerId })) as { currency: string }
      const { debt } = await balancesOf(database, customerId, currency)
      const decided = result === 'proposed' ? await readProposal(database, `debt-write-off ${customerId}`) : null
      const answer = {
        customerId: `${customerId}`,
        currency,
        debt: formatMoney(debt),
        proposal: toProposal(decided, operator),
      }
      return { status: result === 'proposed' ? 200 : 201, body: answer } as const
    },
  }),
]

function showMoneyProposal(proposed: Proposal, operator: Operator): s.ValueOf<typeof moneyProposal> {
  const { subject, customerId, terms, by } = proposed
  const [kind, ofKind] = subject.split(' ') as [ProposalKind, string]
  // A part is named with its withdrawal (wallets/withdrawals/parts.ts).
  const [withdrawalId, partId] = kind === 'part' ? ofKind.split('/') : []
  return moneyProposalOf(proposed, {
    kind,
    subject: partId ?? ofKind,
    withdrawalId: withdrawalId ?? null,
    customerId: `${customerId}`,
    outcome: terms,
    by: by.name,
    waitsFor: confirmationOf(proposed, operator),
  })
}
