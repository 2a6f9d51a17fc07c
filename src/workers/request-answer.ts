import type { Worker } from 'node:cluster'
import type { FromWorker, ToWorker } from './messages.ts'

/** A worker whose event loop is blocked for this long is not waited for. */
const ANSWER_WITHIN_MS = 1_000

/** `answerIn`: the answer, if the message is one. Resolves with undefined for a worker that does not answer. */
export function requestAnswer<T>(
  worker: Worker,
  request: ToWorker,
  answerIn: (message: FromWorker) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const finish = (answer?: T): void => {
      clearTimeout(timer)
      worker.off('message', receive)
      worker.off('exit', giveUp)
      resolve(answer)
    }
    const giveUp = () => finish()
    const receive = (message: FromWorker): void => {
      const answer = answerIn(message)
      if (answer !== undefined) finish(answer)
    }
    const timer = setTimeout(giveUp, ANSWER_WITHIN_MS)
    worker.on('message', receive)
    worker.on('exit', giveUp)
    worker.send(request, (error) => {
      if (error) giveUp()
    })
  })
}
