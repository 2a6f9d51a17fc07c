import { reading, writing } from '../../platform/database/database.ts'
import { rowList } from '../../platform/database/row-list-store.ts'

/** `data`: the request as it may be shown, in JSON. */
export const savedRequestList = rowList({ application: 'text', at: 'bigint', data: 'text' })

export const insertRecentRequests = writing<{ rows: string }>('insertRecentRequests')`
  ${savedRequestList.insertInto('recent_request')}`

/** Of an application all but its newest `kept`. */
export const deleteRecentRequestsBeyond = writing<{ application: string; kept: number }>('deleteRecentRequestsBeyond')`
  delete from recent_request where application = :application and id <= (
    select id from recent_request where application = :application order by id desc limit 1 offset :kept)`

export const savedRequests = reading<{ application: string; since: number; limit: number }, { data: string }>(
  'savedRequests',
)`
  select data from recent_request where application = :application and at > :since order by id desc limit :limit`

export const deleteRecentRequestsBefore = writing<{ before: number }>('deleteRecentRequestsBefore')`
  delete from recent_request where at < :before`
