// Lines of statements and accounts of the ledger in words.

/** By the types of the API. */
const LINES: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  'deposit-reversed': 'Deposit reversed',
  'capture-short': 'Deposit captured in part',
  stake: 'Stake',
  winnings: 'Winnings',
  void: 'Stake returned',
  adjustment: 'Adjustment',
  refund: 'Refund',
  'refund-failed': 'Refund credited again',
  chargeback: 'Chargeback',
  'chargeback-reversed': 'Chargeback reversed',
  withdrawal: 'Withdrawal',
  'part-back': 'Withdrawal credited again: not paid',
  'return-back': 'Withdrawal credited again: return came back',
  'payout-back': 'Withdrawal credited again: payout came back',
  'outside-back': 'Withdrawal credited again: payment outside came back',
  'part-again': 'Withdrawal, paid after all',
  'withdrawal-returned': 'Withdrawal credited again: not paid',
  'withdrawal-resumed': 'Withdrawal, paid after all',
  'payout-reversed': 'Withdrawal credited again: payout came back',
  'debt-payment': 'Debt paid',
  'written-off-repaid': 'Written off, returned to the house',
  'erased-credit': 'To the house: the customer was erased',
}

export const lineText = (type: string): string => LINES[type] ?? type

const ACCOUNTS: Readonly<Record<string, string>> = {
  customer: 'Customers: balances',
  debt: 'Customers: debts',
  psp_uncaptured: 'Gateway: held on cards',
  psp_captured: 'Gateway: captured',
  sportsbook: 'Sportsbook',
  adjustments: 'Adjustments',
  payout_pending: 'Withdrawals on their way',
  payout_funds: 'Funds for payouts',
  outside_funds: 'Funds for payments outside',
  house_losses: 'Losses of the house',
}

export const accountText = (kind: string): string => ACCOUNTS[kind] ?? kind
