// What a caller who sends x-write-position must see, and what a caller who has written is sent.

import { DatabaseNotReached } from '../database.ts'
import type { CommitPositions } from '../postgres/commit-positions.ts'
import type { Heartbeat } from '../postgres/heartbeat-store.ts'
import type { PrimaryWatch } from '../postgres/primary-watch.ts'
import type { Replica } from './replica.ts'
import { fateOf, parsePosition, shortIdentity, textOfPosition, type WritePosition } from './write-position.ts'

export const WRITE_POSITION = 'x-write-position'

/** A newer timeline than this process knows: its own heartbeat shows it within a second, or somebody made the position up. */
const MAX_WAIT_MS = 1_000

type Response = { setHeader(name: string, value: string): unknown }

export type WritePositions = ReturnType<typeof writePositions>

type Settings = {
  readonly watch: PrimaryWatch
  readonly commits: CommitPositions
  /** Of the primary's database; undefined: not known yet. */
  readonly identity: () => string | undefined
}

export type PositionDemand = {
  /** Resolves when it is known who may answer. Throws where this process knows no server of the timeline. */
  known(response: Response | null): Promise<void>
  isShownBy(replica: Replica): boolean
}

export function writePositions({ watch, commits, identity }: Settings) {
  function demandFor(position: WritePosition): PositionDemand {
    let isAnywhere = false
    const isOlder = (): boolean => position.timeline < watch.timeline()
    return {
      async known(response) {
        if (!(await watch.until(() => watch.timeline() >= position.timeline, MAX_WAIT_MS))) {
          throw new DatabaseNotReached(`the primary of timeline ${position.timeline} is not known here`)
        }
        if (!isOlder()) return
        const fate = fateOf(position, watch.lastBeat() as Heartbeat)
        isAnywhere = fate === 'contained'
        if (fate === 'lost') response?.setHeader(WRITE_POSITION, 'lost')
      },
      isShownBy: (replica) => (isOlder() ? isAnywhere : replica.shows(position)),
    }
  }

  return {
    /** null: anything may be shown. */
    demandOf(text: string | undefined): PositionDemand | null {
      const position = text === undefined ? undefined : parsePosition(text)
      const known = identity()
      if (position === undefined || known === undefined || position.database !== shortIdentity(known)) return null
      return demandFor(position)
    },
    /** After a write. */
    show(response: Response | null): void {
      const [latest, known] = [commits.latest(), identity()]
      if (response === null || latest === null || known === undefined) return
      response.setHeader(WRITE_POSITION, textOfPosition({ ...latest, database: shortIdentity(known) }))
    },
  }
}
