// The notation of prices that the customer prefers: in this browser, on every screen.

import { useSyncExternalStore } from 'react'
import { ODDS_FORMATS, type Odds, type OddsFormat, oddsText } from './odds-text.ts'

const STORED = 'paddock-showcase-odds'
const listeners = new Set<() => void>()

const stored = (): OddsFormat =>
  ODDS_FORMATS.find(({ value }) => value === localStorage.getItem(STORED))?.value ?? 'fraction'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export function chooseOdds(format: OddsFormat): void {
  localStorage.setItem(STORED, format)
  for (const listener of listeners) listener()
}

export const useOddsFormat = (): OddsFormat => useSyncExternalStore(subscribe, stored)

export function OddsText({ odds }: { odds: Odds }) {
  return oddsText(odds, useOddsFormat())
}
