// The SQL of *jobs*: what a gateway must still be sent. A job is written with the state that requires it and deleted with the state
// that it leads to. What a job is about is read by whoever runs it (sweep/).

import { writing } from '../../platform/database/database.ts'
import { bigint, orNull, type RowOf, table, text } from '../../platform/database/table-store.ts'
import { DEPOSIT_IDS, type DepositIds } from './deposit-ids.ts'

export type DepositJobKind = 'capture' | 'cancel' | 'book'
export type JobKind = DepositJobKind | 'refund' | 'part'

/** What all jobs have. */
export type Job = {
  id: number
  kind: JobKind
  /** How often it was tried before. What a process that died had claimed does not count: it may not have been sent. */
  attempts: number
  created_at: number
}

/** A job that is requested again starts again, with a new `created_at`: whoever runs the first must not end the second. */
export const insertJob = writing<{ depositId: string; kind: DepositJobKind; now: number }>('insertJob')`
  insert into job (deposit_id, kind, run_at, created_at) values (:depositId, :kind, :now, :now)
  on conflict (deposit_id, kind) do update set run_at = excluded.run_at, attempts = 0,
    created_at = case when excluded.created_at > job.created_at then excluded.created_at else job.created_at + 1 end`

/** Requested once. */
export const insertRefundJob = writing<{ refundId: number; now: number }>('insertRefundJob')`
  insert into job (refund_id, kind, run_at, created_at) values (:refundId, 'refund', :now, :now)`

export const deleteRefundJob = writing<{ refundId: number }>('deleteRefundJob')`
  delete from job where refund_id = :refundId`

export const partJobs = table('job', { part_id: orNull(bigint), kind: text, run_at: bigint, created_at: bigint })

/** A job that waits on purpose is not late: it is as old as the time from when it may run. */
export function newPartJob(partId: number, runAt: number): RowOf<typeof partJobs> {
  return { part_id: partId, kind: 'part', run_at: runAt, created_at: runAt }
}

/** A part that is approved again has its job already. With "where true" SQLite does not parse "on" as a join's. */
export const insertPartJobs = writing<{ rows: string }>('insertPartJobs')`
  ${partJobs.insertRows} where true on conflict do nothing`

export const deletePartJob = writing<{ partId: number }>('deletePartJob')`
  delete from job where part_id = :partId`

/** Leaves a job that was requested again meanwhile, which is due at once. */
export const postponeJob = writing<{ id: number; runAt: number; attempts: number; createdAt: number }>('postponeJob')`
  update job set run_at = :runAt, attempts = :attempts where id = :id and created_at = :createdAt`

/** With `createdAt`: only the job that was requested then. */
export const deleteJob = writing<{ depositId: string; kind: DepositJobKind; createdAt: number | null }>('deleteJob')`
  delete from job where deposit_id = :depositId and kind = :kind
    and (cast(:createdAt as bigint) is null or created_at = cast(:createdAt as bigint))`

export const deleteCaptureJobs = writing<DepositIds>('deleteCaptureJobs')`
  delete from job where kind = 'capture' and deposit_id in (${DEPOSIT_IDS})`
