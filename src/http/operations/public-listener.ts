import { type Budget, budget, type Part, partOf, type Turns, turns } from '../../platform/runtime/slots.ts'
import { type ResponseWriter, responseWriter } from '../answers/raw-response.ts'
import { type AddressLimits, addressLimits, busy, type UploadLimits, uploadLimits } from '../limits/limits.ts'
import { type RateLimiter, rateLimiter } from '../limits/rate-limit.ts'
import { type WrongSecrets, wrongSecrets } from '../limits/wrong-secrets.ts'
import type { ListenerContext } from '../requests/context.ts'
import { type Recorder, recorder } from '../requests/request-record.ts'

/** What all operations of the public listener share. */
export type PublicListener = {
  readonly context: ListenerContext
  readonly recorder: Recorder
  readonly writer: ResponseWriter
  readonly limiter: RateLimiter
  /** Requests served at once. */
  readonly slots: Budget
  /** Requests of one customer served at once. */
  readonly customerSlots: Budget<number>
  /** Bytes of bodies that are held at once. */
  readonly bodyMemory: Budget
  readonly uploads: UploadLimits
  /** Requests of one customer that may write at once, by id. */
  readonly writeTurns: Turns<number>
  readonly wrongSecrets: WrongSecrets
  /** What notifications, which anybody can send, have of slots and memory. */
  readonly notificationSlots: Part
  readonly notificationMemory: Part
  /** Requests without credentials that are served at once, by address, and their rate. */
  readonly openSlots: Budget
  readonly openCalls: AddressLimits
}

/**
 * The requests of one customer that are served at once: more than any application sends for one, and few of those that the
 * application has for all its customers, which bodies that never arrive would take.
 */
const SLOTS_OF_CUSTOMER = 20

/**
 * A write that waits for a lock keeps one of the ten connections of transactions (database/postgres). So one customer's writes of
 * the same rows leave most of them to the others. Whoever waits this long is answered 429: that is a hundred times a slow write.
 */
const WRITES_OF_CUSTOMER = 4
const MAX_WAIT_MS = 10_000

/** The requests of one address without credentials that are served at once. */
const OPEN_SLOTS_OF_ADDRESS = 8

export function publicListener(context: ListenerContext): PublicListener {
  const { now, shares, config } = context
  const { maxInFlight, maxInFlightPerApplication, bodyMemory: mostMemory } = config
  const slots = budget(maxInFlight, maxInFlightPerApplication, busy)
  const bodyMemory = budget(mostMemory, mostMemory / 2, busy)
  return {
    context,
    recorder: recorder(context, 'public'),
    writer: responseWriter({ raw: config.rawResponses, compress: config.compressAnswers }),
    limiter: rateLimiter(now, shares),
    slots,
    customerSlots: budget<number>(Number.POSITIVE_INFINITY, SLOTS_OF_CUSTOMER, busy),
    bodyMemory,
    uploads: uploadLimits(now, config.pictures.perMinute),
    writeTurns: turns({ atOnce: WRITES_OF_CUSTOMER, longestWaitMs: MAX_WAIT_MS }),
    wrongSecrets: wrongSecrets(context),
    // All senders together have what one application has, an address half of that.
    notificationSlots: partOf(slots, budget(maxInFlightPerApplication, Math.ceil(maxInFlightPerApplication / 2), busy)),
    notificationMemory: partOf(bodyMemory, budget(mostMemory / 2, mostMemory / 4, busy)),
    openSlots: budget(maxInFlightPerApplication, Math.min(OPEN_SLOTS_OF_ADDRESS, maxInFlightPerApplication), busy),
    openCalls: addressLimits(now, config.rateLimit),
  }
}
