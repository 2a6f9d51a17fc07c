// The SQL of a customer's own account: balance and statement.

import { reading } from '../../platform/database/database.ts'
import { type AccountKind, FOLLOWING_KINDS } from './ledger-store.ts'

/** `pending`: what is open of withdrawals, the same in all rows. */
type OwnAccountRow = { currency: string; kind: AccountKind | null; balance: string | null; pending: string }

/** The customer's accounts in their currency. Without any there is one row, with the currency alone. */
export const ownAccounts = reading<{ customerId: number }, OwnAccountRow>('ownAccounts')`
  select c.currency, a.kind, cast(a.balance as text) as balance,
    (select cast(coalesce(sum(p.amount - p.paid - p.returned), 0) as text) from withdrawal_part p where p.customer_id = c.id
      and p.currency = c.currency and p.state in ('WAITING', 'SENDING', 'REVIEW')) as pending
  from customer c left join account a on a.customer_id = c.id and a.currency = c.currency
  where c.id = :customerId`

type StatementRangeRow = {
  currency: string
  account_id: number | null
  /** The last line before the range, and the last one in it or before it; null: none. */
  before_line: number | null
  last_line: number | null
  opening: string | null
  closing: string | null
  net_deposits: string
}

/** Signed as the account sees it. */
const signed = (account: string) => `case t.credit_account_id when ${account} then t.amount else -t.amount end`
const lastLineBefore = (
  time: string,
) => `(select t.line from transfer t where t.customer_account_id = a.id and t.at < ${time}
  order by t.at desc, t.line desc limit 1)`
const balanceAfter = (line: string) =>
  `(select cast(t.balance_after as text) from transfer t where t.customer_account_id = r.account_id and t.line = r.${line})`

/**
 * Where a range of time begins and ends among the lines, by the index of times: a line's time is never before that of the
 * line before. Net deposits are all transfers between the customer and their cards, which are few beside those of bets.
 */
export const statementRange = reading<{ customerId: number; from: number; until: number }, StatementRangeRow>(
  'statementRange',
)`
  select r.currency, r.account_id, r.before_line, r.last_line, ${balanceAfter('before_line')} as opening,
    ${balanceAfter('last_line')} as closing,
    cast(coalesce((select sum(${signed('r.account_id')}) from transfer t
        where t.customer_account_id = r.account_id and t.currency = r.currency and t.movement_id is null and t.kind <> 'debt_payment' and t.kind <> 'written_off_repaid'
          and t.kind <> 'erased_credit'), 0)
      + coalesce((select sum(${signed('d.id')}) from account d join transfer t on t.debt_account_id = d.id and t.currency = d.currency
        where d.customer_id = r.id and d.currency = r.currency and d.kind = 'debt'
          and t.kind not in (${FOLLOWING_KINDS}, 'debt_written_off')), 0) as text)
      as net_deposits
  from (select c.id, c.currency, a.id as account_id, ${lastLineBefore(':from')} as before_line,
          ${lastLineBefore(':until')} as last_line
        from customer c left join account a on a.customer_id = c.id and a.currency = c.currency and a.kind = 'customer'
        where c.id = :customerId) r`

export type StatementLineRow = {
  line: number
  at: number
  kind: string
  amount: string
  balance_after: string | null
  payment_id: string | null
  reference: string | null
  bet_id: number | null
  /** A bet has its first selection with its event, and how many selections it has; null: the sportsbook has not reported it. */
  selection: string | null
  legs: number
  /** The card of a deposit, a refund or a withdrawal. */
  method_id: number | null
}

type LinesAfter = { accountId: number; after: number; last: number; limit: number }

/** `amount` has a minus sign where the customer was debited. */
const LINES = `select coalesce(t.line, 0) as line, t.at, t.kind, cast(${signed('t.customer_account_id')} as text) as amount,
    cast(t.balance_after as text) as balance_after, coalesce(t.deposit_id, r.deposit_id, p.deposit_id) as payment_id,
    coalesce(m.reference, cast(coalesce(t.withdrawal_id, w.withdrawal_id) as text)) as reference, m.bet_id,
    (select o.name || ', ' || n.name from bet_outcome b join outcome o on o.id = b.outcome_id join market k on k.id = o.market_id
      join event n on n.id = k.event_id where b.bet_id = m.bet_id order by b.outcome_id limit 1) as selection,
    (select count(*) from bet_outcome b where b.bet_id = m.bet_id) as legs,
    coalesce(d.payment_method_id, x.payment_method_id) as method_id
  from transfer t left join movement m on m.id = t.movement_id left join refund r on r.id = t.refund_id
    left join withdrawal_part w on w.id = t.part_id
    left join dispute_event e on e.id = t.dispute_event_id left join dispute p on p.id = e.dispute_id
    left join deposit d on d.id = coalesce(t.deposit_id, r.deposit_id, p.deposit_id)
    left join withdrawal x on x.id = coalesce(t.withdrawal_id, w.withdrawal_id)
  where t.customer_account_id = :accountId and t.line > :after and t.line <= :last`

export const statementLines = reading<LinesAfter, StatementLineRow>(
  'statementLines',
  `${LINES} order by t.line limit :limit`,
)

/** The last lines up to and including `last`. */
export const statementLinesNewest = reading<LinesAfter, StatementLineRow>(
  'statementLinesNewest',
  `${LINES} order by t.line desc limit :limit`,
)
