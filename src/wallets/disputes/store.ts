// The SQL of disputes. Whoever changes one has locked its customer and its deposit.

import { locking, reading, writing } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'
import type { ParametersOf, RowOf } from '../../platform/database/table-store.ts'
import { bigint, money, oneOf, orNull, table, text } from '../../platform/database/table-store.ts'
import { DISPUTE_STATES, type DisputeState, EVIDENCE, type Evidence } from './events.ts'

export const disputes = table('dispute', {
  id: bigint,
  deposit_id: text,
  gateway_reference: text,
  customer_id: bigint,
  currency: text,
  state: oneOf(DISPUTE_STATES),
  /** The amount of the step that led to the state. */
  amount: money,
  /** What its steps add up to; below 0 where a reversal came first. */
  charged: money,
  /** What of it the customer has paid, and the house. */
  debited: money,
  house: money,
  evidence: oneOf(EVIDENCE),
  answer_by: orNull(bigint),
  last_event: orNull(text),
  ended_at: orNull(bigint),
  end_reason: orNull(text),
  created_at: bigint,
  changed_at: bigint,
})
export type DisputeRow = RowOf<typeof disputes>
const DISPUTE = disputes.columns()

/** The gateway uses one reference for everything that it reports about a dispute. */
export const disputeOf = reading<{ depositId: string; gatewayReference: string }, DisputeRow>('disputeOf')`
  select ${DISPUTE} from dispute where deposit_id = :depositId and gateway_reference = :gatewayReference`

export const lockDispute = locking<{ id: number }, DisputeRow>('lockDispute')`
  select ${disputes.columns('d')} from dispute d join customer c on c.id = d.customer_id where d.id = :id for no key update of c, d`

const newDisputes = disputes.pick('deposit_id, gateway_reference, customer_id, currency, amount')
export const insertDispute = writing<ParametersOf<typeof newDisputes> & { now: number }, DisputeRow>('insertDispute')`
  ${newDisputes.insert({ state: `'OPENED'`, created_at: ':now', changed_at: ':now' })} returning ${DISPUTE}`

/** No row: it was applied before. Earlier versions used the event as the key. */
export const insertDisputeEvent = writing<
  { disputeId: number; key: string; event: string; amount: bigint; now: number },
  { id: number }
>('insertDisputeEvent')`
  insert into dispute_event (dispute_id, notification_key, event, amount, at)
  select d.id, cast(:key as text), cast(:event as text), cast(:amount as bigint), cast(:now as bigint) from dispute d where d.id = :disputeId
    and not exists (select 1 from dispute_event e where e.dispute_id = d.id and e.notification_key = :event and e.amount = :amount)
  on conflict (dispute_id, notification_key) do nothing returning id`

export const changeDispute = writing<{
  id: number
  state: DisputeState
  amount: bigint
  charged: bigint
  evidence: Evidence
  answerBy: number | null
  event: string
  endedAt: number | null
  endReason: string | null
  now: number
}>('changeDispute')`
  update dispute set state = :state, amount = :amount, charged = :charged, evidence = :evidence, answer_by = cast(:answerBy as bigint),
    last_event = :event, ended_at = cast(:endedAt as bigint), end_reason = cast(:endReason as text), changed_at = :now
  where id = :id`

export const setDisputeBooked = writing<{ id: number; debited: bigint; house: bigint }>('setDisputeBooked')`
  update dispute set debited = :debited, house = :house where id = :id`

/** 0 rows: it has ended before. */
export const endDispute = writing<{ id: number; reason: string; now: number }>('endDispute')`
  update dispute set ended_at = :now, end_reason = :reason where id = :id and ended_at is null`

/** Open disputes without news since a time. */
export const silentDisputes = reading<{ before: number; limit: number }, { id: number }>('silentDisputes')`
  select id from dispute where ended_at is null and changed_at < :before order by changed_at, id limit :limit`

export const steps = table('dispute_event', { dispute_id: bigint, id: bigint, event: text, amount: money, at: bigint })
export type StepRow = RowOf<typeof steps>

export const disputeEvents = reading<{ disputeId: number }, Omit<StepRow, 'dispute_id'>>('disputeEvents')`
  select ${steps.omit('dispute_id').columns()} from dispute_event where dispute_id = :disputeId order by id`

/** The steps of a page of disputes, oldest first. */
export const disputeSteps = reading<{ ids: string }, StepRow>('disputeSteps')`
  select ${steps.columns()} from dispute_event where dispute_id ${inList('ids')} order by id`

// ---- Lists

export const disputeById = reading<{ id: number }, DisputeRow>('disputeById')`
  select ${DISPUTE} from dispute where id = :id`

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

/** Disputes that wait for evidence, the nearest deadline first. The condition is that of the partial index. */
export const disputesDue = reading<{ afterTime: number; after: number; limit: number }, DisputeRow>('disputesDue')`
  select ${DISPUTE} from dispute
  where answer_by is not null and evidence = 'open' and state in ('OPENED', 'CHARGED_BACK', 'CHARGED_BACK_AGAIN')
    and (answer_by > :afterTime or (answer_by = :afterTime and id > :after))
  order by answer_by, id limit :limit`
