// The SQL of what stands open for a customer.

import { reading, writing } from '../../platform/database/database.ts'
import type { AccountKind } from '../account/ledger-store.ts'

type Of = { customerId: number; currency: string }

/** What is on its way to cards. */
export const openWithdrawals = reading<Of, { open: string }>('openWithdrawals')`
  select cast(coalesce(sum(amount - paid - returned), 0) as text) as open from withdrawal_part
  where customer_id = :customerId and currency = :currency and state in ('WAITING', 'SENDING', 'REVIEW')`

type Standing = {
  deposits: number
  refunds: number
  withdrawals: number
  disputes: number
  contradictions: number
  /** Paid after `paidSince`, and so not final. */
  recent: number
}

/** The accounts of every currency: earlier versions let a customer's currency change. */
export const accountsWithMoney = reading<
  { customerId: number },
  { kind: AccountKind; currency: string; balance: string }
>('accountsWithMoney')`
  select kind, currency, cast(balance as text) as balance from account where customer_id = :customerId and balance <> 0 order by id`

/** What stands in the way of an erasure. The customer is locked. */
export const standingOf = reading<{ customerId: number; paidSince: number }, Standing>('standingOf')`
  select
    (select count(*) from deposit where customer_id = :customerId and state in ('AUTHORISING', 'CHALLENGE', 'AUTHORISED', 'VOIDING', 'REVIEW')) as deposits,
    (select count(*) from refund where customer_id = :customerId and state in ('REQUESTED', 'SENT', 'REVIEW')) as refunds,
    (select count(*) from withdrawal_part where customer_id = :customerId and state in ('WAITING', 'SENDING', 'REVIEW')) as withdrawals,
    (select count(*) from dispute where customer_id = :customerId and ended_at is null) as disputes,
    (select count(*) from gateway_notification where customer_id = :customerId and outcome in ('contradiction', 'failed')
      and settled_at is null) as contradictions,
    (select count(*) from withdrawal_part where customer_id = :customerId and state = 'PAID' and changed_at >= :paidSince)
      + (select count(*) from refund where customer_id = :customerId and state = 'DONE' and origin <> 'withdrawal' and changed_at >= :paidSince)
      as recent`

/** What persons have resolved since a time. */
export const resolvedSince = reading<Of & { since: number }, { resolved: string }>('resolvedSince')`
  select cast(coalesce(sum(amount), 0) as text) as resolved from resolution
  where customer_id = :customerId and currency = :currency and at >= :since`

export const insertResolution = writing<Of & { subject: string; amount: bigint; now: number }>('insertResolution')`
  insert into resolution (customer_id, subject, amount, currency, at) values (:customerId, :subject, :amount, :currency, :now)`

export const insertWriteOff = writing<
  Of & { amount: bigint; note: string; by: string; again: string; now: number },
  { id: number }
>('insertWriteOff')`
  insert into debt_write_off (customer_id, amount, currency, note, decided_by, decided_again_by, at)
  values (:customerId, :amount, :currency, :note, :by, :again, :now) returning id`

type ToPay = { id: number; currency: string; balance: string; excluded_until: number | null; play_from: number }

/** Excluded customers with money that is to be paid to them, after an id. */
export const balancesToPay = reading<{ now: number; after: number; limit: number }, ToPay>('balancesToPay')`
  select p.id, p.currency, cast(p.balance as text) as balance, p.excluded_until, p.play_from
  from (select c.id, c.currency, c.excluded_until, c.play_from, (select a.balance from account a
            where a.customer_id = c.id and a.currency = c.currency and a.kind = 'customer') as balance
        from customer c where c.id > :after and (c.play_from > :now or c.status = 'self-excluded')) p
  where p.balance > 0 order by p.id limit :limit`
