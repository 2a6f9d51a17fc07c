// Where the last write of each ticket is in the service's history. Sent with the next calls of the ticket, so that whichever machine
// answers them shows the write.

/** Enough for a server that calls for many customers. */
const MOST = 10_000
export const WRITE_POSITION = 'x-write-position'

export type Positions = {
  of(ticket: string | undefined): string | undefined
  note(ticket: string | undefined, answer: Headers): void
}

export function writePositions(): Positions {
  /** The oldest first. */
  const known = new Map<string | undefined, string>()
  return {
    of: (ticket) => known.get(ticket),
    note(ticket, answer) {
      const position = answer.get(WRITE_POSITION)
      if (ticket === undefined || position === null) return
      known.delete(ticket)
      // The database has lost the write: nothing is left to wait for.
      if (position === 'lost') return
      known.set(ticket, position)
      if (known.size > MOST) known.delete(known.keys().next().value)
    },
  }
}
