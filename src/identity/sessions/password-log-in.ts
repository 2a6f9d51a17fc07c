import { Fault } from '../../faults.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Turns, turns } from '../../platform/runtime/turns.ts'
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
  const underWay = new Map<string, number>()
  const ofName = turns<string>(LOG_INS_OF_NAME, MAX_WAIT_MS)
  const ofNetwork = turns<string>(LOG_INS_OF_NETWORK, MAX_WAIT_MS)

  async function compare({ username, password, extended }: LogIn): Promise<LogInResult> {
    const customer = await database.one(credentialsByUsername, { username })
    const passwordHash = customer?.password_hash ?? null
    const isMatch = await verifyPassword(password, passwordHash)
    if (customer === undefined) return { customerId: null, issued: null }
    if (!isMatch || passwordHash === null) return { customerId: customer.id, issued: null }
    return { customerId: customer.id, issued: await open(customer.id, extended, passwordHash) }
  }

  async function attemptOne(given: LogIn): Promise<LogInResult> {
    const attempt = await throttle.attempt(given.username, given.apiKey)
    let compared = false
    const leave = enterLogIns(underWay, given.apiKey)
    try {
      if (leave === null) throw new Fault('unavailable', undefined, { retryAfter: 2 })
      const result = await compare(given)
      compared = true
      if (result.issued !== null) await attempt.succeeded()
      return result
    } finally {
      leave?.()
      if (!compared) await attempt.withdraw()
    }
  }

  return (given) => inTurn(ofName, given.username, () => inTurn(ofNetwork, given.network, () => attemptOne(given)))
}

async function inTurn<T>(all: Turns<string>, key: string, work: () => Promise<T>): Promise<T> {
  if (!(await all.begin(key))) throw new Fault('unavailable', undefined, { retryAfter: 2 })
  try {
    return await work()
  } finally {
    all.end(key)
  }
}

/** Returns the function that frees the place again; null: too many are under way. */
function enterLogIns(underWay: Map<string, number>, apiKey: string): (() => void) | null {
  const own = underWay.get(apiKey) ?? 0
  const all = [...underWay.values()].reduce((sum, count) => sum + count, 0)
  if (all >= MAX_LOG_INS || own >= MAX_LOG_INS_OF_APPLICATION) return null
  underWay.set(apiKey, own + 1)
  return () => {
    const left = (underWay.get(apiKey) ?? 1) - 1
    if (left === 0) underWay.delete(apiKey)
    else underWay.set(apiKey, left)
  }
}
