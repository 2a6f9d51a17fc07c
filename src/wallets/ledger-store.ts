import { statement } from '../database/database.ts'

export const customerAccount = statement<[customerId: number, currency: string], { id: number; balance: string }>(
  'customerAccount',
  `select id, cast(balance as text) as balance from account where customer_id = $1 and currency = $2`,
)

export const systemAccount = statement<[kind: string, currency: string], { id: number }>(
  'systemAccount',
  'select id from account where kind = $1 and currency = $2 and customer_id is null',
)

/** Made at first need; two at once make one. */
export const openCustomerAccount = statement<[customerId: number, currency: string]>(
  'openCustomerAccount',
  `insert into account (kind, customer_id, currency, balance) values ('customer', $1, $2, 0) on conflict do nothing`,
)

export const openSystemAccount = statement<[kind: string, currency: string]>(
  'openSystemAccount',
  'insert into account (kind, currency) values ($1, $2) on conflict do nothing',
)

export const insertTransfer = statement<
  [
    depositId: string,
    kind: string,
    debitAccount: number,
    creditAccount: number,
    amount: bigint,
    currency: string,
    now: number,
  ]
>(
  'insertTransfer',
  `insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

/** Only customers' accounts keep a balance. */
export const addToBalance = statement<[accountId: number, change: bigint]>(
  'addToBalance',
  'update account set balance = balance + $2 where id = $1 and balance is not null',
)
