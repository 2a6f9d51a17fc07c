// The rules that hold tips back until a moderator has looked at them. Each hold is a decision without a person, and an entry in
// the audit trail with the rule and why it applied. Neither quotes the tip: entries of the trail cannot be erased.

import type { Logger } from 'pino'
import { requestTrail } from '../../audit/trail.ts'
import type { NewTipFacts, Rate, TipHolds } from '../../communities/holds.ts'
import { SERVICE } from '../../identity/operators/operator.ts'
import type { Database } from '../../platform/database/database.ts'
import { DAY_MS } from '../../platform/runtime/durations.ts'
import { finishInSlices } from '../../platform/runtime/slices.ts'
import { hasLink } from '../../text-rules/links.ts'
import { type CompiledRules, compilingRules } from '../../text-rules/text.ts'
import { type HoldRuleSettings, NO_RULES, readStored } from '../settings/settings.ts'
import { moderationSettingsVersion } from '../settings/settings-store.ts'
import { HOLD } from './actions.ts'
import { writeDecision } from './decisions.ts'

export type HoldRules = TipHolds & {
  /** Reads changes by other processes. */
  refresh(): Promise<void>
  close(): void
}

const POLL_MS = 5_000

/** What the author reads. */
const STATEMENT = 'Your tip waits for a moderator. It is shown once it is approved.'

/** Every process reads the version every 5 seconds, as it does for words (text-rules/operator-words.ts). */
export function holdRules(database: Database, log: Logger, now: () => number): HoldRules {
  let version = 0
  let rules: HoldRuleSettings = NO_RULES
  let words: CompiledRules | null = null

  async function refresh(): Promise<void> {
    const stored = await database.one(moderationSettingsVersion, {})
    if (stored === undefined || stored.version === version) return
    const settings = await readStored(database)
    const compiled = await compiledWords(settings.rules)
    // Another reading may have finished meanwhile.
    if (settings.version <= version) return
    words = compiled
    rules = settings.rules
    version = settings.version
  }

  const polling = setInterval(() => {
    refresh().catch((error) => log.warn({ err: error }, 'the rules that hold tips could not be read; trying again'))
  }, POLL_MS).unref()

  return {
    reasonFor: (tip) => premoderation(tip) ?? linkReason(rules, tip) ?? wordReason(words, tip),
    rate: () => rules.rate,
    rateReason: ({ tips, minutes }: Rate) =>
      `The rule on rate: the profile wrote ${tips} tips or more within ${minutes} minutes.`,
    record: (transaction, commentId, reason) => recordHold(transaction, now, commentId, reason),
    refresh,
    close: () => clearInterval(polling),
  }
}

async function compiledWords({ words }: HoldRuleSettings): Promise<CompiledRules | null> {
  return words.length === 0 ? null : finishInSlices(compilingRules({ blocked: words, allowed: [] }))
}

function premoderation({ isPremoderated }: NewTipFacts): string | null {
  return isPremoderated ? 'Pre-moderation: a moderator looks at every tip of this profile first.' : null
}

function linkReason({ links }: HoldRuleSettings, { text, authorSince, now }: NewTipFacts): string | null {
  if (links === null) return null
  const days = (now - authorSince) / DAY_MS
  if (days >= links.newerThanDays || !hasLink(text)) return null
  const age = `the profile is ${Math.floor(days)} days old, less than ${links.newerThanDays}`
  return `The rule on links of new profiles: ${age}, and the tip has a link.`
}

function wordReason(words: CompiledRules | null, { text }: NewTipFacts): string | null {
  const found = words?.explain(text).matches.filter(({ list, isAllowed }) => list === 'blocked' && !isAllowed) ?? []
  if (found.length === 0) return null
  const names = [...new Set(found.map(({ word }) => `“${word}”`))]
  return `The rule on words: the tip has ${names.join(', ')}.`
}

async function recordHold(transaction: Database, now: () => number, id: number, reason: string): Promise<void> {
  const decision = { action: HOLD, note: reason, actor: SERVICE.name, now: now() }
  const reasons = { ground: null, clause: null, statement: STATEMENT }
  await writeDecision(transaction, { kind: 'comment', subjectId: id }, decision, {
    reasons,
    changed: true,
    automated: true,
  })
  const entry = { action: 'holdComment', subject: String(id), detail: { reason } }
  await requestTrail({ database: transaction, now }, { operator: SERVICE, address: '' }, entry).record(
    transaction,
    entry,
  )
}
