// A state machine is a table: which event leads from which states to which. The changes of state, the triggers (a test compares
// them) and the diagrams in the documents come from it.

export type Move<State extends string, Event extends string> = {
  readonly event: Event
  readonly from: readonly State[]
  readonly to: State
  /** What moves in the ledger. */
  readonly transfers?: readonly string[]
  /** The job that it starts, or ends. */
  readonly job?: string
  /** The event of the log. */
  readonly log?: string
}

export type Machine<State extends string, Event extends string> = readonly Move<State, Event>[]

/** A move that the machine does not have is an error of ours. */
export class IllegalMove extends Error {}

export function nextState<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  from: State,
  event: Event,
): State {
  const move = machine.find((one) => one.event === event && one.from.includes(from))
  if (move === undefined) throw new IllegalMove(`${event} is no move from ${from}`)
  return move.to
}

export function canMove<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  from: State,
  event: Event,
): boolean {
  return machine.some((one) => one.event === event && one.from.includes(from))
}

/** `FROM>TO`, sorted, without those that stay. */
export function legalMoves(machine: Machine<string, string>): string[] {
  const moves = machine.flatMap(({ from, to }) => from.map((state) => `${state}>${to}`))
  return [...new Set(moves)].filter((move) => new Set(move.split('>')).size === 2).toSorted()
}

/** A change that finds no row is an error of ours: the caller has seen the state under the lock. */
export function changed<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw new IllegalMove(`${what} changed no row`)
  return row
}

/** The same of a statement that returns how many rows it has changed. */
export function mustChange(rows: number, what: string, expected = 1): void {
  if (rows !== expected) throw new IllegalMove(`${what} changed ${rows} rows, not ${expected}`)
}
