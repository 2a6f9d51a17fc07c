// Counts failed log-ins by user name and by application, in the database, for all processes on all machines. An attempt counts as
// failed until it has succeeded, so that attempts in parallel do not get around the limit. Names that no customer has are counted
// in the same way.

import { Fault } from '../../faults.ts'
import type { Database } from '../../platform/database/database.ts'
import { hashOf } from '../../platform/runtime/secrets.ts'
import { oneMoreFailure, secondsToWait, type ThrottleRule } from '../../platform/runtime/throttle.ts'
import * as sql from './store.ts'

/** 10 guesses at once, then 6 an hour. */
const OF_NAME: ThrottleRule = { free: 10, expiresAfterMs: 600_000, longestPauseMs: 900_000 }
/** An application with many customers always has some who mistype: it may fail 60 times a minute, or 100 times at once. */
const OF_APPLICATION: ThrottleRule = { free: 100, expiresAfterMs: 1_000, longestPauseMs: 60_000 }

type Attempt = {
  /** Clears the failures of the name. */
  succeeded(): Promise<void>
  /** For an attempt in which no password was compared. */
  withdraw(): Promise<void>
}

export function logInThrottle(database: Database, now: () => number) {
  return {
    /** Throws 429 while the name or the application has to wait. */
    async attempt(username: string, apiKey: string): Promise<Attempt> {
      // Hashed, because somebody may have typed the password into this field.
      const name = `name ${hashOf(username)}`
      const application = `application ${apiKey}`
      const time = now()
      // Read without a lock first, so that a refused attempt costs no write.
      refuseBlocked(await database.query(sql.failedLogIns, { application, name }), time)
      const pauses = await database.transaction(async (transaction) => {
        await transaction.run(sql.createFailedLogIns, { application, name })
        const rows = await transaction.query(sql.lockFailedLogIns, { application, name })
        refuseBlocked(rows, time)
        const pauses = new Map<string, number>()
        for (const { subject, clear_at, blocked_until } of rows) {
          const before = { clearAt: clear_at, blockedUntil: blocked_until }
          const after = oneMoreFailure(before, subject === application ? OF_APPLICATION : OF_NAME, time)
          await transaction.run(sql.writeFailedLogIns, {
            subject,
            clearAt: after.clearAt,
            blockedUntil: after.blockedUntil,
          })
          pauses.set(subject, after.blockedUntil)
        }
        return pauses
      })
      const forgive = (subject: string, { expiresAfterMs }: ThrottleRule) =>
        database.run(sql.forgiveFailedLogIn, {
          subject,
          milliseconds: expiresAfterMs,
          ownBlockedUntil: pauses.get(subject) ?? 0,
        })
      return {
        async succeeded() {
          await database.run(sql.deleteFailedLogIns, { subject: name })
          await forgive(application, OF_APPLICATION)
        },
        async withdraw() {
          await forgive(name, OF_NAME)
          await forgive(application, OF_APPLICATION)
        },
      }
    },
  }
}

function refuseBlocked(rows: readonly sql.FailedLogInRow[], time: number): void {
  const seconds = Math.max(0, ...rows.map((row) => secondsToWait(row.blocked_until, time)))
  if (seconds > 0) throw new Fault('tooManyRequests', undefined, { retryAfter: seconds })
}
