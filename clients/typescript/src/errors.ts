import type { FaultCode } from './generated/faults.ts'
import type { Metadata } from './hooks.ts'

/**
 * `fault`: the service refused the call; it is a `PaddockFault`. `connection`: no answer arrived. `timeout`: the call took longer than
 * `timeoutMs`. `answer`: the answer is not one of Paddock's. `signature`: a webhook is not genuine.
 */
export type FailureReason = 'fault' | 'connection' | 'timeout' | 'answer' | 'signature'

type Details = Partial<Metadata> & { readonly retryAfterMs?: number | undefined; readonly cause?: unknown }

/** Everything that the client throws, but for the reason of an aborted signal. */
export class PaddockError extends Error {
  override readonly name: string = 'PaddockError'
  declare readonly reason: FailureReason
  /** The HTTP status; undefined where there was no answer. */
  declare readonly status: number | undefined
  /** Names the request in the log of the service. */
  declare readonly requestId: string | undefined
  /** The deposit was answered with the first answer to its key again. */
  declare readonly replayed: boolean | undefined
  declare readonly responseHeaders: Headers | undefined
  /** How long the service asks to wait before the call is repeated. */
  declare readonly retryAfterMs: number | undefined
  /** The key with which a deposit can be repeated, and is made once. */
  declare idempotencyKey: string | undefined

  constructor(reason: FailureReason, message: string, details: Details = {}) {
    super(message, details)
    const { cause, ...known } = details
    Object.assign(this, { reason, ...known })
  }
}

export type Fault = {
  readonly code: FaultCode
  readonly message: string
  /** The parameter at fault. */
  readonly faultName?: string
  /** An inappropriate text, with the offending words masked. */
  readonly solution?: string
}

/** The service refused the call, whichever HTTP status the answer had. `message` is the service's own sentence. */
export class PaddockFault extends PaddockError {
  override readonly name = 'PaddockFault'
  declare readonly reason: 'fault'
  declare readonly status: number
  declare readonly code: FaultCode
  /** The parameter at fault, if one is. */
  declare readonly faultName: string | undefined
  /** An inappropriate text, with the offending words masked. */
  declare readonly solution: string | undefined
  /** All faults of the answer; the first one is this. */
  declare readonly faults: readonly Fault[]

  constructor(faults: readonly [Fault, ...Fault[]], details: Details) {
    const [{ code, message, faultName, solution }] = faults
    super('fault', message, details)
    Object.assign(this, { code, faultName, solution, faults })
  }
}

export function lostConnection(cause: unknown): PaddockError {
  return new PaddockError('connection', 'The connection was lost before the answer was complete', { cause })
}

type WireFault = { faultCode: FaultCode; faultString: string; faultName?: string; solution?: string }

/** The faults of an answer: a list, or an object with one, depending on the operation. */
export function faultOf(whoFaults: unknown, details: Details): PaddockFault | undefined {
  const list = Array.isArray(whoFaults) ? whoFaults : [(whoFaults as { fault?: WireFault } | null)?.fault]
  if (!list.every((one) => typeof one?.faultCode === 'string')) return undefined
  const [first, ...rest] = list.map(
    ({ faultCode: code, faultString: message, ...more }): Fault => ({
      code,
      message,
      ...more,
    }),
  )
  return first && new PaddockFault([first, ...rest], details)
}
