// Withdrawals as operators see them.

import type { Operator } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { MINUTE_MS } from '../../platform/runtime/durations.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import { type Proposal, readProposals, type Subject } from '../../wallets/proposals.ts'
import { whyOfOutgoing } from '../../wallets/refunds/why.ts'
import { isPaidOutside, subjectOfReturn } from '../../wallets/withdrawals/outside.ts'
import type { PartRow } from '../../wallets/withdrawals/part-store.ts'
import { subjectOfPart } from '../../wallets/withdrawals/parts.ts'
import { readParts } from '../../wallets/withdrawals/read.ts'
import { type ListedWithdrawalRow, repeatedWithdrawals, withdrawalById } from '../../wallets/withdrawals/store.ts'
import { isApproved } from '../../wallets/withdrawals/transitions.ts'
import { shown } from '../server/shown.ts'
import { toProposal, type WaitsFor, waitsForOf } from './persons.ts'
import { type Withdrawal, withdrawal, withdrawalPart } from './withdrawal-schemas.ts'

const withdrawalOf = shown(withdrawal)
const partOf = shown(withdrawalPart)

/** Two of the same amount to one card within it are probably one that was sent twice. */
const REPETITION_MS = 10 * MINUTE_MS

/** What a page of withdrawals is shown with. */
type Facts = {
  readonly operator: Operator
  readonly partsOf: (id: number) => readonly PartRow[]
  readonly proposalOf: (subject: Subject) => Proposal | null
  readonly earlierOf: (id: number) => number | null
}

export async function showWithdrawals(
  database: Database,
  rows: readonly ListedWithdrawalRow[],
  operator: Operator,
): Promise<Withdrawal[]> {
  const partsOf = await readParts(database, rows)
  const reviewed = rows.flatMap(({ id }) => partsOf(id)).filter(({ state }) => state === 'REVIEW')
  const outside = rows.filter(({ id }) => partsOf(id).some(isPaidOutside))
  const waiting = rows.filter((row) => needsApproval(row, partsOf(row.id)))
  const facts = {
    operator,
    partsOf,
    proposalOf: await readProposals(database, [
      ...reviewed.map(subjectOfPart),
      ...outside.map(({ id }) => subjectOfReturn(id)),
    ]),
    earlierOf: await readEarlier(database, waiting),
  }
  return rows.map((row) => toWithdrawal(row, facts))
}

export async function showWithdrawal(database: Database, id: number, operator: Operator): Promise<Withdrawal> {
  const row = (await database.one(withdrawalById, { id })) as ListedWithdrawalRow
  const [one] = await showWithdrawals(database, [row], operator)
  return one as Withdrawal
}

async function readEarlier(database: Database, waiting: readonly { readonly id: number }[]) {
  if (waiting.length === 0) return () => null
  const ids = idListOf(waiting.map(({ id }) => id))
  const rows = await database.query(repeatedWithdrawals, { ids, withinMs: REPETITION_MS })
  const earlier = new Map(rows.map((row) => [row.id, row.earlier]))
  return (id: number) => earlier.get(id) ?? null
}

function needsApproval(row: ListedWithdrawalRow, parts: readonly PartRow[]): boolean {
  return !isApproved(row) && parts.some(({ state }) => state === 'WAITING')
}

/** Approvals, resolutions of parts in review, and payments outside that came back. Nobody decides one that an operator holds until it is released. */
function waitsForWhom(row: ListedWithdrawalRow, parts: readonly PartRow[], facts: Facts): WaitsFor | null {
  const decisions: WaitsFor[] = parts
    .filter(({ state }) => state === 'REVIEW')
    .map((part) => waitsForOf(facts.operator, [facts.proposalOf(subjectOfPart(part))?.by.person ?? null]))
  if (needsApproval(row, parts) && row.hold !== 'operator') {
    const role = row.approved_person === null ? 'cashier' : 'cashier-lead'
    decisions.push(waitsForOf(facts.operator, [row.requested_person, row.approved_person], role))
  }
  const returned = facts.proposalOf(subjectOfReturn(row.id))
  if (returned !== null) decisions.push(waitsForOf(facts.operator, [returned.by.person]))
  return decisions.includes('me') ? 'me' : (decisions[0] ?? null)
}

function toWithdrawal(row: ListedWithdrawalRow, facts: Facts): Withdrawal {
  const parts = facts.partsOf(row.id)
  const sum = (column: 'paid' | 'returned') =>
    formatMoney(parts.reduce((total, part) => total + BigInt(part[column]), 0n))
  const earlier = facts.earlierOf(row.id)
  return withdrawalOf(row, {
    paid: sum('paid'),
    returned: sum('returned'),
    needsApproval: needsApproval(row, parts),
    waitsFor: waitsForWhom(row, parts, facts),
    proposal: toProposal(facts.proposalOf(subjectOfReturn(row.id)), facts.operator),
    approvedBy: [row.approved_by, row.approved_again_by].filter((name) => name !== null),
    repeats: earlier === null ? null : `${earlier}`,
    parts: parts.map((part) =>
      partOf(part, {
        paymentId: part.deposit_id,
        why: whyOfOutgoing(part),
        proposal: toProposal(facts.proposalOf(subjectOfPart(part)), facts.operator),
      }),
    ),
  })
}
