import type { OutcomeColumns } from './event-store.ts'

export function outcomeStatus(row: OutcomeColumns): string {
  return row.outcome_status === 'active' ? 'A' : 'S'
}

/** I while event, market or outcome is suspended, and for ever once settled. */
export function displayStatus(row: OutcomeColumns): string {
  return isOpen(row) ? 'A' : 'I'
}

type OutcomeState = Pick<OutcomeColumns, 'event_status' | 'market_status' | 'outcome_status' | 'settled_at' | 'result'>

/** Neither suspended at any level nor settled. */
export function isOpen({ event_status, market_status, outcome_status, settled_at, result }: OutcomeState): boolean {
  const active = [event_status, market_status, outcome_status].every((status) => status === 'active')
  return active && settled_at === null && result === null
}
