// The SQL of the lists of deposits. Each list is read along one index, newest first; the other filters are applied to the
// rows that it gives. A list in which hardly any row may pass them is read in *windows* of a bounded length. The plus before
// a column keeps planners, which know no values, from taking another index because of a filter that lets everything pass.

import { reading, type Statement } from '../../platform/database/database.ts'
import { type CardRow, cardColumns, LAST_FOUR, METHOD } from '../cards/columns-store.ts'
import { DEPOSIT, type DepositRow } from './store.ts'

const NOT_ERASED = `m.card_number <> '000000******0000'`

export type ListedDepositRow = DepositRow & CardRow & { review_at: number | null }

const LISTED = `${DEPOSIT}, review_at, ${cardColumns(METHOD)}`

export const listedDeposit = reading<{ id: string }, ListedDepositRow>('listedDeposit')`
  select ${LISTED} from deposit where id = :id`

/** null: any. */
export type FilterParameters = {
  customerId: number | null
  methodId: number | null
  lastFour: string | null
  state: string | null
  fault: string | null
  review: string | null
  currency: string | null
  minAmount: bigint
  maxAmount: bigint
  from: number
  until: number
}

const isAnyOr = (column: string, parameter: string, type: string) =>
  `(cast(:${parameter} as ${type}) is null or ${column} = cast(:${parameter} as ${type}))`

const FILTERS = [
  '+created_at >= :from',
  '+created_at < :until',
  '+amount >= :minAmount',
  '+amount <= :maxAmount',
  isAnyOr('state', 'state', 'text'),
  isAnyOr('fault', 'fault', 'text'),
  isAnyOr('review', 'review', 'text'),
  isAnyOr('currency', 'currency', 'text'),
  isAnyOr('payment_method_id', 'methodId', 'bigint'),
  isAnyOr(`(select ${LAST_FOUR} from ${METHOD})`, 'lastFour', 'text'),
].join(' and ')

/** A position is a key (a state, a reason, a time) and a number. `lowest` is the last key of the list. */
type Start = { key: string | number; before: number; lowest: string | number }
type Page = Start & { limit: number }
type FilteredPage = FilterParameters & Page
export type PositionRow = { created_at: number; number: number }

/** How many rows of an index one page looks at. 5,000 take SQLite some 10 ms, in which it serves nobody else. */
export const WINDOW = 5_000

export type DepositList = {
  /** Without other filters. */
  readonly whole: Statement<Page, ListedDepositRow>
  /** The rows of the window that begins at a position. */
  readonly filtered: Statement<FilteredPage, ListedDepositRow>
  /** The last row of the window that begins at a position; none: fewer rows are left. */
  readonly windowEnd: Statement<Start, PositionRow>
}

/** The rows below a position, and their order. */
type Parts = { name: string; below: string; order: string }

/** The limit of the window is in the text, and nothing of a filter is inside: it is always read along its index. */
function depositList({ name, below, order }: Parts): DepositList {
  return {
    whole: reading(`deposits${name}`, `select ${LISTED} from deposit where ${below} order by ${order} limit :limit`),
    filtered: reading(
      `deposits${name}Filtered`,
      `select ${LISTED} from (select * from deposit where ${below} order by ${order} limit ${WINDOW}) seen
       where ${FILTERS} order by ${order} limit :limit`,
    ),
    windowEnd: reading(
      `deposits${name}WindowEnd`,
      `select created_at, number from deposit where ${below} order by ${order} limit 1 offset ${WINDOW - 1}`,
    ),
  }
}

/** As rows, not as an equality: PostgreSQL would walk all deposits in the order of their numbers to find a rare state. */
const byKey = (name: string, column: string) =>
  depositList({
    name,
    below: `(${column}, number) < (:key, :before) and ${column} >= :lowest`,
    order: `${column} desc, number desc`,
  })

export const depositLists = {
  all: depositList({ name: 'OfAll', below: 'number < :before', order: 'number desc' }),
  byState: byKey('InState', 'state'),
  byFault: byKey('Refused', 'fault'),
  byReview: byKey('Reviewed', 'review'),
  byTime: byKey('OfPeriod', 'created_at'),
} as const

// ---- Lists that are short, so that they have no windows

type ShortPage = FilterParameters & { before: number; limit: number }

export const depositsOfCustomerFiltered = reading<ShortPage, ListedDepositRow>('depositsOfCustomerFiltered')`
  select ${LISTED} from deposit where customer_id = :customerId and number < :before and ${FILTERS}
  order by number desc limit :limit`

export type OwnDepositRow = DepositRow & { lease_until: number | null }

/** A customer's own deposits, in blocks. */
export const ownDeposits = reading<{ customerId: number; limit: number; offset: number }, OwnDepositRow>('ownDeposits')`
  select ${DEPOSIT}, lease_until from deposit where customer_id = :customerId order by number desc limit :limit offset :offset`

export const depositsOfCards = reading<ShortPage, ListedDepositRow>('depositsOfCards')`
  select ${LISTED} from (select m.id as card from payment_method m
    where ${LAST_FOUR} = :lastFour and ${NOT_ERASED}) cards cross join deposit
  where payment_method_id = card and +number < :before and ${FILTERS} order by +number desc limit :limit`

/** With more cards than these the digits are no help: tests use the same cards again and again. */
export const MAX_CARDS = 200

/** Counted up to one more. Of a million cards a hundred have the same four digits. */
export const cardsWithDigits = reading<{ lastFour: string }, { cards: number }>('cardsWithDigits')`
  select count(*) as cards from (select 1 from payment_method m where ${LAST_FOUR} = :lastFour and ${NOT_ERASED}
    limit ${MAX_CARDS + 1}) counted`

export const ownerOfMethod = reading<{ id: number }, { customer_id: number }>('ownerOfMethod')`
  select customer_id from payment_method where id = :id`

// ---- What waits for somebody, or for the gateway

/** Oldest first, from the one after a position. */
export const depositsInReview = reading<
  { afterAt: number; after: number; limit: number },
  ListedDepositRow & { review_at: number }
>('depositsInReview')`
  select ${LISTED} from deposit where state = 'REVIEW' and (review_at, number) > (:afterAt, :after)
  order by review_at, number limit :limit`

/** A deposit that is authorised waits for its capture. */
export const oldestAuthorised = reading<Record<never, never>, DepositRow>('oldestAuthorised')`
  select ${DEPOSIT} from deposit where state = 'AUTHORISED' order by number limit 1`

const MAX_COUNTED = 1000
const counted = (state: string) =>
  `(select count(*) from (select 1 from deposit where state = '${state}' order by number desc limit ${MAX_COUNTED}) c)`

/** Each up to 1000. */
export const waitingDeposits = reading<Record<never, never>, { in_review: number; authorised: number }>(
  'waitingDeposits',
)`
  select ${counted('REVIEW')} as in_review, ${counted('AUTHORISED')} as authorised`

/** Newest first, from the one before `before`. */
export const depositsOfCustomerBefore = reading<
  { customerId: number; before: number; limit: number },
  DepositRow & CardRow
>('depositsOfCustomerBefore')`
  select ${DEPOSIT}, ${cardColumns(METHOD)} from deposit where customer_id = :customerId and number < :before order by number desc limit :limit`

/** The customer's deposits whose issuer requested a confirmation, with the time of the request; newest first. */
export const challengesOfCustomerBefore = reading<
  { customerId: number; before: number; limit: number },
  { number: number; id: string; amount: string; currency: string; at: number }
>('challengesOfCustomerBefore')`
  select d.number, d.id, cast(d.amount as text) as amount, d.currency, e.at
  from deposit d join deposit_event e on e.deposit_id = d.id
  where d.customer_id = :customerId and d.number < :before and e.event = 'challenged'
  order by d.number desc limit :limit`
