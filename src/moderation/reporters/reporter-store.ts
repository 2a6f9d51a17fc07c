// Reporters as moderators see them. What their flags weigh is in flags/weight-store.ts.

import { locking, reading, type Statement, writing } from '../../platform/database/database.ts'

export type ReporterRow = {
  profile_id: number
  customer_id: number
  name: string | null
  flags: number
  upheld: number
  rejected: number
  weight: number
  muted: number
  trusted: number
  note: string
}

/** Has a row also for a profile that has never flagged. */
export const reporterOfProfile = reading<{ profileId: number }, ReporterRow>('reporterOfProfile')`
  select p.id as profile_id, p.customer_id, p.name, coalesce(r.flags, 0) as flags, coalesce(r.upheld, 0) as upheld,
    coalesce(r.rejected, 0) as rejected, coalesce(r.weight, 500000) as weight, coalesce(r.muted, 0) as muted,
    coalesce(r.trusted, 0) as trusted, coalesce(r.note, '') as note
  from profile p left join reporter r on r.profile_id = p.id where p.id = :profileId`

/** `flags` and `profileId` are those of the last reporter of the page before. */
export type ReporterPage = { flags: number; profileId: number; limit: number }

/** Most flags first. The constant is the longest page and one more, as for the queue. */
function pageOfReporters(condition: string): string {
  return `with page as (select * from (select * from reporter where ${condition} and (flags, profile_id) < (:flags, :profileId)
     order by flags desc, profile_id desc limit :limit) found limit 101)
   select page.profile_id, p.customer_id, p.name, page.flags, page.upheld, page.rejected, page.weight, page.muted,
     page.trusted, page.note
   from page join profile p on p.id = page.profile_id order by page.flags desc, page.profile_id desc`
}

type ReporterList = Statement<ReporterPage, ReporterRow>
export const activeReporters: ReporterList = reading('activeReporters', pageOfReporters('flags > 0'))
export const mutedReporters: ReporterList = reading('mutedReporters', pageOfReporters('muted = 1'))
export const trustedReporters: ReporterList = reading('trustedReporters', pageOfReporters('trusted = 1'))

// ---- Marks

export type Marks = { muted: number; trusted: number; note: string }

export const ensureReporter = writing<{ profileId: number }>('ensureReporter')`
  insert into reporter (profile_id) values (:profileId) on conflict (profile_id) do nothing`

export const lockMarks = locking<{ profileId: number }, Marks>('lockMarks')`
  select muted, trusted, note from reporter where profile_id = :profileId for update`

export const setMarks = writing<{ profileId: number } & Marks>('setMarks')`
  update reporter set muted = :muted, trusted = :trusted, note = :note where profile_id = :profileId`
