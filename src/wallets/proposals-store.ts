// The SQL of decisions that wait for a second person.

import { reading, writing } from '../platform/database/database.ts'
import { inTextList } from '../platform/database/row-list-store.ts'

export type ProposalRow = {
  id: number
  subject: string
  customer_id: number
  terms: string
  note: string
  by_name: string
  by_person: string
  at: number
}

const PROPOSAL = 'id, subject, customer_id, terms, note, by_name, by_person, at'

export const proposalOf = reading<{ subject: string }, ProposalRow>('proposalOf')`
  select ${PROPOSAL} from money_proposal where subject = :subject`

/** Of a page of subjects. */
export const proposalsOf = reading<{ subjects: string }, ProposalRow>('proposalsOf')`
  select ${PROPOSAL} from money_proposal where subject ${inTextList('subjects')}`

export const putProposal = writing<{
  subject: string
  customerId: number
  terms: string
  note: string
  name: string
  person: string
  now: number
}>('putProposal')`
  insert into money_proposal (subject, customer_id, terms, note, by_name, by_person, at)
  values (:subject, :customerId, :terms, :note, :name, :person, :now)
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

/** Few: what waits is decided. */
export const proposalsOfCustomer = reading<{ customerId: number }, ProposalRow>('proposalsOfCustomer')`
  select ${PROPOSAL} from money_proposal where customer_id = :customerId order by id`
