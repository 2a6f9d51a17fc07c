/** Settings of earlier versions, with what to set instead. A start ignores them, as all names that are none. */
export const goneSettings: Readonly<Record<string, string>> = {
  ADYEN_PAYOUT_EMAIL: 'withdrawals are approved by operators: docs/withdrawals.md',
  ADYEN_PAYOUT_KEY: 'ADYEN_TRANSFERS_KEY',
  ADYEN_PAYOUT_REVIEW_KEY: 'withdrawals are approved by operators: docs/withdrawals.md',
  ADYEN_PAYOUT_URL: 'ADYEN_TRANSFERS_URL',
}
