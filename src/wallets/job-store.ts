// The SQL of leases and of *jobs*: what a gateway must still be sent. A job is written with the state that requires it
// and deleted with the state that it leads to.

import { reading, writing } from '../platform/database/database.ts'
import { DEPOSIT_IDS, DEPOSITS_AT_ONCE, type DepositIds, type DepositState, UNDECIDED } from './store.ts'

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
  or (select min(run_at) from job) <= :now)`

type JobKind = 'capture' | 'cancel' | 'settle'

/** A job that is requested again starts again, with a new `created_at`: whoever runs the first must not end the second. */
export const insertJob = writing<{ depositId: string; kind: JobKind; now: number }>(
  'insertJob',
  `insert into job (deposit_id, kind, run_at, created_at) values (:depositId, :kind, :now, :now)
   on conflict (deposit_id, kind) do update set run_at = excluded.run_at, attempts = 0,
     created_at = case when excluded.created_at > job.created_at then excluded.created_at else job.created_at + 1 end`,
)

/** Requested once. */
export const insertRefundJob = writing<{ refundId: number; now: number }>('insertRefundJob')`
  insert into job (refund_id, kind, run_at, created_at) values (:refundId, 'refund', :now, :now)`

export const deleteRefundJob = writing<{ refundId: number }>('deleteRefundJob')`
  delete from job where refund_id = :refundId`

/** Requested once. */
export const insertPayoutJob = writing<{ withdrawalId: number; now: number }>('insertPayoutJob')`
  insert into job (withdrawal_id, kind, run_at, created_at) values (:withdrawalId, 'payout', :now, :now)`

export const deletePayoutJob = writing<{ withdrawalId: number }>('deletePayoutJob')`
  delete from job where withdrawal_id = :withdrawalId`

/** With the deposit of the job, or of its refund. Of a payout only `gateway` and `withdrawal_id` are set. */
export type JobRow = {
  id: number
  deposit_id: string
  kind: JobKind | 'refund' | 'payout'
  /** How often it was tried before. What a process that died had claimed does not count: it may not have been sent. */
  attempts: number
  created_at: number
  amount: string
  currency: string
  gateway: string
  gateway_reference: string | null
  /** Of a refund's job. */
  refund_id: number | null
  withdrawal_id: number | null
  refund_reference: string | null
  refund_amount: string | null
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
   returning id, ${DEPOSIT_OF_JOB} as deposit_id, kind, attempts, created_at, refund_id, withdrawal_id,
     (select cast(d.amount as text) from deposit d where d.id = ${DEPOSIT_OF_JOB}) as amount,
     (select d.currency from deposit d where d.id = ${DEPOSIT_OF_JOB}) as currency,
     coalesce((select d.gateway from deposit d where d.id = ${DEPOSIT_OF_JOB}),
       (select w.gateway from withdrawal w where w.id = job.withdrawal_id)) as gateway,
     (select d.gateway_reference from deposit d where d.id = ${DEPOSIT_OF_JOB}) as gateway_reference,
     (select r.reference from refund r where r.id = job.refund_id) as refund_reference,
     (select cast(r.amount as text) from refund r where r.id = job.refund_id) as refund_amount`,
)

/** Not one that was requested again meanwhile, which is due at once. */
export const postponeJob = writing<{ id: number; runAt: number; createdAt: number }>('postponeJob')`
  update job set run_at = :runAt, attempts = attempts + 1 where id = :id and created_at = :createdAt`

/** With `createdAt`: only the job that was requested then. */
export const deleteJob = writing<{ depositId: string; kind: JobKind; createdAt: number | null }>(
  'deleteJob',
  `delete from job where deposit_id = :depositId and kind = :kind
     and (cast(:createdAt as bigint) is null or created_at = cast(:createdAt as bigint))`,
)

export const deleteCaptureJobs = writing<DepositIds>(
  'deleteCaptureJobs',
  `delete from job where kind = 'capture' and deposit_id in (${DEPOSIT_IDS})`,
)
