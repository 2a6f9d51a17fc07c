/** Statements that the service runs by itself, whether or not there are requests. */
export const BY_ITSELF = [
  'anyWork',
  'nextWork',
  'wordListsVersion',
  'expiredDeposits',
  'claimJobs',
  'waitingWork',
  'checkedDeposits',
  'checkedAccounts',
  'systemAccounts',
  'transfersAfter',
]
