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

export const disputeState = s.oneOf(DISPUTE_STATES, {
  description:
    '`OPENED`: nothing has moved. `CHARGED_BACK`, `CHARGED_BACK_AGAIN`, `LOST`: the bank has taken the money. `REVERSED`, `WON`: it has returned it.',
  examples: ['CHARGED_BACK'],
})

const step = s.object({
  event: s.string({ description: 'The name of the event at Adyen.', examples: ['CHARGEBACK'] }),
  amount: s.amount('25.00'),
  at: s.time(),
})

export const dispute = s.namedObject('Dispute', {
  id: s.id('3'),
  paymentId: s.string({ examples: ['0b7f9a52-6c1e-4d0b-9f35-2a8e7c4d1b60'] }),
  customerId: s.id('1'),
  state: disputeState,
  amount: s.amount('25.00'),
  charged: s.amount('25.00', {
    description: 'What the bank has charged and not returned; negative where it returned more than it charged.',
  }),
  debited: s.amount('25.00', { description: 'What of it the customer’s account and debt were debited.' }),
  house: s.amount('0.00', { description: 'What of it goes beyond what was captured, and is the house’s loss.' }),
  currency: s.string({ description: 'ISO 4217', examples: ['GBP'] }),
  evidence: s.oneOf(EVIDENCE, {
    description: '`open`: it may still be given. `over`: no longer.',
    examples: ['open'],
  }),
  answerBy: s.orNull(s.time(), { description: 'Until when evidence may be given at the gateway.' }),
  lastEvent: s.string({
    description: 'What the gateway reported last, by its name at Adyen.',
    examples: ['CHARGEBACK'],
  }),
  steps: s.list(step, { description: 'What the gateway has reported, oldest first.' }),
  endedAt: s.orNull(s.time(), {
    description: 'When it ended: what is left of the deposit can go back to its card. null: it is open.',
    examples: [null],
  }),
  endReason: s.orNull(s.string(), { description: 'The event, or who ended it and why.', examples: [null] }),
  proposal,
  gatewayReference: s.string({ description: 'The gateway’s id of the dispute.', examples: ['sandbox-dispute-1'] }),
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
