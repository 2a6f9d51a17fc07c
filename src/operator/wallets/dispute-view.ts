// Disputes as operators see them.

import type { Operator } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { DISPUTE_STATES, EVIDENCE } from '../../wallets/disputes/events.ts'
import { type DisputeRow, disputeSteps } from '../../wallets/disputes/store.ts'
import { readProposals, type Subject } from '../../wallets/proposals.ts'
import * as s from '../server/fields.ts'
import { shown } from '../server/shown.ts'
import { proposal, toProposal } from './persons.ts'

export const disputeState = s.oneOf(
  DISPUTE_STATES,
  'CHARGED_BACK',
  '`OPENED`: nothing has moved. `CHARGED_BACK`, `CHARGED_BACK_AGAIN`, `LOST`: the bank has taken the money. `REVERSED`, `WON`: it has returned it.',
)

const step = s.object({
  event: s.string('CHARGEBACK', 'The name of the event at Adyen.'),
  amount: s.amount('25.00'),
  at: s.time(),
})

export const dispute = s.namedObject('Dispute', {
  id: s.id('3'),
  paymentId: s.string('0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'),
  customerId: s.id('1'),
  state: disputeState,
  amount: s.amount('25.00'),
  charged: s.amount(
    '25.00',
    'What the bank has charged and not returned; negative where it returned more than it charged.',
  ),
  debited: s.amount('25.00', 'What of it the customer’s account and debt were debited.'),
  house: s.amount('0.00', 'What of it goes beyond what was captured, and is the house’s loss.'),
  currency: s.string('GBP', 'ISO 4217'),
  evidence: s.oneOf(EVIDENCE, 'open', '`open`: it may still be given. `over`: no longer.'),
  answerBy: s.orNull(s.time(), 'Until when evidence may be given at the gateway.'),
  lastEvent: s.string('CHARGEBACK', 'What the gateway reported last, by its name at Adyen.'),
  steps: s.list(step, 'What the gateway has reported, oldest first.'),
  endedAt: s.orNull(
    s.time(),
    'When it ended: what is left of the deposit can go back to its card. null: it is open.',
    null,
  ),
  endReason: s.orNull(s.string(), 'The event, or who ended it and why.', null),
  proposal,
  gatewayReference: s.string('sandbox-dispute-1', 'The gateway’s id of the dispute.'),
  createdAt: s.time(),
  changedAt: s.time(),
})
export type Dispute = s.ValueOf<typeof dispute>
const disputeOf = shown(dispute)
const stepOf = shown(step)

const subjectOf = ({ id }: { readonly id: number }): Subject => `dispute ${id}`

export async function showDisputes(
  database: Database,
  rows: readonly DisputeRow[],
  operator: Operator,
): Promise<Dispute[]> {
  const ids = idListOf(rows.map(({ id }) => id))
  const steps = rows.length === 0 ? [] : await database.query(disputeSteps, { ids })
  const stepsOf = Map.groupBy(steps, ({ dispute_id }) => dispute_id)
  const open = rows.filter(({ ended_at }) => ended_at === null)
  const proposalOf = await readProposals(database, open.map(subjectOf))
  return rows.map((row) =>
    disputeOf(row, {
      paymentId: row.deposit_id,
      lastEvent: row.last_event ?? '',
      steps: (stepsOf.get(row.id) ?? []).map((one) => stepOf(one)),
      proposal: toProposal(proposalOf(subjectOf(row)), operator),
    }),
  )
}
