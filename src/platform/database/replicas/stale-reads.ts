// Reads while the primary is away: which replica answers them, and how old what it shows is.

import { DatabaseNotReached } from '../database.ts'
import type { PrimaryWatch } from '../postgres/primary-watch.ts'
import type { RecentWrites, Writer } from './recent-writes.ts'
import type { Replica } from './replica.ts'

/** Whoever needs the primary waits for it so long, then the request is answered 503. */
const MAX_WAIT_MS = 3_000

/** Between a failure of the primary and the moment in which it counts as away. */
const MAX_DOUBT_MS = 2_000

/** No application has this key. */
const NOBODY = ''

/** A replica with what it showed when it was chosen: everything answered before `freshness`. */
export type ChosenReplica = { readonly replica: Replica; readonly freshness: number }

export type StaleReads = ReturnType<typeof staleReads>

type Settings = {
  readonly watch: PrimaryWatch
  readonly upToMs: number
  readonly replicas: readonly Replica[]
  readonly writes: RecentWrites
}

export function staleReads({ watch, upToMs, replicas, writes }: Settings) {
  /** The freshest state that this process has shown from a replica. */
  let shown = Number.NEGATIVE_INFINITY

  /** The freshest one that shows everything before `since`, and nothing older than this process has shown. */
  function freshest(since: number, isFit: (replica: Replica) => boolean): ChosenReplica | null {
    const oldest = Math.max(shown, performance.now() - upToMs)
    const found = replicas
      .filter((replica) => replica.problem() === null && isFit(replica))
      .map((replica) => ({ replica, freshness: replica.freshness() }))
      .filter(({ freshness }) => freshness > since && freshness >= oldest)
      .sort((one, other) => other.freshness - one.freshness)[0]
    return found ?? null
  }

  /** Whether the primary has answered a probe that was sent since then; false: it is away. */
  async function answersSince(time: number): Promise<boolean> {
    await watch.until(() => watch.isAway() || watch.answeredAt() >= time, MAX_DOUBT_MS)
    return !watch.isAway()
  }

  return {
    watch,
    /** A replica has answered. */
    noteShown(freshness: number): void {
      shown = Math.max(shown, freshness)
    },
    choose: (who: Writer, isFit: (replica: Replica) => boolean) => freshest(writes.mustSeeWhileAway(who), isFit),
    /** For credentials, which belong to no writer. */
    chooseForCredentials: (isFit: (replica: Replica) => boolean) => freshest(writes.mustSeeWhileAway(NOBODY), isFit),
    /** Throws when the primary does not come back soon. */
    async untilBack(): Promise<void> {
      if (await watch.until(() => !watch.isAway(), MAX_WAIT_MS)) return
      throw new DatabaseNotReached(`the primary is away: ${watch.problem()}`)
    },
    /** After a failure of the primary: resolves when it is known whether it is away. */
    async isAwayAfterAll(): Promise<boolean> {
      return !(await answersSince(performance.now()))
    },
    answersSince,
    isPastLimit: (): boolean => performance.now() - watch.answeredAt() > upToMs,
    /** How old what replicas can show is, in milliseconds; null: no replica can be read. */
    ageMs(): number | null {
      const found = freshest(Number.NEGATIVE_INFINITY, () => true)
      return found === null ? null : performance.now() - found.freshness
    },
  }
}
