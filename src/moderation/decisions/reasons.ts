// The *reasons* of a decision that restricts: its *ground* (the operator's terms, or the law), the *clause* of the rules, and a
// *statement* to the author. Each clause has a template, which is the statement unless the moderator writes another.

import type { Database } from '../../platform/database/database.ts'
import { Refused } from '../../platform/runtime/refused.ts'
import type { Ground } from './actions.ts'
import { isRestricting } from './actions.ts'
import { readModerationTexts, replaceModerationTexts } from './decision-store.ts'

export type Clause = { key: string; ground: Ground; title: string; template: string }
export type ModerationTexts = { readonly clauses: readonly Clause[]; readonly notes: readonly string[] }

export type Reasons = { readonly ground: Ground; readonly clause: string; readonly statement: string }
export type GivenReasons = { readonly [Name in keyof Reasons]?: Reasons[Name] }

/** For decisions of clients that name none. */
export const DEFAULT_CLAUSE = 'general'

export async function readTexts(database: Database): Promise<ModerationTexts & { version: number }> {
  const row = await database.one(readModerationTexts, {})
  if (row === undefined) throw new Error('moderation_texts has no row')
  return { version: row.version, clauses: JSON.parse(row.clauses), notes: JSON.parse(row.notes) }
}

/** false: they have another version by now than the one that was seen. */
export async function replaceTexts(
  database: Database,
  { clauses, notes, version = null }: ModerationTexts & { version?: number | null },
): Promise<boolean> {
  const keys = clauses.map(({ key }) => key)
  if (!keys.includes(DEFAULT_CLAUSE)) {
    throw new Refused('invalid', `The clause "${DEFAULT_CLAUSE}" must stay: decisions that name no clause have it.`)
  }
  if (new Set(keys).size < keys.length) throw new Refused('invalid', 'Two clauses have the same key.')
  const texts = { clauses: JSON.stringify(clauses), notes: JSON.stringify(notes) }
  return (await database.run(replaceModerationTexts, { ...texts, seen: version })) === 1
}

/** null: the action restricts nothing and needs no reasons. */
export async function reasonsFor(database: Database, action: string, given: GivenReasons): Promise<Reasons | null> {
  if (!isRestricting(action)) {
    if (given.ground !== undefined || given.clause !== undefined || given.statement !== undefined)
      throw new Refused('invalid', `The action ${action} restricts nothing: leave out ground, clause and statement.`)
    return null
  }
  const { clause: key = DEFAULT_CLAUSE } = given
  const clause = (await readTexts(database)).clauses.find((one) => one.key === key)
  if (clause === undefined) throw new Refused('invalid', `There is no clause "${key}".`)
  const statement = given.statement?.trim() || clause.template
  return { ground: given.ground ?? clause.ground, clause: key, statement }
}
