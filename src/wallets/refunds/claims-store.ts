// The SQL of claims (claims.ts). Of one customer in one currency; the customer's row must be locked by a statement before, unless
// the answer is only shown.

import { reading } from '../../platform/database/database.ts'
import type { GatewayName } from '../gateways/gateway.ts'

type Of = { customerId: number; currency: string }

// ---- What has gone back of a deposit `d`, without what came back

const REFUNDED = `(select coalesce(sum(r.amount - r.returned), 0) from refund r
    where r.deposit_id = d.id and r.currency = d.currency and r.origin <> 'withdrawal')`
const WITHDRAWN = `(select coalesce(sum(p.amount - p.returned), 0) from withdrawal_part p
    where p.deposit_id = d.id and p.currency = d.currency)`
const CHARGED = `(select coalesce(sum(case when x.charged > 0 then x.charged else 0 end), 0) from dispute x
    where x.deposit_id = d.id and x.currency = d.currency)`

export type ClaimRow = {
  id: string
  number: number
  payment_method_id: number
  gateway: GatewayName
  amount: string
  captured_at: number
  return_refused: number
  captured: string
  refunded: string
  withdrawn: string
  charged: string
  /** How many of its disputes are open. */
  disputes: number
}

const CLAIM = `d.id, d.number, d.payment_method_id, d.gateway, cast(d.amount as text) as amount, coalesce(d.captured_at, 0) as captured_at, d.return_refused,
  cast(d.captured as text) as captured, cast(${REFUNDED} as text) as refunded, cast(${WITHDRAWN} as text) as withdrawn,
  cast(${CHARGED} as text) as charged,
  (select count(*) from dispute x where x.deposit_id = d.id and x.ended_at is null) as disputes`

export const CLAIMS_AT_ONCE = 200

/** Captured deposits, the last captured first, from the one before `beforeAt` and `before`. */
export const claimPage = reading<Of & { beforeAt: number; before: number }, ClaimRow>('claimPage')`
  select ${CLAIM} from deposit d where d.customer_id = :customerId and d.currency = :currency and d.state = 'CAPTURED'
    and (d.captured_at < :beforeAt or (d.captured_at = :beforeAt and d.number < :before))
  order by d.captured_at desc, d.number desc limit ${CLAIMS_AT_ONCE}`

/** Without an account there is no balance, and who never owed anything has no debt. The debt is not positive. */
export type FundsRow = {
  balance: string | null
  debt: string | null
  uncaptured: string
  unbooked: string
  in_review: string
  withdrawn_today: string
  refunded_today: string
}

const balanceOf = (kind: 'customer' | 'debt') =>
  `(select cast(a.balance as text) from account a where a.customer_id = :customerId and a.currency = :currency and a.kind = '${kind}')`

/**
 * The first page with the customer's funds, by one statement: a capture, which needs no lock of the customer, is seen by both or by
 * neither. unbooked: what was reported before the capture, and the job *book* has not debited yet. What was requested today is
 * without what came back, and of refunds that of operators. One row without a claim, if there is none.
 */
export const firstClaims = reading<
  Of & { today: number },
  { [Column in keyof ClaimRow]: ClaimRow[Column] | null } & FundsRow
>('firstClaims')`
  select k.*, c.*
  from (select ${balanceOf('customer')} as balance, ${balanceOf('debt')} as debt,
      (select cast(coalesce(sum(u.amount), 0) as text) from deposit u where u.customer_id = :customerId and u.currency = :currency
        and u.state in ('AUTHORISED', 'REVIEW') and (u.state = 'AUTHORISED' or u.review = 'capture-unresolved')) as uncaptured,
      cast((select coalesce(sum(r.paid - r.debited), 0) from refund r join deposit u on u.id = r.deposit_id
          where r.customer_id = :customerId and r.currency = :currency and r.origin = 'gateway' and r.paid > r.debited and u.state = 'CAPTURED')
        + (select coalesce(sum(x.charged - x.debited - x.house), 0) from dispute x join deposit u on u.id = x.deposit_id
          where x.customer_id = :customerId and x.currency = :currency and x.charged > x.debited + x.house and u.state = 'CAPTURED') as text) as unbooked,
      cast((select coalesce(sum(r.kept_back), 0) from refund r where r.customer_id = :customerId and r.currency = :currency
          and r.state = 'REVIEW' and r.origin <> 'withdrawal')
        + (select coalesce(sum(p.kept_back), 0) from withdrawal_part p where p.customer_id = :customerId and p.currency = :currency
          and p.state = 'REVIEW') as text) as in_review,
      (select cast(coalesce(sum(p.amount - p.returned), 0) as text) from withdrawal w join withdrawal_part p on p.withdrawal_id = w.id
        where w.customer_id = :customerId and w.currency = :currency and w.created_at >= :today) as withdrawn_today,
      (select cast(coalesce(sum(r.amount - r.returned), 0) as text) from refund r
        where r.customer_id = :customerId and r.currency = :currency and r.origin = 'operator' and r.created_at >= :today) as refunded_today) k
  left join (select ${CLAIM} from deposit d where d.customer_id = :customerId and d.currency = :currency and d.state = 'CAPTURED'
      order by d.captured_at desc, d.number desc limit ${CLAIMS_AT_ONCE}) c on 1 = 1
  order by c.captured_at desc, c.number desc`

/** The claim of one deposit, in any state. */
export const claimOfDeposit = reading<{ id: string }, ClaimRow>('claimOfDeposit')`
  select ${CLAIM} from deposit d where d.id = :id`

/** The withdrawals that have taken some of a deposit, and not given it back. */
export const withdrawalsOfDeposit = reading<{ id: string }, { id: number }>('withdrawalsOfDeposit')`
  select distinct withdrawal_id as id from withdrawal_part where deposit_id = :id and amount > returned order by 1`

/** Whether the card has paid in; and whether something of it is left. */
export const claimsOfCard = reading<{ methodId: number; currency: string }, { has_paid_in: number; has_claim: number }>(
  'claimsOfCard',
)`
  select case when exists (select 1 from deposit d where d.payment_method_id = :methodId and d.currency = :currency
      and d.state = 'CAPTURED') then 1 else 0 end as has_paid_in,
    case when exists (select 1 from deposit d where d.payment_method_id = :methodId and d.currency = :currency and d.state = 'CAPTURED'
      and d.captured > ${REFUNDED} + ${WITHDRAWN} + case when ${CHARGED} < d.amount then ${CHARGED} else d.amount end)
      then 1 else 0 end as has_claim`
