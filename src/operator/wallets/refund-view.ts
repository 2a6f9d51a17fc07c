// Refunds as operators see them.

import type { Operator } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Proposal, readProposals, type Subject } from '../../wallets/proposals.ts'
import * as sql from '../../wallets/refunds/store.ts'
import { whyOfOutgoing } from '../../wallets/refunds/why.ts'
import * as s from '../server/fields.ts'
import { shown } from '../server/shown.ts'
import { cardFields } from './card-schemas.ts'
import { proposal, toProposal, type WaitsFor, waitsFor, waitsForOf } from './persons.ts'
import { outgoingReview } from './withdrawal-schemas.ts'

export const refundState = s.oneOf(
  sql.REFUND_STATES,
  'REQUESTED',
  '`REQUESTED`: debited, and not sent yet, or it waits for a second person. `SENT`: the gateway has received it. `FAILED`: credited ' +
    'to the customer again. `REVIEW`: its result needs manual review.',
)

export const refund = s.namedObject('Refund', {
  id: s.id('5'),
  paymentId: s.string('0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'),
  customerId: s.id('1'),
  ...cardFields,
  amount: s.amount('10.00'),
  paid: s.amount('0.00', 'What has arrived.'),
  returned: s.amount('0.00', 'What did not arrive, or came back.'),
  currency: s.string('GBP', 'ISO 4217'),
  state: refundState,
  origin: s.oneOf(
    sql.REFUND_ORIGINS,
    'operator',
    '`gateway`: a person made it in the gateway’s back office. `withdrawal`: it is a part of a withdrawal.',
  ),
  withdrawalId: s.orNull(s.id('4'), 'The withdrawal that it is part of.', null),
  reason: s.string('Deposited twice'),
  requestedBy: s.orNull(
    s.string('back-office'),
    'The operator. null: it was made at the gateway, or is part of a withdrawal.',
  ),
  needsApproval: s.boolean(false, 'It waits for a second person.'),
  waitsFor,
  approvedBy: s.orNull(s.string(), 'The second person.', null),
  review: outgoingReview,
  why: s.orNull(s.string(), 'Why it needs manual review, in words, and what to do.', null),
  proposal,
  reference: s.string('9d0b0c8c-3c2b-4a11-8f53-5f0c9e4e4c8e', 'Ours, in the gateway’s reports.'),
  gatewayReference: s.orNull(s.string(), 'The gateway’s id of the refund.', null),
  createdAt: s.time(),
  changedAt: s.time(),
})
export type Refund = s.ValueOf<typeof refund>
const refundOf = shown(refund)

const subjectOf = ({ id }: { readonly id: number }): Subject => `refund ${id}`

/** A person may also decide one that is SENT, although it needs no review. */
export async function showRefunds(
  database: Database,
  rows: readonly sql.ListedRefundRow[],
  operator: Operator,
): Promise<Refund[]> {
  const decidable = rows.filter(({ state }) => state === 'SENT' || state === 'REVIEW')
  const proposalOf = await readProposals(database, decidable.map(subjectOf))
  return rows.map((row) => {
    const decided = proposalOf(subjectOf(row))
    return refundOf(row, {
      paymentId: row.deposit_id,
      requestedBy: row.origin === 'operator' ? row.requested_by : null,
      needsApproval: needsApproval(row),
      waitsFor: waitsForWhom(row, decided, operator),
      why: whyOfOutgoing(row),
      proposal: toProposal(decided, operator),
    })
  })
}

export async function showRefund(database: Database, id: number, operator: Operator): Promise<Refund> {
  const [one] = await showRefunds(
    database,
    [(await database.one(sql.listedRefund, { id })) as sql.ListedRefundRow],
    operator,
  )
  return one as Refund
}

function needsApproval({ state, needs_approval, approved_by }: sql.RefundRow): boolean {
  return state === 'REQUESTED' && needs_approval === 1 && approved_by === null
}

function waitsForWhom(row: sql.RefundRow, decided: Proposal | null, operator: Operator): WaitsFor | null {
  if (needsApproval(row)) return waitsForOf(operator, [row.requested_person])
  const isReviewed = row.state === 'REVIEW' && row.origin !== 'withdrawal'
  return isReviewed || decided !== null ? waitsForOf(operator, [decided?.by.person ?? null]) : null
}
