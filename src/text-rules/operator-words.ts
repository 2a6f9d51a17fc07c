// The operator's own words are one row with a version. Every process reads the version every 5 seconds and recompiles the
// rules when it has changed, so that a change takes effect everywhere within 10 seconds.

import type { Logger } from 'pino'
import type { Database } from '../platform/database/database.ts'
import { finishInSlices } from '../platform/runtime/slices.ts'
import { readWordLists, replaceWordLists, wordListsVersion } from './store.ts'
import {
  type CompiledRules,
  compileRules,
  compilingRules,
  type Explanation,
  type TextRules,
  type WordLists,
} from './text.ts'

const POLL_MS = 5_000

type VersionedWords = WordLists & { version: number }

export type OperatorWords = {
  /** Always applies the current words: callers may store the function. */
  readonly rules: TextRules
  readonly explain: CompiledRules['explain']
  /** With other lists than the stored ones. */
  readonly explainWith: (lists: WordLists, text: string) => Promise<Explanation>
  read(): Promise<VersionedWords>
  /** `through`: an operator's database, which writes the audit trail. false: the words have another version by now. */
  replace(lists: WordLists & { version?: number }, through?: Database): Promise<boolean>
  /** Reads changes by other processes. */
  refresh(): Promise<void>
  close(): void
}

export function operatorWords(database: Database, log: Logger): OperatorWords {
  let version = 0
  let current = compileRules({ blocked: [], allowed: [] })

  // Whoever tries words tries many texts with the same lists; compiling 10,000 long words takes a second.
  let tried = { key: '', rules: Promise.resolve(current) }

  async function refresh(): Promise<void> {
    const now = await database.one(wordListsVersion, {})
    if (now === undefined || now.version === version) return
    const row = await database.one(readWordLists, {})
    if (row === undefined) return
    const rules = await finishInSlices(compilingRules(toLists(row)))
    // Another reading may have finished meanwhile.
    if (row.version <= version) return
    current = rules
    version = row.version
  }

  async function read(): Promise<VersionedWords> {
    const row = await database.one(readWordLists, {})
    return row === undefined ? { version: 0, blocked: [], allowed: [] } : { version: row.version, ...toLists(row) }
  }

  const polling = setInterval(() => {
    refresh().catch((error) => log.warn({ err: error }, 'the operator’s words could not be read; trying again'))
  }, POLL_MS).unref()

  return {
    rules: (text, names) => current.check(text, names),
    explain: (text) => current.explain(text),
    async explainWith({ blocked, allowed }, text) {
      const key = JSON.stringify([blocked, allowed])
      if (tried.key !== key) tried = { key, rules: finishInSlices(compilingRules({ blocked, allowed })) }
      return (await tried.rules).explain(text)
    },
    read,
    async replace({ blocked, allowed, version: seen = null }, through = database) {
      const lists = {
        blocked: JSON.stringify(normalizeWords(blocked)),
        allowed: JSON.stringify(normalizeWords(allowed)),
      }
      const replaced = await through.run(replaceWordLists, { ...lists, seen })
      await refresh()
      return replaced === 1
    },
    refresh,
    close: () => clearInterval(polling),
  }
}

function toLists({ blocked, allowed }: { blocked: string; allowed: string }): WordLists {
  return { blocked: JSON.parse(blocked), allowed: JSON.parse(allowed) }
}

function normalizeWords(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => word.normalize('NFC').trim()).filter((word) => word !== ''))].sort()
}
