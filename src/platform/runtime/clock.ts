// The time, read once in a turn of the event loop. A request needs it several times (its duration, caches, its log line),
// and reading the clock takes 70 ns each time. `performance` is imported where it is used often: the global one is behind
// a getter.

import { performance } from 'node:perf_hooks'

let isRead = false
let time = 0
let begin = 0

/** Milliseconds since 1970, at the first call in this turn. */
export function turnTime(): number {
  if (!isRead) read()
  return time
}

/** Read anew, for what compares clocks. */
export const machineTime = (): number => Date.now()

/**
 * performance.now() at the first call in this turn. The requests of a turn had arrived when it began: waiting for each other
 * is part of their duration.
 */
export function turnBegin(): number {
  if (!isRead) read()
  return begin
}

function read(): void {
  isRead = true
  time = Date.now()
  begin = performance.now()
  setImmediate(invalidate)
}

function invalidate(): void {
  isRead = false
}
