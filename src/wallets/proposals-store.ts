// The SQL of decisions that wait for a second person.

import { reading, writing } from '../platform/database/database.ts'
import { inTextList } from '../platform/database/row-list-store.ts'
import { bigint, type ParametersOf, type RowOf, table, text } from '../platform/database/table-store.ts'

export const proposals = table('money_proposal', {
  id: bigint,
  subject: text,
  customer_id: bigint,
  terms: text,
  note: text,
  by_name: text,
  by_person: text,
  at: bigint,
})
export type ProposalRow = RowOf<typeof proposals>
const PROPOSAL = proposals.columns()

export const proposalOf = reading<{ subject: string }, ProposalRow>('proposalOf')`
  select ${PROPOSAL} from money_proposal where subject = :subject`

/** The proposals about a page of subjects. */
export const proposalsOf = reading<{ subjects: string }, ProposalRow>('proposalsOf')`
  select ${PROPOSAL} from money_proposal where subject ${inTextList('subjects')}`

const newProposals = proposals.omit('id')
export const putProposal = writing<ParametersOf<typeof newProposals>>('putProposal')`
  ${newProposals.insert()}
  on conflict (subject) do update set customer_id = excluded.customer_id, terms = excluded.terms, note = excluded.note,
    by_name = excluded.by_name, by_person = excluded.by_person, at = excluded.at`

export const deleteProposal = writing<{ subject: string }>('deleteProposal')`
  delete from money_proposal where subject = :subject`

/** No row: it was confirmed or withdrawn before. */
export const deleteProposalById = writing<{ id: number }, ProposalRow>('deleteProposalById')`
  delete from money_proposal where id = :id returning ${PROPOSAL}`

/** A page of all, the one that waits longest first. */
export const proposalsAfter = reading<{ after: number; limit: number }, ProposalRow>('proposalsAfter')`
  select ${PROPOSAL} from money_proposal where id > :after order by id limit :limit`

/** Without a limit: few proposals wait for one customer. */
export const proposalsOfCustomer = reading<{ customerId: number }, ProposalRow>('proposalsOfCustomer')`
  select ${PROPOSAL} from money_proposal where customer_id = :customerId order by id`
