// "Play the afternoon": the sandbox moves prices and settles markets in two minutes, and the screens follow.

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useReducer } from 'react'
import { linkTo } from '../../web/route.ts'
import { problemOf } from './problems.ts'
import { type MatchDay, playMatchDay, readMatchDay } from './sandbox.ts'
import { useToast } from './toasts.tsx'

export type Line = { readonly id: number; readonly event: string; readonly text: string }

type Followed = {
  readonly day: MatchDay | undefined
  /** What happened, newest first. */
  readonly lines: readonly Line[]
  /** Grows when something has happened that the screens may show, every few seconds at most. */
  readonly version: number
  readonly polls: number
}
type MatchDayState = Omit<Followed, 'polls'> & { readonly isPlaying: boolean; play(): Promise<void> }

const POLL_MS = 1_000
const POLLS_PER_VERSION = 2
const MAX_LINES = 40
const Context = createContext<MatchDayState | undefined>(undefined)
const NOTHING: Followed = { day: undefined, lines: [], version: 0, polls: 0 }

function follow(before: Followed, day: MatchDay): Followed {
  const isNew = before.day?.state !== 'playing' && day.state === 'playing'
  const known = isNew ? [] : before.lines
  const isEnd = before.day?.state === 'playing' && day.state !== 'playing'
  const polls = before.polls + 1
  const isDue = day.state === 'playing' && polls % POLLS_PER_VERSION === 0
  return {
    day,
    lines: [...newLines(isNew ? undefined : before.day, day, known[0]?.id ?? 0), ...known].slice(0, MAX_LINES),
    version: before.version + (isDue || isEnd ? 1 : 0),
    polls,
  }
}

/** Those of matches about which something else is said than before. */
function newLines(before: MatchDay | undefined, day: MatchDay, lastId: number): Line[] {
  const old = new Map(before?.events.map(({ id, line }) => [id, line]))
  return day.events
    .filter(({ id, line }) => line !== '' && line !== old.get(id))
    .map(({ name, line }, index) => ({ id: lastId + index + 1, event: name, text: line }))
    .reverse()
}

export function MatchDayProvider({ children }: { children: ReactNode }) {
  const toast = useToast()
  const [{ day, lines, version }, setDay] = useReducer(follow, NOTHING)
  const isPlaying = day?.state === 'playing'
  usePolling(isPlaying, setDay)

  const play = useCallback(async () => {
    try {
      setDay(await playMatchDay())
      location.hash = linkTo('afternoon')
    } catch (error) {
      toast({ icon: 'play', text: problemOf(error).title })
    }
  }, [toast])

  const state = useMemo<MatchDayState>(
    () => ({ day, lines, isPlaying, version, play }),
    [day, lines, isPlaying, version, play],
  )
  return <Context value={state}>{children}</Context>
}

/** Once at first, because another tab may have started it; then as long as it is played. */
function usePolling(isPlaying: boolean, setDay: (day: MatchDay) => void): void {
  useEffect(() => {
    const read = () =>
      readMatchDay()
        .then(setDay)
        .catch(() => undefined)
    read()
    if (!isPlaying) return
    const timer = setInterval(read, POLL_MS)
    return () => clearInterval(timer)
  }, [isPlaying, setDay])
}

export function useMatchDay(): MatchDayState {
  const state = useContext(Context)
  if (state === undefined) throw new Error('useMatchDay needs a MatchDayProvider above it')
  return state
}
