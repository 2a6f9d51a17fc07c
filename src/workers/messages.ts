// What the supervisor and its workers say to each other, over the channel that node:cluster gives them.

import type { Readings } from '../readings.ts'

export type ToWorker = 'read' | 'stop'

/** What a worker says of a start that failed, for the supervisor to tell. */
export type Failure = { readonly message: string; readonly code?: string; readonly port?: number }

export type FromWorker = { readonly readings: Readings } | { readonly failure: Failure }
