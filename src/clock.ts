// The time, read once in a turn of the event loop. A request asks for it several times (what is remembered of its caller,
// its log line), and each reading of the clock costs as much as finding a row's page.

let known: number | undefined

/** Milliseconds since 1970, as it was when this turn first asked. */
export function turnTime(): number {
  if (known === undefined) {
    known = Date.now()
    setImmediate(forget)
  }
  return known
}

function forget(): void {
  known = undefined
}
