// "Play the afternoon": the sandbox moves prices and settles markets in two minutes. The stream reports when something has happened on
// its racecard; then the sandbox's state of it is read once.

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useReducer } from 'react'
import { linkTo } from '../../web/route.ts'
import { useOutcomesVersion, useOutcomesWatched } from './live-outcomes.ts'
import { problemOf } from './problems.ts'
import { useReloadOn } from './reload.ts'
import { type MatchDay, playMatchDay, readMatchDay } from './sandbox.ts'
import { useSession } from './session.tsx'
import { useToast } from './toasts.tsx'

export type Line = { readonly id: number; readonly event: string; readonly text: string }

type Followed = {
  readonly day: MatchDay | undefined
  /** When the last event of the day ends. */
  readonly endsAt: number
  /** What happened, newest first. */
  readonly lines: readonly Line[]
}
type MatchDayState = Followed & { readonly isPlaying: boolean; play(): Promise<void> }

const MAX_LINES = 40
/** The last settlement and the end of the day are two steps. */
const END_MS = 1_500
const Context = createContext<MatchDayState | undefined>(undefined)
const NOTHING: Followed = { day: undefined, endsAt: 0, lines: [] }

function follow(before: Followed, day: MatchDay): Followed {
  const isNew = before.day?.state !== 'playing' && day.state === 'playing'
  const known = isNew ? [] : before.lines
  return {
    day,
    endsAt: Date.now() + day.secondsLeft * 1_000,
    lines: [...newLines(isNew ? undefined : before.day, day, known[0]?.id ?? 0), ...known].slice(0, MAX_LINES),
  }
}

/** The lines of matches whose text has changed. */
function newLines(before: MatchDay | undefined, day: MatchDay, lastId: number): Line[] {
  const old = new Map(before?.events.map(({ id, line }) => [id, line]))
  return day.events
    .filter(({ id, line }) => line !== '' && line !== old.get(id))
    .map(({ name, line }, index) => ({ id: lastId + index + 1, event: name, text: line }))
    .reverse()
}

export function MatchDayProvider({ children }: { children: ReactNode }) {
  const toast = useToast()
  const { ticket } = useSession().customer
  const [{ day, lines, endsAt }, setDay] = useReducer(follow, NOTHING)
  const isPlaying = day?.state === 'playing'
  useReadOnChange(day, setDay, ticket)

  const play = useCallback(async () => {
    try {
      setDay(await playMatchDay(ticket))
      location.hash = linkTo('afternoon')
    } catch (error) {
      toast({ icon: 'play', text: problemOf(error).title })
    }
  }, [toast, ticket])

  const state = useMemo<MatchDayState>(
    () => ({ day, lines, endsAt, isPlaying, play }),
    [day, lines, endsAt, isPlaying, play],
  )
  return <Context value={state}>{children}</Context>
}

/** Reads at first, when the stream reports something on the racecard, and at the end. */
function useReadOnChange(day: MatchDay | undefined, setDay: (day: MatchDay) => void, ticket: string): void {
  const read = useCallback(() => {
    readMatchDay(ticket)
      .then(setDay)
      .catch(() => undefined)
  }, [setDay, ticket])
  useEffect(read, [read])
  const ids = day?.outcomeIds ?? []
  useOutcomesWatched(ids)
  useReloadOn(useOutcomesVersion(ids), read)
  useEffect(() => {
    if (day?.state !== 'playing') return
    const timer = setTimeout(read, day.secondsLeft * 1_000 + END_MS)
    return () => clearTimeout(timer)
  }, [day, read])
}

export function useMatchDay(): MatchDayState {
  const state = useContext(Context)
  if (state === undefined) throw new Error('useMatchDay needs a MatchDayProvider above it')
  return state
}
