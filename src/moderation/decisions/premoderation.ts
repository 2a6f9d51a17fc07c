import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import { setPremoderated } from './store.ts'

/** Whether every new tip of the profile is held until a moderator has looked at it. */
export async function premoderate(database: Database, id: number, isPremoderated: boolean): Promise<void> {
  const changed = await database.run(setPremoderated, { id, premoderated: isPremoderated ? 1 : 0 })
  if (changed === 0) throw new Refused('unknown', `There is no profile ${id}.`)
}
