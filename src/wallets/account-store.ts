// The SQL of a customer's own account: balance and statement.

import { reading } from '../platform/database/database.ts'
import type { AccountKind } from './ledger-store.ts'

/** `pending`: withdrawals on their way, the same in all rows. */
type OwnAccountRow = { currency: string; kind: AccountKind | null; balance: string | null; pending: string }

/** The customer's accounts in their currency. Without any there is one row, with the currency alone. */
export const ownAccounts = reading<{ customerId: number }, OwnAccountRow>('ownAccounts')`
  select c.currency, a.kind, cast(a.balance as text) as balance,
    (select cast(coalesce(sum(w.amount), 0) as text) from withdrawal w where w.customer_id = c.id and w.currency = c.currency
      and (w.state in ('REQUESTED', 'APPROVED', 'SENDING') or (w.state = 'REVIEW' and w.review = 'payout-unresolved'))) as pending
  from customer c left join account a on a.customer_id = c.id and a.currency = c.currency
  where c.id = :customerId`
