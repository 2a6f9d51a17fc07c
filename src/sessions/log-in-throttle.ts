// Failed log-ins are counted by user name and by application, in the database: for all processes on all machines. An
// attempt counts as failed until it has succeeded, so that many at once are no way around it. Names that no customer has
// are counted in the same way.

import type { Database } from '../database/database.ts'
import { Fault } from '../faults.ts'
import { hashOf } from '../secrets.ts'
import { type Failures, oneMoreFailure, secondsToWait, type ThrottleRule } from '../throttle.ts'
import {
  createFailedLogIns,
  deleteFailedLogIns,
  failedLogIns,
  forgiveFailedLogIn,
  lockFailedLogIns,
  writeFailedLogIns,
} from './store.ts'

/** 10 guesses at once, then 6 in an hour. */
const OF_NAME: ThrottleRule = { free: 10, forgottenAfterMs: 600_000, longestPauseMs: 900_000 }
/** All customers of an application mistype now and then: 60 in a minute for ever, or 100 at once. */
const OF_APPLICATION: ThrottleRule = { free: 100, forgottenAfterMs: 1_000, longestPauseMs: 60_000 }

export type Attempt = {
  /** The name is trusted again. */
  succeeded(): Promise<void>
  /** No password was compared. */
  takeBack(): Promise<void>
}

export function logInThrottle(database: Database, now: () => number) {
  return {
    /** Throws 429 while the name or the application has to wait. */
    async attempt(username: string, apiKey: string): Promise<Attempt> {
      // A name may be a password in the wrong field, and is not stored as it is.
      const name = `name ${hashOf(username)}`
      const application = `application ${apiKey}`
      const time = now()
      // Read without a lock first: who has to wait costs no write.
      for (const subject of [application, name]) refuseBlocked(await stateOf(database, subject), time)
      await database.transaction(async (transaction) => {
        // Always in this order, so that two attempts cannot wait for each other.
        await countAttempt(transaction, application, OF_APPLICATION, time)
        await countAttempt(transaction, name, OF_NAME, time)
      })
      const forgive = (subject: string, { forgottenAfterMs }: ThrottleRule) =>
        database.run(forgiveFailedLogIn, [subject, forgottenAfterMs])
      return {
        async succeeded() {
          await database.run(deleteFailedLogIns, [name])
          await forgive(application, OF_APPLICATION)
        },
        async takeBack() {
          await forgive(name, OF_NAME)
          await forgive(application, OF_APPLICATION)
        },
      }
    },
  }
}

async function stateOf(database: Database, subject: string): Promise<Failures | undefined> {
  const row = await database.one(failedLogIns, [subject])
  return row && { clearAt: row.clear_at, blockedUntil: row.blocked_until }
}

async function countAttempt(transaction: Database, subject: string, rule: ThrottleRule, time: number): Promise<void> {
  await transaction.run(createFailedLogIns, [subject])
  const row = await transaction.one(lockFailedLogIns, [subject])
  const before = row && { clearAt: row.clear_at, blockedUntil: row.blocked_until }
  refuseBlocked(before, time)
  const { clearAt, blockedUntil } = oneMoreFailure(before, rule, time)
  await transaction.run(writeFailedLogIns, [subject, clearAt, blockedUntil])
}

function refuseBlocked(failures: Failures | undefined, time: number): void {
  const seconds = secondsToWait(failures, time)
  if (seconds > 0) throw new Fault('tooManyRequests', undefined, { retryAfter: seconds })
}
