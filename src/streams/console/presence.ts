// Which item an open tab of the console shows. In the database, so that the consoles of several services know of each other.

import { IDLE_MS } from '../../identity/operators/console-sessions.ts'
import type { Database } from '../../platform/database/database.ts'
import { deletePresence, deletePresenceBefore, type PresenceKind, presentSince, setPresence } from './store.ts'

/** A tab renews its row every 15 seconds. */
const COUNTS_FOR_MS = 30_000

export type Viewer = { operator: string; kind: PresenceKind; id: string }

/** null: the tab shows no item any more. */
type Shown = { tab: string; operator: string; item: { kind: PresenceKind; id: string } | null }

export async function recordPresence(database: Database, { tab, operator, item }: Shown, now: number): Promise<void> {
  if (item === null) await database.run(deletePresence, { tab })
  else await database.run(setPresence, { tab, operator, kind: item.kind, itemId: item.id, now })
}

export async function viewersNow(database: Database, now: number): Promise<Viewer[]> {
  const rows = await database.query(presentSince, { since: now - COUNTS_FOR_MS, now, idleSince: now - IDLE_MS })
  return rows.map(({ operator, kind, item_id }) => ({ operator, kind, id: item_id }))
}

export function deleteStalePresence(database: Database, now: number): Promise<number> {
  return database.run(deletePresenceBefore, { before: now - COUNTS_FOR_MS })
}
