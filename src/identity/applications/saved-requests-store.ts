import { reading, writing } from '../../platform/database/database.ts'
import { bigint, table, text } from '../../platform/database/table-store.ts'

/** `data`: the request as it may be shown, in JSON. */
export const savedRequestList = table('recent_request', { application: text, at: bigint, data: text })

export const insertRecentRequests = writing<{ rows: string }>('insertRecentRequests')`
  ${savedRequestList.insertRows}`

/** Deletes all but the newest `kept` requests of an application. */
export const deleteRecentRequestsBeyond = writing<{ application: string; kept: number }>('deleteRecentRequestsBeyond')`
  delete from recent_request where application = :application and id <= (
    select id from recent_request where application = :application order by id desc limit 1 offset :kept)`

export const savedRequests = reading<{ application: string; since: number; limit: number }, { data: string }>(
  'savedRequests',
)`
  select data from recent_request where application = :application and at > :since order by id desc limit :limit`

export const deleteRecentRequestsBefore = writing<{ before: number }>('deleteRecentRequestsBefore')`
  delete from recent_request where at < :before`
