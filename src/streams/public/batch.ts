// Who gets which of the events that were read together. Two statements for a whole batch, whatever the number of streams.

import { dataOf } from '../../event-log/event.ts'
import type { Database } from '../../platform/database/database.ts'
import { idListOf } from '../../platform/database/row-list-store.ts'
import { eventFrame, type StreamedRow } from './frames.ts'
import { doubtKinds, FOLLOWED_KIND, type ReadEvent } from './kinds.ts'
import type { OpenStreams, Stream } from './open-streams.ts'
import { followsBetween, hiddenPairs, pairList } from './store.ts'

export type Batch = {
  /** What to send to each live stream. */
  readonly texts: ReadonlyMap<Stream, string>
  /** Streams whose ticket may no longer be valid. */
  readonly doubtful: readonly Stream[]
}

/** A mute hides while its end is after `now`. */
export type LogView = { readonly database: Database; readonly now: () => number }

export async function batchOf(view: LogView, streams: OpenStreams, rows: readonly ReadEvent[]): Promise<Batch> {
  const own = rows.filter((row) => !isOfCustomer(row) && row.kind !== FOLLOWED_KIND)
  const shown = new Set(
    await shownToOwner(
      view,
      own.filter((row) => streams.ofCustomer(row.customer_id).size > 0),
    ),
  )
  const followers = await followersOfAuthors(view, streams, rows)
  const texts = new Map<Stream, string>()
  for (const row of rows) {
    const recipients = shown.has(row) ? streams.ofCustomer(row.customer_id) : (followers.get(row) ?? [])
    const waiting = [...recipients].filter((stream) => stream.live && stream.after < row.position)
    if (waiting.length === 0) continue
    const frame = eventFrame(row)
    for (const stream of waiting) texts.set(stream, (texts.get(stream) ?? '') + frame)
  }
  return { texts, doubtful: rows.filter(isOfCustomer).flatMap((row) => [...streams.ofCustomer(row.customer_id)]) }
}

const isOfCustomer = ({ kind }: ReadEvent): boolean => Object.hasOwn(doubtKinds, kind)

/**
 * Drops follows and likes by inactive profiles, and by those that the owner mutes or that a block hides. Drops `keep`
 * decisions too: they would reveal to the owner that somebody has flagged the tip or profile.
 */
export async function shownToOwner<Row extends StreamedRow>({ database, now }: LogView, all: Row[]): Promise<Row[]> {
  const rows = all.filter((row) => !isKept(row))
  const pairs = rows.flatMap(pairOf)
  if (pairs.length === 0) return rows
  const hidden = new Set((await database.query(hiddenPairs, { rows: pairList.of(pairs), now: now() })).map(keyOf))
  return hidden.size === 0 ? rows : rows.filter((row) => !pairOf(row).some((pair) => hidden.has(keyOf(pair))))
}

const isKept = (row: StreamedRow) => row.kind === 'decision.made' && dataOf(row).action === 'keep'

type Pair = { recipient_id: number; actor_id: number }
const keyOf = ({ recipient_id, actor_id }: Pair) => `${recipient_id} ${actor_id}`

/** Empty if the event has no actor. */
function pairOf(row: StreamedRow): Pair[] {
  const actor_id = actorOf(row)
  return actor_id === null ? [] : [{ recipient_id: row.profile_id as number, actor_id }]
}

function actorOf(row: StreamedRow): number | null {
  return row.kind === 'follow.created' || row.kind === 'like.created' ? Number(dataOf(row).byProfileId) : null
}

/** For each new tip, the streams of those who follow its author. */
async function followersOfAuthors({ database, now }: LogView, streams: OpenStreams, rows: readonly ReadEvent[]) {
  const tips = rows.filter(({ kind }) => kind === FOLLOWED_KIND)
  const found = new Map<ReadEvent, Stream[]>()
  if (tips.length === 0) return found
  const authors = idListOf(new Set(tips.map((tip) => tip.profile_id as number)))
  const follows = await database.query(followsBetween, { viewers: idListOf(streams.profiles()), authors, now: now() })
  const followersOf = Map.groupBy(follows, ({ followee_id }) => followee_id)
  for (const tip of tips) {
    const followers = followersOf.get(tip.profile_id as number) ?? []
    found.set(
      tip,
      followers.flatMap(({ follower_id }) => [...streams.ofProfile(follower_id)]),
    )
  }
  return found
}
