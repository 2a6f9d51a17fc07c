// Decisions of two persons: the first proposes, and another one who decides the same puts it into effect. A decision with other
// terms replaces the proposal.

import type { Actor } from '../identity/operators/person.ts'
import type { Database } from '../platform/database/database.ts'
import { textListOf } from '../platform/database/row-list-store.ts'
import { Refused } from '../platform/runtime/refused.ts'
import * as sql from './proposals-store.ts'

/** What is decided about. */
export const PROPOSAL_KINDS = [
  'deposit',
  'refund',
  'part',
  'dispute',
  'card',
  'account-closure',
  'outside-payment',
  'outside-return',
  'debt-write-off',
  'movement',
] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** A kind and an id, such as `refund 5`. */
export type Subject = `${ProposalKind} ${string}`

export type Proposal = {
  readonly id: number
  readonly subject: Subject
  readonly customerId: number
  readonly terms: string
  readonly note: string
  readonly by: Actor
  readonly at: number
}

type Decision = {
  readonly subject: Subject
  readonly customerId: number
  /** What both must decide alike, in words. */
  readonly terms: string
  readonly note: string
  readonly by: Actor
}

/** The proposal of the first person, if this is the second; null: it waits for another person. In a transaction that holds the subject's lock. */
export async function decidedBefore(
  tx: Database,
  { subject, customerId, terms, note, by }: Decision,
  now: number,
): Promise<Proposal | null> {
  if (by.cannotDecide) throw new Refused('conflict', by.cannotDecide)
  const proposal = await readProposal(tx, subject)
  if (proposal === null || proposal.terms !== terms) {
    const proposed = { subject, customer_id: customerId, terms, note, at: now }
    await tx.run(sql.putProposal, { ...proposed, by_name: by.name, by_person: by.person })
    return null
  }
  if (proposal.by.person === by.person) {
    throw new Refused('conflict', 'You have decided this already: another person confirms it.')
  }
  if ((await tx.run(sql.deleteProposal, { subject })) === 0) {
    throw new Refused('conflict', 'The proposal was withdrawn meanwhile. Decide again to propose it.')
  }
  return proposal
}

export async function readProposal(database: Database, subject: Subject): Promise<Proposal | null> {
  const row = await database.one(sql.proposalOf, { subject })
  return row === undefined ? null : toProposal(row)
}

/** The proposals about a page of subjects. */
export async function readProposals(
  database: Database,
  subjects: readonly Subject[],
): Promise<(subject: Subject) => Proposal | null> {
  const rows = subjects.length === 0 ? [] : await database.query(sql.proposalsOf, { subjects: textListOf(subjects) })
  const proposals = new Map(rows.map((row) => [row.subject, toProposal(row)]))
  return (subject) => proposals.get(subject) ?? null
}

/** All proposals, the one that waits longest first. */
export async function listProposals(database: Database, after: number, limit: number): Promise<Proposal[]> {
  return (await database.query(sql.proposalsAfter, { after, limit })).map(toProposal)
}

/** The proposals about one customer, the one that waits longest first. */
export async function proposalsAbout(database: Database, customerId: number): Promise<Proposal[]> {
  return (await database.query(sql.proposalsOfCustomer, { customerId })).map(toProposal)
}

/** Voids a proposal whose subject has changed since. */
export async function dropProposal(tx: Database, subject: Subject): Promise<void> {
  await tx.run(sql.deleteProposal, { subject })
}

/** Withdraws a proposal that nobody confirms. Its author may do so too. */
export async function withdrawProposal(database: Database, id: number): Promise<Proposal> {
  const row = await database.one(sql.deleteProposalById, { id })
  if (row === undefined) throw new Refused('unknown', 'There is no such proposal: it was confirmed or withdrawn.')
  return toProposal(row)
}

function toProposal({ id, subject, customer_id, terms, note, by_name, by_person, at }: sql.ProposalRow): Proposal {
  const by = { name: by_name, person: by_person }
  return { id, subject: subject as Subject, customerId: customer_id, terms, note, by, at }
}
