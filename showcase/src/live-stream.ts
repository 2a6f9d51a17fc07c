// One stream for everything on the page: browsers allow six connections to a host, for all tabs together.

import type { Paddock, StreamEvent, WatchedState } from '@paddock/client'

/** Screens are put together from many parts: their outcomes are requested together. */
const GATHER_MS = 100

type Parts = {
  /** The outcomes on the screen. */
  readonly wanted: () => number[]
  readonly onEvent: (event: StreamEvent | WatchedState) => void
  /** Called with the outcomes that are reported from now on. */
  readonly onWatching: (outcomes: readonly number[]) => void
}

export type LiveStream = { update(): void; close(): void }

/** `update`: opens it again, where it was, if other outcomes are on the screen than those that it watches. */
export function openLiveStream(paddock: Paddock, { wanted, onEvent, onWatching }: Parts): LiveStream {
  let turn = new AbortController()
  let outcomes: number[] = []
  let lastEventId: number | undefined
  const onLost = () => onWatching([])
  let timer: ReturnType<typeof setTimeout> | undefined

  async function listen(signal: AbortSignal): Promise<void> {
    const events = paddock.events({ signal, lastEventId, outcomes, account: true, onReconnect: onLost })
    for await (const event of events) {
      if (signal.aborted) return
      if ('position' in event) lastEventId = event.position
      onEvent(event)
    }
  }

  function begin(): void {
    turn.abort()
    turn = new AbortController()
    outcomes = wanted()
    onWatching(outcomes)
    // It ends by itself only when coming back would not help.
    listen(turn.signal).catch(onLost)
  }

  begin()
  return {
    update() {
      timer ??= setTimeout(() => {
        timer = undefined
        if (!wanted().every((id) => outcomes.includes(id))) begin()
      }, GATHER_MS)
    },
    close() {
      clearTimeout(timer)
      turn.abort()
    },
  }
}
