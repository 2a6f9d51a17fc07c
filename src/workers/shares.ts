// The supervisor divides the limits of applications among the workers (http/limits/rate-limit.ts).

import type { Worker } from 'node:cluster'
import { type Shares, shareGranter } from '../http/limits/rate-limit.ts'
import { onMessage, send } from './member.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** The supervisor's side. */
export function sharedLimits() {
  const take = shareGranter()
  return {
    receive(worker: Worker, message: FromWorker): void {
      if (!('share' in message)) return
      const granted = take(message.share)
      worker.send({ number: message.number, granted } satisfies ToWorker, () => {})
    },
  }
}

/** A worker's side. There is no timeout: when the supervisor ends, so does this process. */
export function supervisorShares(processes: number): Shares {
  const waiting = new Map<number, (granted: number) => void>()
  let last = 0
  onMessage((message) => {
    if (typeof message !== 'object' || !('granted' in message)) return
    waiting.get(message.number)?.(message.granted)
    waiting.delete(message.number)
  })
  return {
    processes,
    take: (share) =>
      new Promise((resolve) => {
        const number = ++last
        waiting.set(number, resolve)
        void send({ number, share })
      }),
  }
}
