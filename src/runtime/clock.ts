// The time, read once in a turn of the event loop. A request asks for it several times (how long it took, what is remembered
// of its caller, its log line), and each reading of the clock takes some 70 ns. Where it is read often,
// `performance` is imported: the global one is behind a getter.

import { performance } from 'node:perf_hooks'

let isRead = false
let time = 0
let begin = 0

/** Milliseconds since 1970, as it was when this turn first asked. */
export function turnTime(): number {
  if (!isRead) read()
  return time
}

/**
 * As performance.now(), when this turn first asked. What a turn serves had arrived when it began: waiting for others of the
 * same turn is part of how long a request took.
 */
export function turnBegin(): number {
  if (!isRead) read()
  return begin
}

function read(): void {
  isRead = true
  time = Date.now()
  begin = performance.now()
  setImmediate(forget)
}

function forget(): void {
  isRead = false
}
