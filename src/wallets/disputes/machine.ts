import type { Machine } from '../machine.ts'
import { DISPUTE_EVENTS, DISPUTE_STATES, type DisputeEvent, type DisputeState } from './events.ts'

const TRANSFERS = {
  1: ['chargeback', 'chargeback_debt', 'chargeback_house'],
  0: [],
  [-1]: ['chargeback_reversed', 'chargeback_house_reversed'],
} as const

/**
 * A dispute is in the furthest state that was reported, in whatever order: each event leads on from all states before its own, and
 * stays in those after it.
 */
export const DISPUTE_MACHINE: Machine<DisputeState, DisputeEvent> = (Object.keys(DISPUTE_EVENTS) as DisputeEvent[]).map(
  (event) => {
    const { state, charges } = DISPUTE_EVENTS[event]
    return {
      event,
      from: DISPUTE_STATES.slice(0, DISPUTE_STATES.indexOf(state) + 1),
      to: state,
      transfers: TRANSFERS[charges],
      log: 'dispute.changed',
    }
  },
)
