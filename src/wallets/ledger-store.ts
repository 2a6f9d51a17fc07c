import { reading, writing } from '../database/database.ts'

export const customerAccount = reading<{ customerId: number; currency: string }, { id: number; balance: string }>(
  'customerAccount',
  `select id, cast(balance as text) as balance from account where customer_id = :customerId and currency = :currency`,
)

export const systemAccount = reading<{ kind: string; currency: string }, { id: number }>(
  'systemAccount',
  'select id from account where kind = :kind and currency = :currency and customer_id is null',
)

/** Opened by the first transfer; two at the same time open one. */
export const openCustomerAccount = writing<{ customerId: number; currency: string }>(
  'openCustomerAccount',
  `insert into account (kind, customer_id, currency, balance) values ('customer', :customerId, :currency, 0) on conflict do nothing`,
)

export const openSystemAccount = writing<{ kind: string; currency: string }>(
  'openSystemAccount',
  'insert into account (kind, currency) values (:kind, :currency) on conflict do nothing',
)

export const insertTransfer = writing<{
  depositId: string
  kind: string
  debitAccount: number
  creditAccount: number
  amount: bigint
  currency: string
  now: number
}>(
  'insertTransfer',
  `insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
   values (:depositId, :kind, :debitAccount, :creditAccount, :amount, :currency, :now)`,
)

/** Only customers' accounts have a stored balance. */
export const addToBalance = writing<{ accountId: number; change: bigint }>(
  'addToBalance',
  'update account set balance = balance + :change where id = :accountId and balance is not null',
)
