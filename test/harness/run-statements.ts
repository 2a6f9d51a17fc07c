// `npm test` leaves suites off PostgreSQL (ON_POSTGRES_IN_ALL in suites.ts). What keeps that safe: the others have run every
// statement of src there, or the run fails.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Run on connections that are not a service's: of commands, other processes, and of PostgreSQL's health. */
const BESIDE_A_SERVICE = [
  ...[
    'auditHead',
    'firstBeyondHead',
    'capturedBetween',
    'paidBetween',
    'refundsBegunIn',
    'stepsReportedIn',
    'tipsInSettlement',
  ],
  ...['beat', 'serverRole', 'serverPosition', 'commitPosition'],
  ...['exportSnapshot', 'newestMigration', 'otherConnections', 'serverVersion', 'tablesOfSchema', 'bytesOfDatabase'],
]

/** Plain statements, which plans.test.ts plans on PostgreSQL; their suites run there in `npm run test:all`. */
const LATER = ['deleteExpiredFailedLogIns', 'deleteExpiredSessions', 'deleteNotificationsBefore', 'openChallenge']

export function noteStatements(folder: string, which: 'run' | 'all', names: Iterable<string>): void {
  appendFileSync(join(folder, which), [...names].map((name) => `${name}\n`).join(''))
}

/** `all` is noted by plans.test.ts. */
export function statementsNeverRun(folder: string): string[] {
  const run = namesIn(folder, 'run')
  const known = [...run, ...BESIDE_A_SERVICE, ...LATER]
  return [...namesIn(folder, 'all')].filter((name) => !known.includes(name))
}

function namesIn(folder: string, which: 'run' | 'all'): Set<string> {
  const file = join(folder, which)
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])
}
