/**
 * What becomes of money that goes out to a card, as a payout or as the return of a deposit. Refunds by operators have tokens of
 * their own (refunds.ts). docs/withdrawals.md lists them.
 */
export const PAYS_OUT = {
  /** Received, and paid at the third call. */
  slow: 'sandbox:payout-slow',
  /** Received, and it comes back. */
  returned: 'sandbox:payout-returned',
  refused: 'sandbox:payout-refused',
  /** The first answer is lost, after the money was sent. */
  unknown: 'sandbox:payout-unknown',
  /** No answer ever comes, and nothing is paid. */
  silent: 'sandbox:payout-silent',
  /** For payouts only: our account at the bank has too little the first two times. */
  unfunded: 'sandbox:payout-unfunded',
  /** The account behind the card is closed: also operators' refunds are refused. */
  accountClosed: 'sandbox:account-closed',
  /** No deposit of the card can be returned, also not by operators; payouts are paid. */
  returnRefused: 'sandbox:return-refused',
} as const

export const PAYOUT_TOKENS: readonly string[] = Object.values(PAYS_OUT)
