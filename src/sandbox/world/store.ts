import { reading, writing } from '../../platform/database/database.ts'
import { inList } from '../../platform/database/row-list-store.ts'

export const copyPasswordOfFirst = writing<{ id: number }>('copyPasswordOfFirst')`
  update customer set password_hash = (select password_hash from customer where id = 1) where id = :id and id <> 1`

type StoredTip = { id: number; bet_id: number; state: 'live' | 'deactivated' | 'removed' }

export const tipsOnOutcomes = reading<{ outcomeIds: string }, StoredTip>('tipsOnOutcomes')`
  select id, bet_id, state from comment where outcome_id ${inList('outcomeIds')}`

type OpenLeg = {
  bet_id: number
  outcome_id: number
  outcome_name: string
  market_name: string
  event_name: string
  sport_name: string
  start_time: number
  is_active: number
  price_num: number | null
  price_den: number | null
  starting_price: number
  is_tipped: number
}

/** Newest first. */
export const openLegsOfCustomer = reading<{ customerId: number; limit: number }, OpenLeg>('openLegsOfCustomer')`
  select b.id as bet_id, o.id as outcome_id, o.name as outcome_name, m.name as market_name, e.name as event_name,
    s.name as sport_name, e.start_time,
    case when e.status = 'active' and m.status = 'active' and o.status = 'active' then 1 else 0 end as is_active,
    o.price_num, o.price_den, o.starting_price,
    case when c.id is null then 0 else 1 end as is_tipped
  from bet b join bet_outcome l on l.bet_id = b.id join outcome o on o.id = l.outcome_id
    join market m on m.id = o.market_id join event e on e.id = m.event_id join sport s on s.id = e.sport_id
    left join profile p on p.customer_id = b.customer_id
    left join comment c on c.outcome_id = o.id and c.bet_id = b.id and c.author_id = p.id and c.state <> 'deactivated'
  where b.customer_id = :customerId and o.settled_at is null and o.result is null
  order by b.id desc, o.id limit :limit`
