// Every request of a run with its answer, and what the times say.

type Kind = 'read' | 'write' | 'deposit'

/** `status` 0: no answer. Times are of performance.now(). */
export type Exchange = {
  instance: number
  kind: Kind
  what: string
  status: number
  start: number
  end: number
  ticket?: string | undefined
  /** What x-read-age said, in seconds. */
  age?: number | undefined
}

type Span = { start: number; end: number }

export type Traffic = ReturnType<typeof createTraffic>

/** docs/operations.md, "How long a request can take", and a second more for a busy machine. */
const DEADLINE_MS: Record<Kind, number> = { read: 16_000, write: 16_000, deposit: 41_000 }

const TICK_MS = 20

/** How long this process stood still so far. On a busy machine that is not the service's fault, and is not counted. */
function startStallClock(): () => number {
  let last = performance.now()
  let stalled = 0
  const overdue = () => Math.max(0, performance.now() - last - 2 * TICK_MS)
  setInterval(() => {
    stalled += overdue()
    last = performance.now()
  }, TICK_MS).unref()
  return () => stalled + overdue()
}

const stalledMs = startStallClock()

export function createTraffic() {
  const exchanges: Exchange[] = []
  const failures: string[] = []
  return {
    exchanges,
    /** What was answered besides successes, refusals by rules and 503. */
    failures,
    /** Returns the function to call with the answer. */
    begin(instance: number, kind: Kind, what: string, ticket?: string) {
      const start = performance.now()
      const stalled = stalledMs()
      return (status: number, text: string, age?: number): void => {
        const end = performance.now() - (stalledMs() - stalled)
        exchanges.push({ instance, kind, what, status, start, end, ticket, age })
        const name = `instance ${instance + 1}: ${what}`
        if (status === 0) failures.push(`${name}: no answer (${text})`)
        else if (status >= 500 && status !== 503) failures.push(`${name}: ${status} ${text}`)
        if (end - start > DEADLINE_MS[kind]) failures.push(`${name}: answered after ${Math.round(end - start)} ms`)
      }
    },
  }
}

export const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300
const isWrite = ({ kind }: Exchange): boolean => kind !== 'read'

/** From a write that succeeded to the next one, where a 503 was between them; of one instance. */
function outages(exchanges: readonly Exchange[], instance: number): Span[] {
  const writes = exchanges.filter((one) => one.instance === instance && isWrite(one)).sort((a, b) => a.end - b.end)
  const found: Span[] = []
  let last = writes[0]?.start ?? 0
  let refused = false
  for (const one of writes) {
    if (one.status === 503 || one.status === 0) refused = true
    if (!isSuccess(one)) continue
    if (refused) found.push({ start: last, end: one.end })
    refused = false
    last = one.end
  }
  return found
}

const longest = (exchanges: readonly Exchange[]) =>
  Math.max(0, ...exchanges.map(({ start, end }) => end - start)) / 1000

/** In seconds, of the instance that was worse; `standbysAway`: reads of this time are looked at too. */
export function timesOf(exchanges: readonly Exchange[], standbysAway: Span[] = []) {
  const instances = [0, 1].map((number) => {
    const outagesOfInstance = outages(exchanges, number)
    const spans = [...outagesOfInstance, ...standbysAway]
    const reads = exchanges.filter(
      (one) =>
        one.instance === number &&
        one.kind === 'read' &&
        spans.some(({ start, end }) => one.start < end && one.end > start),
    )
    return {
      unavailable: outagesOfInstance.reduce((sum, { start, end }) => sum + end - start, 0) / 1000,
      slowestReadMeanwhile: longest(reads),
    }
  })
  return {
    unavailable: Math.max(...instances.map((one) => one.unavailable)),
    slowest: longest(exchanges),
    slowestReadMeanwhile: Math.max(...instances.map((one) => one.slowestReadMeanwhile)),
  }
}
