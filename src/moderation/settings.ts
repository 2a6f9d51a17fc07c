// What admins set up for moderators: the *labels* to choose from, and *groups* of people that an item can be assigned to.

import type { Database } from '../platform/database/database.ts'
import { Refused } from '../platform/runtime/refused.ts'
import * as sql from './settings-store.ts'

export type Group = { readonly name: string; readonly members: readonly string[] }
export type ModerationSettings = { readonly labels: readonly string[]; readonly groups: readonly Group[] }

/** `people`: who may decide, by the names of their tokens or accounts. */
export async function readSettings(database: Database, now: number) {
  const people = await database.query(sql.moderatorNames, { now })
  return { ...(await readStored(database)), people: people.map(({ name }) => name) }
}

export async function readStored(database: Database): Promise<ModerationSettings & { version: number }> {
  const row = await database.one(sql.readModerationSettings, {})
  if (row === undefined) throw new Error('moderation_settings has no row')
  return { version: row.version, labels: JSON.parse(row.labels), groups: JSON.parse(row.groups) }
}

/** false: they have another version by now than the one that was seen. */
export async function replaceSettings(
  database: Database,
  { labels, groups, version = null }: ModerationSettings & { version?: number | null },
): Promise<boolean> {
  const names = groups.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Refused('invalid', 'Two groups have the same name.')
  const stored = {
    labels: JSON.stringify([...new Set(labels)].sort()),
    groups: JSON.stringify(groups.map(({ name, members }) => ({ name, members: [...new Set(members)].sort() }))),
  }
  return (await database.run(sql.replaceModerationSettings, { ...stored, seen: version })) === 1
}
