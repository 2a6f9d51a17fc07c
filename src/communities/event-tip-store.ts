import { MAX_OUTCOMES } from '../catalogue/event-store.ts'
import { reading } from '../platform/database/database.ts'
import { isVisibleInList } from '../profiles/visibility-store.ts'
import { type CommentRow, commentColumns } from './store.ts'

const SHOWN_TIP = `x.state = 'live' and (select p.status from profile p where p.id = x.author_id) = 'A'
  and ${isVisibleInList(':viewer', 'x.author_id')}`

/**
 * The newest tips on an event, whatever their results:
 *
 * 1. of_event: its outcomes.
 * 2. oldest: of each outcome, its tip number `reach`; older ones cannot be in the block.
 * 3. page: the block of the tips from there on.
 */
export const tipsOfEvent = reading<
  { eventId: number; viewer: number; reach: number; limit: number; offset: number },
  CommentRow
>('tipsOfEvent')`
  with of_event as materialized (
    select o.id as outcome_id from market m join outcome o on o.market_id = m.id where m.event_id = :eventId
    order by m.id, o.id limit ${MAX_OUTCOMES}),
  oldest as materialized (
    select of_event.outcome_id, coalesce((select x.id from comment x
      where x.outcome_id = of_event.outcome_id and ${SHOWN_TIP} order by x.id desc limit 1 offset :reach - 1), 0) as id
    from of_event),
  page as materialized (
    select x.id from oldest cross join comment x
    where x.outcome_id = oldest.outcome_id and x.id >= oldest.id and ${SHOWN_TIP}
    order by x.id desc limit :limit offset :offset)
  select ${commentColumns(':viewer')}
  from page join comment c on c.id = page.id join comment_count k on k.comment_id = c.id
  join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
  order by c.id desc`
