// The SQL of the sweeper: leases that are over, jobs that are due with all that running them needs, and what waits.

import { type NoParameters, reading, writing } from '../../platform/database/database.ts'
import { type DepositState, UNDECIDED } from '../deposits/store.ts'
import { DEPOSITS_AT_ONCE } from '../jobs/deposit-ids.ts'
import type { Job } from '../jobs/store.ts'

type ExpiredRow = { id: string; state: DepositState; lease_until: number }

/**
 * Without a lock: if several processes void one deposit, one succeeds. `authorisingUntil` is for deposits that wait for the
 * gateway and not for the customer.
 */
export const expiredDeposits = reading<{ now: number; authorisingUntil: number; limit: number }, ExpiredRow>(
  'expiredDeposits',
  `select id, state, lease_until from deposit
   where ${UNDECIDED} and lease_until <= case state when 'CHALLENGE' then cast(:now as bigint) else cast(:authorisingUntil as bigint) end
   order by lease_until limit :limit`,
)

export const HAS_DEPOSIT_WORK = `(exists (select 1 from deposit where ${UNDECIDED} and lease_until <= :now)
  or (select min(run_at) from job) <= :now or (select min(try_at) from gateway_notification where try_at is not null) <= :now)`

/** With the deposit of the job, or of its refund. Of a part only `gateway`, `part_id` and `withdrawal_id` are set. */
export type JobRow = Job & {
  deposit_id: string
  amount: string
  currency: string
  gateway: string
  gateway_reference: string | null
  refund_id: number | null
  part_id: number | null
  withdrawal_id: number | null
}

/** Read before jobs are claimed, so that a sweep with nothing to do writes nothing. */
export const firstDueJob = reading<{ now: number }, { id: number }>(
  'firstDueJob',
  'select id from job where run_at <= :now order by run_at limit 1',
)

/** What one sweep captures is recorded together. */
export const JOBS_AT_ONCE = DEPOSITS_AT_ONCE

const DEPOSIT_OF_JOB = 'coalesce(job.deposit_id, (select f.deposit_id from refund f where f.id = job.refund_id))'

/**
 * Claims due jobs until `until`; if the process dies, others claim them then. The limit is part of the text, so that the
 * planner knows how few rows there are.
 */
export const claimJobs = writing<{ now: number; until: number }, JobRow>(
  'claimJobs',
  `with due as materialized (
     select id from job where run_at <= :now order by run_at limit ${JOBS_AT_ONCE} for update skip locked)
   update job set run_at = :until where id in (select id from due)
   returning id, ${DEPOSIT_OF_JOB} as deposit_id, kind, attempts, created_at, refund_id, part_id,
     (select cast(d.amount as text) from deposit d where d.id = ${DEPOSIT_OF_JOB}) as amount,
     (select d.currency from deposit d where d.id = ${DEPOSIT_OF_JOB}) as currency,
     coalesce((select d.gateway from deposit d where d.id = ${DEPOSIT_OF_JOB}),
       (select p.gateway from withdrawal_part p where p.id = job.part_id)) as gateway,
     (select d.gateway_reference from deposit d where d.id = ${DEPOSIT_OF_JOB}) as gateway_reference,
     (select p.withdrawal_id from withdrawal_part p where p.id = job.part_id) as withdrawal_id`,
)

type PendingWorkRow = { kind: string; waiting: number; oldest: number | null }

/** Deposits without a decision, jobs, withdrawals that wait for persons, and unapplied notifications: all are few. */
export const pendingWork = reading<NoParameters, PendingWorkRow>(
  'pendingWork',
  `select 'undecided' as kind, count(*) as waiting, min(lease_until) as oldest from deposit
     where ${UNDECIDED} and state = 'AUTHORISING'
   union all select 'challenge', count(*), min(lease_until) from deposit where ${UNDECIDED} and state = 'CHALLENGE'
   union all select 'capture', count(*), min(created_at) from job where kind = 'capture'
   union all select 'cancel', count(*), min(created_at) from job where kind = 'cancel'
   union all select 'refund', count(*), min(created_at) from job where kind = 'refund'
   union all select 'payout', count(*), min(created_at) from job where kind = 'part'
   union all select 'approval', count(*), min(created_at) from withdrawal where state = 'REQUESTED'
   union all select 'unappliedNotification', count(*), min(received_at) from gateway_notification
     where outcome in ('contradiction', 'failed') and settled_at is null`,
)
