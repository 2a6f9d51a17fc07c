// The SQL of disputes. Whoever changes one has locked its customer and its deposit.

import { reading, writing } from '../platform/database/database.ts'
import type { DisputeState, Evidence } from './dispute-events.ts'

export type DisputeRow = {
  id: number
  deposit_id: string
  gateway_reference: string
  customer_id: number
  currency: string
  state: DisputeState
  amount: string
  debited: string
  evidence: Evidence
  answer_by: number | null
  last_event: string | null
  created_at: number
  changed_at: number
}

const DISPUTE = `id, deposit_id, gateway_reference, customer_id, currency, state, cast(amount as text) as amount,
  cast(debited as text) as debited, evidence, answer_by, last_event, created_at, changed_at`

/** The gateway uses one reference for all that it says about a dispute. */
export const disputeOf = reading<{ depositId: string; gatewayReference: string }, DisputeRow>('disputeOf')`
  select ${DISPUTE} from dispute where deposit_id = :depositId and gateway_reference = :gatewayReference`

export const insertDispute = writing<
  {
    depositId: string
    gatewayReference: string
    customerId: number
    currency: string
    amount: bigint
    now: number
  },
  DisputeRow
>('insertDispute')`
  insert into dispute (deposit_id, gateway_reference, customer_id, currency, state, amount, created_at, changed_at)
  values (:depositId, :gatewayReference, :customerId, :currency, 'TOLD', :amount, :now, :now) returning ${DISPUTE}`

/** No row: it was applied before. */
export const insertDisputeEvent = writing<
  { disputeId: number; event: string; amount: bigint; now: number },
  { id: number }
>('insertDisputeEvent')`
  insert into dispute_event (dispute_id, event, amount, at) values (:disputeId, :event, :amount, :now)
  on conflict (dispute_id, event) do nothing returning id`

export const changeDispute = writing<{
  id: number
  state: DisputeState
  amount: bigint
  debited: bigint
  evidence: Evidence
  answerBy: number | null
  event: string
  now: number
}>('changeDispute')`
  update dispute set state = :state, amount = :amount, debited = :debited, evidence = :evidence, answer_by = cast(:answerBy as bigint),
    last_event = :event, changed_at = :now
  where id = :id`

export const disputeEvents = reading<{ disputeId: number }, { id: number; event: string; at: number }>('disputeEvents')`
  select id, event, at from dispute_event where dispute_id = :disputeId order by id`

// ---- Lists

/** Without a limit: a deposit has few. */
export const disputesOfDeposit = reading<{ depositId: string }, DisputeRow>('disputesOfDeposit')`
  select ${DISPUTE} from dispute where deposit_id = :depositId order by id`

type Page = { before: number; limit: number }

export const disputesBefore = reading<Page, DisputeRow>('disputesBefore')`
  select ${DISPUTE} from dispute where id < :before order by id desc limit :limit`

export const disputesOfCustomerBefore = reading<Page & { customerId: number }, DisputeRow>('disputesOfCustomerBefore')`
  select ${DISPUTE} from dispute where customer_id = :customerId and id < :before order by id desc limit :limit`

export const disputesInStateBefore = reading<Page & { state: DisputeState }, DisputeRow>('disputesInStateBefore')`
  select ${DISPUTE} from dispute where state = :state and id < :before order by id desc limit :limit`

/** Those that wait for evidence, the nearest deadline first. As the partial index has it. */
export const disputesDue = reading<{ afterTime: number; after: number; limit: number }, DisputeRow>('disputesDue')`
  select ${DISPUTE} from dispute
  where answer_by is not null and evidence = 'open' and state in ('TOLD', 'CHARGED_BACK', 'CHARGED_BACK_AGAIN')
    and (answer_by > :afterTime or (answer_by = :afterTime and id > :after))
  order by answer_by, id limit :limit`
