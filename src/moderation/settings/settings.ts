// What admins set up for moderators: the *labels* to choose from, *groups* of people that an item can be assigned to, and the
// *rules* that hold tips back.

import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import * as sql from './settings-store.ts'

export type Group = { readonly name: string; readonly members: readonly string[] }
/** null, or no words: there is no such rule. */
export type HoldRuleSettings = {
  readonly links: { readonly newerThanDays: number } | null
  readonly words: readonly string[]
  readonly rate: { readonly tips: number; readonly minutes: number } | null
}
export const NO_RULES: HoldRuleSettings = { links: null, words: [], rate: null }
export type ModerationSettings = {
  readonly labels: readonly string[]
  readonly groups: readonly Group[]
  readonly rules: HoldRuleSettings
}

/** `people`: who may decide, by the names of their tokens or accounts. */
export async function readSettings(database: Database, now: number) {
  const people = await database.query(sql.moderatorNames, { now })
  return { ...(await readStored(database)), people: people.map(({ name }) => name) }
}

export async function readStored(database: Database): Promise<ModerationSettings & { version: number }> {
  const row = await database.one(sql.readModerationSettings, {})
  if (row === undefined) throw new Error('moderation_settings has no row')
  const { version, labels, groups, rules } = row
  return { version, labels: JSON.parse(labels), groups: JSON.parse(groups), rules: JSON.parse(rules) }
}

type NewSettings = Omit<ModerationSettings, 'rules'> & { rules?: HoldRuleSettings; version?: number | null }

/** Without `rules` these stay. false: the settings have another version by now than the one that was seen. */
export async function replaceSettings(
  database: Database,
  { labels, groups, rules, version = null }: NewSettings,
): Promise<boolean> {
  const names = groups.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Refused('invalid', 'Two groups have the same name.')
  const stored = {
    labels: JSON.stringify([...new Set(labels)].sort()),
    groups: JSON.stringify(groups.map(({ name, members }) => ({ name, members: [...new Set(members)].sort() }))),
    rules: rules === undefined ? null : JSON.stringify({ ...rules, words: [...new Set(rules.words)].sort() }),
  }
  return (await database.run(sql.replaceModerationSettings, { ...stored, seen: version })) === 1
}
