// What is checked of a backup when it is written, and before it replaces a database.

import { existsSync, readFileSync } from 'node:fs'
import { checkAudit } from '../audit/chain.ts'
import { sha256Of } from '../platform/database/backup/manifest.ts'
import type { Database } from '../platform/database/database.ts'
import { DamagedDatabase } from '../platform/database/sqlite/backup.ts'
import { schemaDifferences } from '../platform/database/sqlite/schema.ts'
import { verifyStoredLog } from '../tip-log/verify-stored.ts'
import { checkLedger } from '../wallets/books/ledger-check.ts'
import { CommandError, UsageError } from './command.ts'

/** The checks that `--without` can leave out. Pages, references and migrations are always checked. */
export const CHECKS = ['checksum', 'schema', 'audit', 'tip-log', 'ledger'] as const
export type Check = (typeof CHECKS)[number]

export function readWithout(given: string | undefined): Set<Check> {
  const names = given?.split(',').map((name) => name.trim()) ?? []
  const unknown = names.find((name) => !CHECKS.includes(name as Check))
  if (unknown !== undefined) throw new UsageError(`There is no check "${unknown}": write some of ${CHECKS.join(',')}.`)
  return new Set(names as Check[])
}

/** One check that failed, and why. */
export type Finding = { readonly check: Check; readonly why: string }

const MAX_SHOWN = 3

export function finding(check: Check, what: string, problems: readonly string[]): Finding[] {
  if (problems.length === 0) return []
  const shown = problems.slice(0, MAX_SHOWN).map((problem) => problem.replace(/\.$/, ''))
  const rest = problems.length > MAX_SHOWN ? [`and ${problems.length - MAX_SHOWN} more`] : []
  return [{ check, why: `${what}: ${[...shown, ...rest].join('; ')}` }]
}

// ---- The checksum of a single file, which earlier versions wrote beside it

/** Throws unless there is one beside the backup. */
export function readChecksum(file: string): string {
  const beside = `${file}.sha256`
  if (!existsSync(beside)) {
    throw new CommandError(
      `There is no ${beside}, which earlier versions wrote beside a backup: put it there, or restore without this check: --without checksum. Nothing was changed.`,
    )
  }
  return readFileSync(beside, 'utf8').slice(0, 64).toLowerCase()
}

export async function refuseOtherChecksum(content: string, expected: string): Promise<void> {
  if ((await sha256Of(content)) !== expected) {
    throw new DamagedDatabase('its SHA-256 is not the one beside it: copy both files again, or use another backup')
  }
}

// ---- The content

/** Throws if the file has no schema of ours, or that of a newer version. */
export function checkSchema(file: string): Finding[] {
  return finding('schema', 'its schema is not that of its version', schemaDifferences(file))
}

/** The database must have the schema of this version. */
export async function checkContent(database: Database, without: ReadonlySet<Check>): Promise<Finding[]> {
  const problemsOf = { audit: auditProblems, 'tip-log': verifyStoredLog, ledger: ledgerProblems }
  const what = {
    audit: 'its audit trail was changed',
    'tip-log': 'its log of tips was changed',
    ledger: 'its ledger does not balance',
  }
  const findings: Finding[] = []
  for (const check of ['audit', 'tip-log', 'ledger'] as const) {
    if (!without.has(check)) findings.push(...finding(check, what[check], await problemsOf[check](database)))
  }
  return findings
}

async function auditProblems(database: Database): Promise<string[]> {
  return (await checkAudit(database)).problems
}

async function ledgerProblems(database: Database): Promise<string[]> {
  return (await checkLedger(database)).problems
}

export function refuseFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return
  const why = findings.map((one) => one.why).join('; ')
  throw new Error(`${why}. Use another backup, or restore it all the same: ${withoutOption(findings)}`)
}

export function withoutOption(findings: readonly Finding[]): string {
  return `--without ${findings.map(({ check }) => check).join(',')}`
}
