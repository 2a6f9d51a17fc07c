/** Statements that the service runs by itself, whether or not there are requests. */
const BACKGROUND_STATEMENTS = [
  'anyWork',
  'nextWork',
  'wordListsVersion',
  'expiredDeposits',
  'firstDueJob',
  'claimJobs',
  'touchSessions',
  'pendingDepositWork',
  'checkedDeposits',
  'checkedAccounts',
  'systemAccounts',
  'transfersAfter',
  'anyNewEvent',
  'lockSequence',
  'giveEventsPositions',
  'webhookEndpointWork',
  'waitingWebhookDeliveries',
  'newestPosition',
  'eventsBetween',
  'projectorProgress',
  'lockNotificationCursor',
  'advanceNotificationCursor',
  'profileStates',
  'profilesOfCustomers',
  'unreadFollowed',
  'unreadLiked',
  'insertNotifications',
  'changeGroups',
  'deleteEmptyGroups',
  'deleteNotificationsOf',
  'insertActors',
  'deleteActors',
  'deleteActorsOf',
  'setActorsShown',
  'boardProgress',
  'lockBoard',
  'advanceBoard',
  'profilesOnBoard',
  'sumsOfProfiles',
  'boardRowsOf',
  'deleteBoardRows',
  'writeBoardRows',
  'tipLogProgress',
  'lockTipLog',
  'advanceTipLog',
  'newTips',
  'settledTips',
  'loggedTips',
  'tipsOfProfiles',
  'tilesToGrow',
  'insertEntries',
  'setTipsOfProfiles',
  'setTiles',
  'signingKey',
  'setCheckpoint',
]

/** How often each statement was run for requests so far, by the text of the service's metrics. */
export function statementCounts(metrics: string): Map<string, number> {
  const counts = [...metrics.matchAll(/^paddock_statement_seconds_count\{statement="(.+)"\} (\d+)$/gm)]
  const ofRequests = counts.filter(([, name]) => !BACKGROUND_STATEMENTS.includes(name as string))
  return new Map(ofRequests.map(([, name, count]) => [name as string, Number(count)]))
}

export function totalStatements(metrics: string): number {
  return [...statementCounts(metrics).values()].reduce((sum, count) => sum + count, 0)
}
