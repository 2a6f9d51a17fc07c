/** Statements that the service runs every few seconds, whether or not there are requests. */
export const BY_ITSELF = ['anyWork', 'nextWork', 'wordListsVersion', 'expiredDeposits', 'claimJobs', 'waitingWork']
