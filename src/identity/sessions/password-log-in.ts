import { Fault } from '../../faults.ts'
import type { Database } from '../../platform/database/database.ts'
import { budget, turns } from '../../platform/runtime/slots.ts'
import { logInThrottle } from './log-in-throttle.ts'
import { verifyPassword } from './password.ts'
import { credentialsByUsername } from './store.ts'

export type LogIn = { username: string; password: string; extended: boolean; apiKey: string; network: string }

/** `issued` is null when the log-in is refused, `customerId` when no customer has the name. */
export type LogInResult = { customerId: number | null; issued: IssuedTicket | null }

export type IssuedTicket = { ticket: string; expiresAt: number }

/** null: the customer is not active, is excluded, or the password was changed meanwhile. */
type OpenSession = (customerId: number, extended: boolean, passwordHash: string) => Promise<IssuedTicket | null>

/**
 * Log-ins under way or waiting. Each takes some 200 ms of a core and two run at once, so that a refusal is better than a longer
 * queue. One application can take half.
 */
const MAX_LOG_INS = 20
const MAX_LOG_INS_OF_APPLICATION = 10

/**
 * A flood for one name or from one address waits for itself, outside of these places: ten wrong passwords at once are free, and
 * would take all places of an application. The address may be that of an application's own server, so that it waits rather than is refused.
 */
const LOG_INS_OF_NAME = 2
const LOG_INS_OF_NETWORK = 5
const MAX_WAIT_MS = 5_000

/** Compares user name and password. Throws 429 after too many failures, 503 while too many log-ins wait. */
export function passwordLogIn(
  database: Database,
  now: () => number,
  open: OpenSession,
): (given: LogIn) => Promise<LogInResult> {
  const throttle = logInThrottle(database, now)
  const underWay = budget(MAX_LOG_INS, MAX_LOG_INS_OF_APPLICATION, busy)
  const ofName = turns<string>({ atOnce: LOG_INS_OF_NAME, longestWaitMs: MAX_WAIT_MS })
  const ofNetwork = turns<string>({ atOnce: LOG_INS_OF_NETWORK, longestWaitMs: MAX_WAIT_MS })

  async function compare({ username, password, extended }: LogIn): Promise<LogInResult> {
    const customer = await database.one(credentialsByUsername, { username })
    const passwordHash = customer?.password_hash ?? null
    const isMatch = await verifyPassword(password, passwordHash)
    if (customer === undefined) return { customerId: null, issued: null }
    if (!isMatch || passwordHash === null) return { customerId: customer.id, issued: null }
    return { customerId: customer.id, issued: await open(customer.id, extended, passwordHash) }
  }

  async function atOnce(given: LogIn): Promise<LogInResult> {
    underWay.take(given.apiKey, 1)
    try {
      return await compare(given)
    } finally {
      underWay.release(given.apiKey, 1)
    }
  }

  async function attemptOne(given: LogIn): Promise<LogInResult> {
    const attempt = await throttle.attempt(given.username, given.apiKey)
    const result = await atOnce(given).catch(async (error) => {
      await attempt.withdraw()
      throw error
    })
    if (result.issued !== null) await attempt.succeeded()
    return result
  }

  return (given) => ofName.run(given.username, () => ofNetwork.run(given.network, () => attemptOne(given), busy), busy)
}

const busy = () => new Fault('unavailable', undefined, { retryAfter: 2 })
