import { idList, reading, writing } from '../platform/database/database.ts'
import { DEPOSITS_AT_ONCE, type DepositIds } from './store.ts'

export const customerAccount = reading<{ customerId: number; currency: string }, { id: number; balance: string }>(
  'customerAccount',
  `select id, cast(balance as text) as balance from account where customer_id = :customerId and currency = :currency`,
)

type AccountKind = 'customer' | 'psp_uncaptured' | 'psp_captured'

/** All that transfers of a deposit need. Two at the same time open each once. */
export const openAccounts = writing<{ depositId: string }>(
  'openAccounts',
  `insert into account (kind, customer_id, currency, balance)
   select 'customer', customer_id, currency, 0 from deposit where id = :depositId
   union all select 'psp_uncaptured', null, currency, null from deposit where id = :depositId
   union all select 'psp_captured', null, currency, null from deposit where id = :depositId
   on conflict do nothing`,
)

export type TransferRow = {
  deposit_id: string
  debit_account_id: number
  credit_account_id: number
  amount: string
}

/** What each kind of transfer debits and credits. */
export const TRANSFERS = {
  credit: { debit: 'psp_uncaptured', credit: 'customer' },
  capture: { debit: 'psp_captured', credit: 'psp_uncaptured' },
  /** The gateway returned captured money. */
  uncapture: { debit: 'psp_uncaptured', credit: 'psp_captured' },
  /** An operator reverses a credit. */
  reversal: { debit: 'customer', credit: 'psp_uncaptured' },
} as const satisfies Record<string, { debit: AccountKind; credit: AccountKind }>

export type TransferKind = keyof typeof TRANSFERS

/** Captures of one sweep are recorded together. */
export const insertTransfers = {
  credit: insertTransfer('insertCredit', 'credit', 1),
  capture: insertTransfer('insertCaptures', 'capture', DEPOSITS_AT_ONCE),
  uncapture: insertTransfer('insertUncapture', 'uncapture', 1),
  reversal: insertTransfer('insertReversal', 'reversal', 1),
}

/**
 * A transfer of each deposit's own amount and currency between the accounts of its kind. A deposit whose accounts are
 * not open gets none.
 */
function insertTransfer(name: string, kind: TransferKind, most: number) {
  const { debit, credit } = TRANSFERS[kind]
  return writing<DepositIds & { now: number }, TransferRow>(
    name,
    `insert into transfer (deposit_id, kind, debit_account_id, credit_account_id, amount, currency, at)
     select d.id, '${kind}', debited.id, credited.id, d.amount, d.currency, :now
     from deposit d
     join account debited on debited.currency = d.currency and ${isOfKind('debited', debit)}
     join account credited on credited.currency = d.currency and ${isOfKind('credited', credit)}
     where d.id in (${idList(most)})
     returning deposit_id, debit_account_id, credit_account_id, cast(amount as text) as amount`,
  )
}

function isOfKind(account: string, kind: AccountKind): string {
  if (kind === 'customer') return `${account}.customer_id = d.customer_id`
  return `${account}.kind = '${kind}' and ${account}.customer_id is null`
}

/** Only customers' accounts have a stored balance. */
export const addToBalance = writing<{ accountId: number; change: bigint }>(
  'addToBalance',
  'update account set balance = balance + :change where id = :accountId and balance is not null',
)
