// After a failover that has lost writes, what streams were sent may not have happened: all of them get `reset`.

import type { Logger } from 'pino'
import type { StaleReads } from '../../platform/database/replicas/stale-reads.ts'
import { greeting } from './frames.ts'
import type { OpenStreams } from './open-streams.ts'
import type { Reader } from './reader.ts'
import { endAll, send } from './write.ts'

type Settings = {
  readonly open: OpenStreams
  readonly reader: Reader
  readonly log: Logger
  readonly stale: StaleReads | null
}

export function resetAfterLoss({ open, reader, log, stale }: Settings) {
  let lostUpTo = 0

  async function reset(): Promise<void> {
    const { read } = await reader.restart()
    lostUpTo = read
    for (const stream of open.all()) {
      stream.after = read
      if (stream.live) send(open, stream, greeting('reset', read))
    }
  }

  stale?.watch.on('history lost', () => {
    reset().catch((error) => {
      log.warn({ err: error }, 'streams could not be reset after writes were lost; their clients will come back')
      endAll(open, 'failed')
    })
  })
  return {
    /** Events up to this position may be of the history that is gone. */
    lostUpTo: () => lostUpTo,
  }
}
