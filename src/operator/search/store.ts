// What operators search by. Unlike customers, they find what is not shown too.

import { REVIEWED_STATE } from '../../communities/store.ts'
import type { CustomerStatus } from '../../identity/customers/status.ts'
import { reading } from '../../platform/database/database.ts'
import type { RowOf } from '../../platform/database/table-store.ts'
import type { ProfileStatus } from '../../profiles/store.ts'
import type { ReviewedTipState } from '../../record/tip-state.ts'
import { commentPage, profilePage, type Search } from '../../search/store.ts'
import { deposits } from '../../wallets/deposits/store.ts'

// ---- Customers

export type FoundCustomer = { id: number; username: string | null; status: CustomerStatus; name: string | null }

const CUSTOMER = `c.id, c.username, c.status, p.name from customer c left join profile p on p.customer_id = c.id`

/** `prefix` is in lower case; `end` is after all names that begin so. */
export const customersByIdOrUsername = reading<
  { id: number; prefix: string; end: string; limit: number },
  FoundCustomer & { rank: number }
>('customersByIdOrUsername')`
  select 1 as rank, ${CUSTOMER} where c.id = :id
  union all
  select * from (
    select 2 as rank, ${CUSTOMER}
    where c.username is not null and lower(c.username) collate "C" >= :prefix and lower(c.username) collate "C" < :end
      and c.id <> :id
    order by lower(c.username) collate "C", c.id limit :limit) as named
  order by rank, username`

// ---- Profiles and comments

/** `rank`: 1 if the name has all words. */
export type FoundProfile = {
  id: number
  rank: number
  name: string | null
  biography: string
  status: ProfileStatus
  customer_id: number
  username: string | null
  customer_status: CustomerStatus
}

const PROFILE = `p.id, p.name, p.biography, p.status, p.customer_id, c.username, c.status as customer_status`

export const profilesForOperators = reading<Search, FoundProfile>('profilesForOperators')`
  with ${profilePage('true')},
  page as (select * from found order by rank, id limit :reach)
  select page.rank, ${PROFILE} from page join profile p on p.id = page.id join customer c on c.id = p.customer_id
  order by page.rank, p.id`

export const profileForOperators = reading<{ id: number }, FoundProfile>('profileForOperators')`
  select 0 as rank, ${PROFILE} from profile p join customer c on c.id = p.customer_id where p.id = :id`

export type FoundComment = {
  id: number
  text: string
  state: ReviewedTipState
  created_at: number
  author_id: number
  name: string | null
  event: string
  starts_at: number
}

const COMMENT = `c.id, c.text, ${REVIEWED_STATE}, c.created_at, c.author_id, p.name, e.name as event, e.start_time as starts_at`
const COMMENT_JOINS = `join profile p on p.id = c.author_id join outcome o on o.id = c.outcome_id
  join market m on m.id = o.market_id join event e on e.id = m.event_id`

/** Newest first, from the one before `before`. */
export const commentsForOperators = reading<Search & { before: number; limit: number; offset: number }, FoundComment>(
  'commentsForOperators',
)`
  with ${commentPage('c.id < :before')}
  select ${COMMENT} from page join comment c on c.id = page.id ${COMMENT_JOINS} order by c.id desc`

export const commentForOperators = reading<{ id: number }, FoundComment>('commentForOperators')`
  select ${COMMENT} from comment c ${COMMENT_JOINS} where c.id = :id`

// ---- Deposits

const foundDeposits = deposits.pick('number, id, customer_id, amount, currency, state, created_at')
export type FoundDeposit = RowOf<typeof foundDeposits> & { card_number: string }

const NEWEST = 'number < :before order by number desc limit :limit'

/** By any of its references, newest first. Forms that the query does not have are '', or -1 for an amount. */
export const depositsForOperators = reading<
  { text: string; amount: number; lastDigits: string; before: number; limit: number },
  FoundDeposit
>('depositsForOperators')`
  with found as (
    select number from deposit where id = :text
    union select number from (select number from deposit where gateway_reference = :text and ${NEWEST}) as referred
    union select number from (select number from deposit where amount = :amount and ${NEWEST}) as paid
    union select number from (
      select d.number from payment_method m cross join deposit d
      where substr(m.card_number, length(m.card_number) - 3) = :lastDigits and m.card_number <> '000000******0000'
        and d.payment_method_id = m.id
        and d.number < :before order by d.number desc limit :limit) as by_card),
  page as materialized (select number from found where ${NEWEST})
  select ${foundDeposits.columns('d')}, m.card_number
  from page cross join deposit d cross join payment_method m
  where d.number = page.number and m.id = d.payment_method_id
  order by d.number desc`
