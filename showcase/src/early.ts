// Requests that begin while the application's script is still loading. On a slow phone each would otherwise take its round
// trip after the second that the script takes.

type Answered = { readonly response: Response; readonly milliseconds: number }

/** An answer that nobody has taken by then is too old to show: a screen that comes later requests its own. */
const MAX_AGE_MS = 20_000

const begun = new Map<string, { readonly at: number; readonly answered: Promise<Answered> }>()

const keyOf = (address: string, headers: Headers) => `${headers.get('who-ticket') ?? ''} ${address}`

/** `address`: path and query. */
export function begin(address: string, headers: Readonly<Record<string, string>>): Promise<Answered> {
  const at = performance.now()
  const answered = fetch(address, { headers }).then((response) => ({ response, milliseconds: performance.now() - at }))
  // Whoever takes it deals with its failure.
  answered.catch(() => undefined)
  begun.set(keyOf(address, new Headers(headers)), { at, answered })
  return answered
}

/** The answer to the same request of the same customer, once; undefined: none has begun. */
export function takeBegun(address: string, headers: Headers): Promise<Answered> | undefined {
  const key = keyOf(address, headers)
  const found = begun.get(key)
  begun.delete(key)
  return found === undefined || performance.now() - found.at > MAX_AGE_MS ? undefined : found.answered
}
