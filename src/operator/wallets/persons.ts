// What needs two persons, as each caller sees it: whether it waits for them, or for another person because they have decided already.

import type { Operator } from '../../identity/operators/operator.ts'
import { actorOf } from '../../identity/operators/person.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import type { Proposal, ProposalKind } from '../../wallets/proposals.ts'
import { type CallRole, mayCall } from '../server/call-roles.ts'
import * as s from '../server/fields.ts'

export const WAITS_FOR = ['me', 'another person'] as const
export type WaitsFor = (typeof WAITS_FOR)[number]

export const waitsFor = s.orNull(
  s.oneOf(WAITS_FOR),
  'Whose decision it waits for. `me`: of the caller. `another person`: the caller has decided, or may not. null: of nobody.',
  null,
)

/** `persons`: who have decided already. `role`: whose decision it is. */
export function waitsForOf(
  operator: Operator,
  persons: readonly (string | null)[],
  role: CallRole = 'cashier-lead',
): WaitsFor {
  const may = mayCall(operator, { role, method: 'POST', decides: true })
  return may && !persons.includes(actorOf(operator).person) ? 'me' : 'another person'
}

/** Who may confirm what. */
const CONFIRMED_BY: Partial<Record<ProposalKind, CallRole>> = { card: 'accounts or cashier-lead', movement: 'accounts' }

export function confirmationOf({ subject, by }: Proposal, operator: Operator): WaitsFor {
  return waitsForOf(operator, [by.person], CONFIRMED_BY[subject.split(' ', 1)[0] as ProposalKind])
}

export const proposal = s.orNull(
  s.namedObject('Proposal', {
    outcome: s.string('captured', 'Who confirms it decides the same.'),
    note: s.string('The gateway shows the capture'),
    by: s.string('openid:ann', 'Who has decided first.'),
    at: s.time(),
    waitsFor: s.oneOf(WAITS_FOR, 'another person', 'Who can confirm it.'),
  }),
  'A decision that waits for a second person; nothing has moved. null: none does.',
  null,
)
export type ShownProposal = s.ValueOf<typeof proposal>

export function toProposal(decided: Proposal | null, operator: Operator): ShownProposal {
  if (decided === null) return null
  const { terms, note, by, at } = decided
  return { outcome: terms, note, by: by.name, at: isoTime(at), waitsFor: confirmationOf(decided, operator) }
}

/** The note on what two persons record, such as a payment outside: what they have found, or the proof. */
export const proof = s.stringOf(
  { maxLength: 1000, pattern: s.WORDS },
  'Letter of the bank of 3 March',
  'What was found out, or the proof. Stored with the decision.',
)
