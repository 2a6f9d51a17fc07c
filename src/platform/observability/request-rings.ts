// The requests of each application that are in memory, bounded by number and by bytes: the newest take the place of the oldest.

/**
 * Without secrets. `target`: path and query as they may be shown. `kind`: of the fault; '': none. `hint`: '' is none too. `body`:
 * the form, and `answer`: the body of the answer, as they may be shown, in the sandbox only.
 */
export type RecentRequest = {
  readonly id: string
  readonly at: number
  readonly method: string
  readonly target: string
  readonly operation: string
  readonly status: number
  readonly kind: string
  readonly faultName: string
  readonly hint: string
  readonly ms: number
  readonly customer: number | null
  readonly representation: string
  readonly body: string
  readonly answer: string
}

/** A request as it came. */
export type RawRequest = Omit<RecentRequest, 'target' | 'body' | 'answer'> & {
  readonly url: string
  /** A number: the bytes of a picture. '': none, or it is not kept. */
  form: string | number
  /** What was answered, to be written again; undefined: nothing, or it is not kept. */
  value: unknown
  /** What it takes in memory, roughly. */
  bytes: number
  readonly shows: Shows
}

/** How the requests of an operation are shown. */
export type Shows = {
  /** Forms and answers are kept: in the sandbox. */
  readonly keepsBodies: boolean
  /** Made when the request ends. */
  readonly atOnce: boolean
  readonly show: (raw: RawRequest) => RecentRequest
}

export const REQUESTS_KEPT = 200
const MAX_APPLICATIONS = 100
const MAX_BYTES_OF_APPLICATION = 2 * 1024 * 1024
const MAX_BYTES = 16 * 1024 * 1024

export type Kept = RecentRequest | RawRequest
/**
 * `count`: of all that were added. `saved`: those before this one were taken to be saved. `raw`: those before this one are shown, or
 * have lost their answers. `bytes`: of those that are kept.
 */
export type Ring = { readonly slots: Kept[]; count: number; saved: number; raw: number; bytes: number }

export function requestRings() {
  const rings = new Map<string, Ring>()
  let bytes = 0

  function ringOf(application: string): Ring {
    const known = rings.get(application)
    if (known !== undefined) return known
    if (rings.size >= MAX_APPLICATIONS) forgetOne()
    return rings.set(application, { slots: [], count: 0, saved: 0, raw: 0, bytes: 0 }).get(application) as Ring
  }

  function forgetOne(): void {
    const application = leastRecent(rings)
    bytes -= rings.get(application)?.bytes ?? 0
    rings.delete(application)
  }

  function put(ring: Ring, number: number, request: Kept): void {
    const index = number % REQUESTS_KEPT
    const last = ring.slots[index]
    ring.slots[index] = request
    count(ring, bytesOf(request) - (last === undefined ? 0 : bytesOf(last)))
  }

  function count(ring: Ring, change: number): void {
    ring.bytes += change
    bytes += change
  }

  /** Drops the oldest bodies of the ring. */
  function dropAnswer(ring: Ring): void {
    const number = inMemory(ring, ring.raw)
    ring.raw = number + 1
    const kept = keptAt(ring, number)
    const before = bytesOf(kept)
    if (isRaw(kept)) forgetBodies(kept)
    count(ring, bytesOf(kept) - before)
  }

  return {
    /** By application. */
    all: rings as ReadonlyMap<string, Ring>,
    add(application: string, request: Kept): void {
      const ring = ringOf(application)
      put(ring, ring.count, isRaw(request) && request.shows.atOnce ? request.shows.show(request) : request)
      ring.count++
      while (ring.bytes > MAX_BYTES_OF_APPLICATION && ring.raw < ring.count - 1) dropAnswer(ring)
      while (bytes > MAX_BYTES && rings.size > 1) forgetOne()
    },
    /** Makes what may be shown of a request, once. */
    shownAt(ring: Ring, number: number): RecentRequest {
      const kept = keptAt(ring, number)
      if (!isRaw(kept)) return kept
      const shown = kept.shows.show(kept)
      put(ring, number, shown)
      return shown
    },
  }
}

function forgetBodies(raw: RawRequest): void {
  raw.form = ''
  raw.value = undefined
  raw.bytes = rawBytes({ url: raw.url, form: '' }, 0)
}

export const keptAt = ({ slots }: Ring, number: number): Kept => slots[number % REQUESTS_KEPT] as Kept

/** The number of a request, or of the oldest one that is still in memory. */
export const inMemory = ({ count }: Ring, number: number): number => Math.max(number, count - REQUESTS_KEPT)

const isRaw = (kept: Kept): kept is RawRequest => 'shows' in kept

/** What every request takes. */
const FIXED_BYTES = 400
/** What an answer takes before it is written, by the length of its text: objects, fields and numbers. */
const VALUE_BYTES = 4

/** What a request takes in memory as it came, roughly. */
export function rawBytes({ url, form }: Pick<RawRequest, 'url' | 'form'>, answerLength: number): number {
  return FIXED_BYTES + url.length + (typeof form === 'string' ? form.length : 0) + VALUE_BYTES * answerLength
}

function bytesOf(kept: Kept): number {
  return isRaw(kept) ? kept.bytes : FIXED_BYTES + 2 * (kept.target.length + kept.body.length + kept.answer.length)
}

/** The application whose last request is the oldest. */
function leastRecent(rings: ReadonlyMap<string, Ring>): string {
  let [found, oldest] = ['', Number.POSITIVE_INFINITY]
  for (const [application, ring] of rings) {
    const { at } = keptAt(ring, ring.count - 1)
    if (at < oldest) [found, oldest] = [application, at]
  }
  return found
}
