// Prices, suspensions, results, scores and new tips as the stream reports them, for the outcomes on the screen. A page loads what it
// shows once; later reports replace it.

import type { EventState, NewTip, OutcomeState } from '@paddock/client'
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import type { ListedEvent, SportsEvent, Tip } from './answers.ts'

/** `at`: when it became so. `isNow`: false since the connection was lost, after which it may have changed. */
type Reported<State> = { readonly state: State; readonly at: number; readonly isNow: boolean }

type Price = { readonly priceFrac?: string; readonly priceDec?: string }

/** An outcome of an answer. */
export type LoadedOutcome = {
  readonly id: number
  readonly livePrice?: Price | undefined
  readonly displayStatus: string
  readonly result?: string | undefined
}

export type LiveOutcome = Omit<LoadedOutcome, 'id'> & {
  /** Whether the stream reports its changes now. Only then is an equal price known to be unchanged. */
  readonly isWatched: boolean
  readonly at: number
}

/** How many changes were reported, for all outcomes on the screen. */
type Counts = {
  readonly settled: number
  /** Changes of events: started, settled or moved, or another score. */
  readonly events: number
  /** By outcome, and by profile. */
  readonly tipsOn: ReadonlyMap<number, number>
  readonly tipsBy: ReadonlyMap<number, number>
}

export type OutcomeStore = ReturnType<typeof outcomeStore>

/** The most outcomes that one stream watches. */
const MAX_WATCHED = 100

/** `onWatched`: other outcomes are on the screen than before. */
export function outcomeStore(onWatched: () => void) {
  const watched = new Map<number, number>()
  const listeners = new Set<() => void>()
  const outcomes = new Map<number, Reported<OutcomeState>>()
  const events = new Map<number, Reported<EventState>>()
  let counts: Counts = { settled: 0, events: 0, tipsOn: new Map(), tipsBy: new Map() }
  let isNotifying = false
  // What arrives together is shown, and loaded again, once.
  const changed = () => {
    if (isNotifying) return
    isNotifying = true
    setTimeout(() => {
      isNotifying = false
      for (const listener of listeners) listener()
    })
  }
  return {
    /** The outcomes that came onto the screen last, where there are more than a stream can watch. */
    wanted: (): number[] => [...watched.keys()].slice(-MAX_WATCHED),
    watch(ids: readonly number[]): () => void {
      for (const id of ids) watched.set(id, (watched.get(id) ?? 0) + 1)
      if (ids.length > 0) onWatched()
      return () => {
        for (const id of ids) {
          const left = (watched.get(id) ?? 0) - 1
          if (left > 0) watched.set(id, left)
          else watched.delete(id)
        }
      }
    },
    record(state: OutcomeState | EventState | NewTip): void {
      if (state.type === 'tip') {
        const { outcomeId, profileId } = state
        counts = { ...counts, tipsOn: more(counts.tipsOn, outcomeId), tipsBy: more(counts.tipsBy, profileId) }
      } else if (state.type === 'outcome') {
        const before = outcomes.get(state.outcomeId)?.state
        // The first report is no change.
        if (before !== undefined && termsOf(before) !== termsOf(state))
          counts = { ...counts, settled: counts.settled + 1 }
        put(outcomes, state.outcomeId, state)
      } else if (put(events, state.eventId, state)) counts = { ...counts, events: counts.events + 1 }
      changed()
    },
    /** From now on only these outcomes are reported; none, if the connection is lost. */
    keepOnly(ids: readonly number[]): void {
      const kept = new Set(ids)
      for (const [id, one] of outcomes) if (!kept.has(id)) outcomes.set(id, { ...one, isNow: false })
      if (kept.size === 0) for (const [id, one] of events) events.set(id, { ...one, isNow: false })
      changed()
    },
    outcome: (id: number): Reported<OutcomeState> | undefined => outcomes.get(id),
    event: (id: number): Reported<EventState> | undefined => events.get(id),
    counts: (): Counts => counts,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** How it was settled: a correction may change any of it. */
function termsOf({ result, deadHeat, placeDeadHeat, rule4 }: OutcomeState): string {
  return [result, deadHeat, placeDeadHeat, rule4].join()
}

/** Stores the state and returns whether it has changed. A stream that is opened again repeats its states. */
function put<State>(all: Map<number, Reported<State>>, id: number, state: State): boolean {
  const before = all.get(id)
  const isSame = before !== undefined && JSON.stringify(before.state) === JSON.stringify(state)
  if (!isSame || !before.isNow) all.set(id, { state, at: isSame ? before.at : Date.now(), isNow: true })
  return before !== undefined && !isSame
}

function more(counts: ReadonlyMap<number, number>, key: number): ReadonlyMap<number, number> {
  return new Map(counts).set(key, (counts.get(key) ?? 0) + 1)
}

export const OutcomesContext = createContext<OutcomeStore>(outcomeStore(() => undefined))

/** Watches them on the stream as long as the component is shown. */
export function useOutcomesWatched(ids: readonly number[]): void {
  const store = useContext(OutcomesContext)
  const key = ids.join()
  useEffect(() => store.watch(key === '' ? [] : key.split(',').map(Number)), [store, key])
}

/** An outcome as it is now. One that is settled is watched too: its result may be corrected. */
export function useOutcome(loaded: LoadedOutcome): LiveOutcome {
  const store = useContext(OutcomesContext)
  useOutcomesWatched([loaded.id])
  const reported = useSyncExternalStore(store.subscribe, () => store.outcome(loaded.id))
  return merged(loaded, reported)
}

function merged(loaded: LoadedOutcome, reported: Reported<OutcomeState> | undefined): LiveOutcome {
  if (reported?.isNow !== true) return { ...loaded, isWatched: false, at: 0 }
  const { livePrice, displayStatus, result } = reported.state
  // Loaded after the report: a result may change, but is never taken back.
  if (loaded.result !== undefined && result === null) return { ...loaded, isWatched: false, at: 0 }
  return {
    livePrice: livePrice ?? undefined,
    displayStatus,
    result: result ?? undefined,
    isWatched: true,
    at: reported.at,
  }
}

/** The same of several, in their order. Each must be watched. */
export function useOutcomes(loaded: readonly LoadedOutcome[]): LiveOutcome[] {
  const store = useContext(OutcomesContext)
  useOutcomesVersion(loaded.map(({ id }) => id))
  return loaded.map((one) => merged(one, store.outcome(one.id)))
}

/** A tip with the price, the state and the result of its outcome as they are now. */
export function useLiveTip(tip: Tip): { tip: Tip; isWatched: boolean } {
  const { event } = tip
  const { market } = event
  const { outcome } = market
  const { livePrice, displayStatus, result, isWatched } = useOutcome({ ...outcome, result: tip.result })
  if (!isWatched) return { tip, isWatched }
  const { livePrice: _, ...same } = outcome
  const now = { ...same, displayStatus, ...(livePrice === undefined ? {} : { livePrice }) }
  const { result: __, settlement, ...others } = tip
  return {
    tip: {
      ...others,
      ...(result === undefined ? {} : { result }),
      // What it won or lost belongs to the result that it was loaded with.
      ...(settlement === undefined || result !== tip.result ? {} : { settlement }),
      event: { ...event, market: { ...market, outcome: now } },
    },
    isWatched,
  }
}

/** Changes when the stream has reported something about one of them. They must be watched. */
export function useOutcomesVersion(ids: readonly number[]): string {
  const store = useContext(OutcomesContext)
  return useSyncExternalStore(store.subscribe, () => ids.map((id) => store.outcome(id)?.at ?? 0).join())
}

/** An event as it is now. One of its outcomes must be watched. */
export function useEvent<Loaded extends ListedEvent | SportsEvent>(loaded: Loaded): Loaded {
  const store = useContext(OutcomesContext)
  return eventNow(
    loaded,
    useSyncExternalStore(store.subscribe, () => store.event(loaded.id)),
  )
}

/** Several as they are now. One outcome of each must be watched. */
export function useEvents<Loaded extends ListedEvent>(loaded: readonly Loaded[]): Loaded[] {
  const store = useContext(OutcomesContext)
  useSyncExternalStore(store.subscribe, () => loaded.map(({ id }) => store.event(id)?.at ?? 0).join())
  return loaded.map((one) => eventNow(one, store.event(one.id)))
}

function eventNow<Loaded extends ListedEvent | SportsEvent>(
  loaded: Loaded,
  reported: Reported<EventState> | undefined,
): Loaded {
  if (reported?.isNow !== true) return loaded
  const { status, startTime, isSuspended, score, clock } = reported.state
  const now = { ...loaded, status, isSuspended, startDateTimeZoned: startTime }
  if (score === null) delete now.score
  else now.score = score
  if (clock === null) delete now.clock
  else now.clock = clock
  return now
}

/** For what the stream does not report itself: when something has changed, it is loaded again. */
export function useLiveCounts(): Counts {
  const store = useContext(OutcomesContext)
  return useSyncExternalStore(store.subscribe, store.counts)
}
