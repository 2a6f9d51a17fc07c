// The SQL of accounts and transfers.

import { reading, writing } from '../../platform/database/database.ts'
import { bigint, integer, money, orNull, type RowOf, rowList, text } from '../../platform/database/table-store.ts'

/** The accounts that belong to no customer, one of each for a currency. */
export const SYSTEM_ACCOUNTS = [
  'psp_uncaptured',
  'psp_captured',
  'sportsbook',
  'adjustments',
  'payout_pending',
  'payout_funds',
  'outside_funds',
  'house_losses',
] as const
export type AccountKind = 'customer' | 'debt' | (typeof SYSTEM_ACCOUNTS)[number]

/** What each kind of transfer debits and credits. */
export const TRANSFERS = {
  credit: { debit: 'psp_uncaptured', credit: 'customer' },
  capture: { debit: 'psp_captured', credit: 'psp_uncaptured' },
  /** The gateway returned captured money. */
  uncapture: { debit: 'psp_uncaptured', credit: 'psp_captured' },
  /** An operator reverses a credit. */
  reversal: { debit: 'customer', credit: 'psp_uncaptured' },
  stake: { debit: 'customer', credit: 'sportsbook' },
  winnings: { debit: 'sportsbook', credit: 'customer' },
  /** The stake of a bet that is void is returned. */
  void: { debit: 'sportsbook', credit: 'customer' },
  adjustment: { debit: 'adjustments', credit: 'customer' },
  adjustment_debit: { debit: 'customer', credit: 'adjustments' },
  refund: { debit: 'customer', credit: 'psp_captured' },
  /** A refund that was made at the gateway, of more than the customer has. */
  refund_debt: { debit: 'debt', credit: 'psp_captured' },
  refund_failed: { debit: 'psp_captured', credit: 'customer' },
  chargeback: { debit: 'customer', credit: 'psp_captured' },
  chargeback_debt: { debit: 'debt', credit: 'psp_captured' },
  chargeback_reversed: { debit: 'psp_captured', credit: 'customer' },
  /** The gateway captured less than it had authorised. */
  capture_short: { debit: 'customer', credit: 'psp_uncaptured' },
  /** A credit is taken back after the customer has spent it. */
  reversal_debt: { debit: 'debt', credit: 'psp_uncaptured' },
  /** Charged back beyond the deposit: the house pays. */
  chargeback_house: { debit: 'house_losses', credit: 'psp_captured' },
  chargeback_house_reversed: { debit: 'psp_captured', credit: 'house_losses' },
  withdrawal: { debit: 'customer', credit: 'payout_pending' },
  return_paid: { debit: 'payout_pending', credit: 'psp_captured' },
  payout_paid: { debit: 'payout_pending', credit: 'payout_funds' },
  outside_paid: { debit: 'payout_pending', credit: 'outside_funds' },
  /** Not paid: refused, or taken back. */
  part_back: { debit: 'payout_pending', credit: 'customer' },
  /** It was paid and came back. */
  return_back: { debit: 'psp_captured', credit: 'customer' },
  payout_back: { debit: 'payout_funds', credit: 'customer' },
  outside_back: { debit: 'outside_funds', credit: 'customer' },
  /** It was paid after all. */
  part_again: { debit: 'customer', credit: 'payout_pending' },
  part_again_debt: { debit: 'debt', credit: 'payout_pending' },
  debt_written_off: { debit: 'house_losses', credit: 'debt' },
  // Withdrawals from before they had parts have these; they are only read.
  payout: { debit: 'payout_pending', credit: 'psp_captured' },
  withdrawal_returned: { debit: 'payout_pending', credit: 'customer' },
  withdrawal_resumed: { debit: 'customer', credit: 'payout_pending' },
  payout_reversed: { debit: 'psp_captured', credit: 'customer' },
  /** Has the source of the credit that pays the debt. */
  debt_payment: { debit: 'customer', credit: 'debt' },
  /** What came back was written off: the house has it again. Has the source of the credit. */
  written_off_repaid: { debit: 'customer', credit: 'house_losses' },
  // What an erased customer is credited and owes is the house's. With the source of what led to it.
  erased_credit: { debit: 'customer', credit: 'house_losses' },
  erased_debt: { debit: 'house_losses', credit: 'debt' },
} as const satisfies Record<string, { debit: AccountKind; credit: AccountKind }>

export type TransferKind = keyof typeof TRANSFERS

/** Kinds that follow another transfer of the same source: no money of the source moves. For SQL. */
export const FOLLOWING_KINDS = `'debt_payment', 'written_off_repaid', 'erased_credit', 'erased_debt'`

type AccountOf = { customerId: number; currency: string }

export const customerAccounts = reading<AccountOf, { kind: AccountKind; balance: string }>('customerAccounts')`
  select kind, cast(balance as text) as balance from account where customer_id = :customerId and currency = :currency`

/** Opens the customer's accounts and the ones of the system in its currency. Two calls at the same time open each once. */
export const openAccounts = writing<AccountOf>('openAccounts')`
  insert into account (kind, customer_id, currency, balance)
  select 'customer', cast(:customerId as bigint), cast(:currency as text), 0
  ${SYSTEM_ACCOUNTS.map((kind) => `union all select '${kind}', null, cast(:currency as text), null`).join(' ')}
  on conflict do nothing`

export const openDebt = writing<AccountOf>('openDebt')`
  insert into account (kind, customer_id, currency, balance) values ('debt', :customerId, :currency, 0)
  on conflict do nothing`

type ChangedBalance = {
  id: number
  balance: string
  lines: number
  moved_at: number
  debt: string | null
  erased: number
}

/** Whether the customer, whose row is locked, is erased. */
const ERASED =
  '(select case when c.erased_at is null then 0 else 1 end from customer c where c.id = :customerId) as erased'

/**
 * Changes the balance and adds a line, whose time is never earlier than that of the line before. `debt` is null or not
 * positive. No other transaction changes it meanwhile: both accounts change only under the lock of the customer's row.
 */
export const addToBalance = writing<AccountOf & { change: bigint; now: number }, ChangedBalance>('addToBalance')`
  update account set balance = balance + :change, lines = lines + 1,
    moved_at = case when moved_at > cast(:now as bigint) then moved_at else cast(:now as bigint) end
  where customer_id = :customerId and currency = :currency and kind = 'customer'
  returning id, cast(balance as text) as balance, lines, moved_at, (select cast(d.balance as text) from account d
    where d.customer_id = :customerId and d.currency = :currency and d.kind = 'debt') as debt, ${ERASED}`

export const addToDebt = writing<AccountOf & { change: bigint }, { id: number; erased: number }>('addToDebt')`
  update account set balance = balance + :change
  where customer_id = :customerId and currency = :currency and kind = 'debt' returning id, ${ERASED}`

export type WrittenOff = { written_off: string; owed: string }
type SourceIds = {
  depositId: string | null
  refundId: number | null
  disputeEventId: number | null
  partId: number | null
}

/** What a transfer is about: a deposit, or a part of winnings. `t` with its refund, dispute and part. */
const ABOUT = `coalesce(t.deposit_id, r.deposit_id, d.deposit_id, p.deposit_id, 'part ' || cast(t.part_id as text))`
const WITH_SUBJECT = `left join refund r on r.id = t.refund_id left join dispute_event e on e.id = t.dispute_event_id
  left join dispute d on d.id = e.dispute_id left join withdrawal_part p on p.id = t.part_id`

/**
 * `written_off`: what the house has written off for the customer and not got back. `owed`: what of the debts was made by the subject of the
 * source, less what of it the house has got back.
 */
export const writtenOffFor = reading<AccountOf & SourceIds, WrittenOff>('writtenOffFor')`
  select
    cast(coalesce(sum(case m.kind when 'debt_written_off' then m.amount when 'written_off_repaid' then -m.amount else 0 end), 0) as text) as written_off,
    cast(coalesce(sum(case when m.about = o.about then case m.kind when 'written_off_repaid' then -m.amount
      else case when m.is_debt = 1 then m.amount else 0 end end else 0 end), 0) as text) as owed
  from (select coalesce(cast(:depositId as text), (select deposit_id from refund where id = :refundId),
            (select x.deposit_id from dispute_event y join dispute x on x.id = y.dispute_id where y.id = :disputeEventId),
            (select coalesce(deposit_id, 'part ' || cast(id as text)) from withdrawal_part where id = :partId)) as about) o
  cross join (
    select t.kind, t.amount, ${ABOUT} as about, case when t.debit_account_id = a.id then 1 else 0 end as is_debt
    from account a join transfer t on t.debt_account_id = a.id and t.currency = a.currency ${WITH_SUBJECT}
    where a.customer_id = :customerId and a.currency = :currency and a.kind = 'debt'
    union all
    select t.kind, t.amount, ${ABOUT}, 0
    from account a join account h on h.kind = 'house_losses' and h.currency = a.currency and h.customer_id is null
      join transfer t on t.customer_account_id = a.id and t.credit_account_id = h.id and t.currency = a.currency and t.kind = 'written_off_repaid'
      ${WITH_SUBJECT}
    where a.customer_id = :customerId and a.currency = :currency and a.kind = 'customer') m`

/** What a transfer belongs to: one of these. A trigger (transfer_source) knows the kinds of each. */
const SOURCES = {
  deposit_id: orNull(text),
  movement_id: orNull(bigint),
  refund_id: orNull(bigint),
  dispute_event_id: orNull(bigint),
  withdrawal_id: orNull(bigint),
  part_id: orNull(bigint),
  write_off_id: orNull(bigint),
} as const

export const transferList = rowList({
  ...SOURCES,
  step: integer,
  kind: text,
  debit: text,
  credit: text,
  amount: money,
  currency: text,
  at: bigint,
  customer_account_id: orNull(bigint),
  line: orNull(bigint),
  balance_after: orNull(money),
  debt_account_id: orNull(bigint),
})

export type TransferRow = RowOf<typeof transferList>
/** `step`: of the source; each kind of transfer happens at most once for a step. */
export type Source = { [column in keyof typeof SOURCES]?: TransferRow[column] } & { step?: number }
export const NO_SOURCE = {
  deposit_id: null,
  movement_id: null,
  refund_id: null,
  dispute_event_id: null,
  withdrawal_id: null,
  part_id: null,
  write_off_id: null,
  step: 0,
} satisfies Source

export const insertTransfers = writing<{ rows: string }>('insertTransfers')`
  insert into transfer (${Object.keys(SOURCES).join(', ')}, step, kind, debit_account_id, credit_account_id, amount, currency, at,
    customer_account_id, line, balance_after, debt_account_id)
  select ${Object.keys(SOURCES).join(', ')}, step, kind, ${accountOf('debit')}, ${accountOf('credit')}, amount, currency, at,
    customer_account_id, line, balance_after, debt_account_id
  from (${transferList.select}) t`

function accountOf(side: 'debit' | 'credit'): string {
  return `case ${side} when 'customer' then customer_account_id when 'debt' then debt_account_id
    else (select id from account a where a.kind = t.${side} and a.currency = t.currency and a.customer_id is null) end`
}
