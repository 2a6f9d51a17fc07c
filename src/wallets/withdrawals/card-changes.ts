// What two persons approved is what is paid: a change, closure or removal of a card brings back what it can no longer take, and what it
// can still take waits for new approvals.

import type { Database } from '../../platform/database/database.ts'
import { depositById } from '../deposits/store.ts'
import { type PartRow, partsOf } from './part-store.ts'
import { returnWaiting } from './parts.ts'
import type { WithdrawalRow } from './store.ts'
import * as sql from './store.ts'
import { voidApprovals } from './transitions.ts'

const CHANGED = 'The card has changed since. We check this withdrawal before we send it.'

type ChangedCard = {
  readonly id: number
  readonly customerId: number
  /** What it can still take. */
  readonly takes: 'everything' | 'returns' | 'nothing'
}

/** In the transaction of the change. The customer is locked. */
export async function holdForCard(
  tx: Database,
  { id: methodId, customerId, takes }: ChangedCard,
  now: number,
): Promise<void> {
  for (const { id } of await tx.query(sql.waitingToCard, { customerId, methodId })) {
    const withdrawal = (await tx.one(sql.lockWithdrawal, { id })) as WithdrawalRow
    const report = { gatewayReference: null, reason: 'the card can no longer take it', now }
    const refused = await refusedDeposits(tx, id)
    const isTaken = ({ kind, deposit_id }: PartRow) =>
      kind === 'return' ? takes !== 'nothing' && !refused.includes(deposit_id) : takes === 'everything'
    await returnWaiting(tx, withdrawal, (part) => !isTaken(part), report)
    const waiting = await tx.query(sql.waitingToCard, { customerId, methodId })
    if (!waiting.some((one) => one.id === id)) continue
    const left = (await tx.one(sql.lockWithdrawal, { id })) as WithdrawalRow
    await voidApprovals(tx, left, { hold: 'card', reason: CHANGED }, now)
  }
}

/** Deposits of waiting parts whose return the gateway refuses for good. A new withdrawal pays them out instead. */
async function refusedDeposits(tx: Database, withdrawalId: number): Promise<(string | null)[]> {
  const refused: (string | null)[] = []
  for (const { state, kind, deposit_id } of await tx.query(partsOf, { withdrawalId })) {
    if (state !== 'WAITING' || kind !== 'return') continue
    const deposit = await tx.one(depositById, { id: deposit_id ?? '' })
    if (deposit?.return_refused === 1) refused.push(deposit_id)
  }
  return refused
}
