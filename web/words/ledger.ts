// Lines of statements, for operators and for their customer, and accounts of the ledger.

import type { AccountKind } from '../../src/wallets/account/ledger-store.ts'
import type { StatementLineType } from '../../src/wallets/account/statement.ts'

export const LINES: Record<StatementLineType, { operator: string; customer: string }> = {
  deposit: { operator: 'Deposit', customer: 'Deposit' },
  'deposit-reversed': { operator: 'Deposit reversed', customer: 'Deposit taken back by your bank' },
  'capture-short': { operator: 'Deposit captured in part', customer: 'Deposit of which your bank paid less' },
  stake: { operator: 'Stake', customer: 'Stake' },
  winnings: { operator: 'Winnings', customer: 'Winnings' },
  void: { operator: 'Stake returned', customer: 'Stake returned' },
  adjustment: { operator: 'Adjustment', customer: 'Adjustment' },
  refund: { operator: 'Refund', customer: 'Refund to your card' },
  'refund-failed': { operator: 'Refund credited again', customer: 'Refund that came back' },
  chargeback: { operator: 'Chargeback', customer: 'Taken back by your bank' },
  'chargeback-reversed': { operator: 'Chargeback reversed', customer: 'Returned by your bank' },
  withdrawal: { operator: 'Withdrawal', customer: 'Withdrawal' },
  'part-back': { operator: 'Withdrawal credited again: not paid', customer: 'Withdrawal that was not paid' },
  'return-back': { operator: 'Withdrawal credited again: return came back', customer: 'Withdrawal that came back' },
  'payout-back': { operator: 'Withdrawal credited again: payout came back', customer: 'Withdrawal that came back' },
  'outside-back': {
    operator: 'Withdrawal credited again: payment outside came back',
    customer: 'Withdrawal that came back',
  },
  'part-again': { operator: 'Withdrawal, paid after all', customer: 'Withdrawal, paid after all' },
  'withdrawal-returned': { operator: 'Withdrawal credited again: not paid', customer: 'Withdrawal that was not paid' },
  'withdrawal-resumed': { operator: 'Withdrawal, paid after all', customer: 'Withdrawal, paid after all' },
  'payout-reversed': { operator: 'Withdrawal credited again: payout came back', customer: 'Withdrawal that came back' },
  'debt-payment': { operator: 'Debt paid', customer: 'Paid off what you owed' },
  'written-off-repaid': {
    operator: 'Written off, returned to the house',
    customer: 'Returned to us: we had written it off',
  },
  'erased-credit': {
    operator: 'To the house: the customer was erased',
    customer: 'Kept by us: the account was erased',
  },
}

/** A type that only a newer service knows is shown as it is. */
const lineOf = (type: string) => (Object.hasOwn(LINES, type) ? LINES[type as StatementLineType] : undefined)
export const lineText = (type: string): string => lineOf(type)?.operator ?? type
export const lineTitle = (type: string): string => lineOf(type)?.customer ?? type

export const ACCOUNTS: Record<AccountKind, string> = {
  customer: 'Customers: balances',
  debt: 'Customers: debts',
  psp_uncaptured: 'Gateway: held on cards',
  psp_captured: 'Gateway: captured',
  sportsbook: 'Sportsbook',
  adjustments: 'Adjustments',
  payout_pending: 'Withdrawals not paid yet',
  payout_funds: 'Funds for payouts',
  outside_funds: 'Funds for payments outside',
  house_losses: 'Losses of the house',
}

export const accountText = (kind: string): string =>
  Object.hasOwn(ACCOUNTS, kind) ? ACCOUNTS[kind as AccountKind] : kind
