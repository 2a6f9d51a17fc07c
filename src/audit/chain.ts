// The audit trail is a chain: each entry holds the hash of the entry before it, and one row, the *head*, holds the hash of
// the last. An entry that is changed, removed or inserted later no longer matches its neighbours. Ids have no gaps from
// the first chained entry on.
//
// All processes append one after the other: appending locks the head. That lock is the last of its transaction (trail.ts),
// so its holder waits only for two short statements, and nobody can deadlock with it.

import { hash } from 'node:crypto'
import { setImmediate as yieldToRequests } from 'node:timers/promises'
import { allRows } from '../platform/database/all-rows.ts'
import type { Database } from '../platform/database/database.ts'
import * as sql from './store.ts'

type NewEntry = Omit<sql.NewAuditRow, 'id' | 'previous_hash'>

type Link = { id: number; hash: string }

/** The link before the first entry. */
const CHAIN_START: Link = { id: 0, hash: '0'.repeat(64) }

/** Must be the last step of its transaction, which commits with it. */
export async function appendEntry(transaction: Database, entry: NewEntry): Promise<void> {
  const head = await transaction.one(sql.lockAuditHead, {})
  if (head === undefined)
    throw new Error('The head of the audit trail (table audit_head) is missing: restore the database from a backup')
  const { last_id, last_hash } = head
  const isFirst = last_id === null || last_hash === null
  const before = isFirst ? await linkOfOldEntries(transaction) : { id: last_id, hash: last_hash }
  const id = before.id + 1
  await transaction.run(sql.insertAudit, { ...entry, id, previous_hash: before.hash })
  await transaction.run(sql.moveAuditHead, { id, hash: hashOfEntry({ ...entry, id }, before.hash) }, 'last')
}

/** The hash over all entries from before the chain began. Computed once, with the first chained entry. */
async function linkOfOldEntries(transaction: Database): Promise<Link> {
  let link = CHAIN_START
  for await (const row of entriesUpTo(transaction, Number.MAX_SAFE_INTEGER)) link = linkOf(row, link.hash)
  return link
}

function entriesUpTo(database: Database, upTo: number): AsyncGenerator<sql.AuditRow> {
  const read = (after: number, limit: number) => database.query(sql.auditAfter, { after, upTo, limit })
  return allRows(Number.MIN_SAFE_INTEGER, ({ id }) => id, read)
}

function linkOf(row: sql.AuditRow, previousHash: string): Link {
  return { id: row.id, hash: hashOfEntry(row, previousHash) }
}

type Hashed = Omit<sql.AuditRow, 'previous_hash'>

function hashOfEntry({ id, at, actor, role, action, subject, detail, address }: Hashed, previousHash: string): string {
  return hash('sha256', JSON.stringify([previousHash, id, at, actor, role, action, subject, detail, address]), 'hex')
}

// ---- The check

export type AuditCheck = {
  entries: number
  /** Entries from before the chain began. */
  unchained: number
  last: Link | null
  /** The first 100. */
  problems: string[]
}

const MAX_PROBLEMS = 100

/**
 * Reads the whole trail while others append to it. `known`: an entry and its hash from an earlier check; rewriting the
 * whole chain since then changes that hash.
 */
export async function checkAudit(database: Database, known?: Link): Promise<AuditCheck> {
  const head = await database.one(sql.auditHead, {})
  const lastId = head?.last_id ?? null
  const check: AuditCheck = { entries: 0, unchained: 0, last: null, problems: [] }
  const report = (problem: string) => check.problems.length < MAX_PROBLEMS && check.problems.push(problem)
  let link = CHAIN_START
  let knownHash: string | undefined
  for await (const row of entriesUpTo(database, lastId ?? Number.MAX_SAFE_INTEGER)) {
    check.entries++
    if (check.entries % 1_000 === 0) await yieldToRequests()
    if (row.previous_hash === null && check.entries > check.unchained + 1) {
      report(`Entry ${row.id} was inserted: it holds no hash of the entry before it.`)
      continue
    }
    if (row.previous_hash === null) check.unchained++
    else reportBrokenLink(row, link, check, report)
    link = linkOf(row, row.previous_hash ?? link.hash)
    if (row.id === known?.id) knownHash = link.hash
  }
  // The first entry may have come after the head was read.
  const isHeadLost = lastId === null && check.entries > check.unchained && (await headId(database)) === null
  if (head === undefined || isHeadLost) report('The head of the chain was removed.')
  if (lastId !== null) {
    if (link.id < lastId) report(`${removed(link.id + 1, lastId)} from the end of the trail.`)
    else if (link.hash !== head?.last_hash)
      report(`Entry ${link.id}, the last one, or the head of the chain was changed.`)
    const beyond = (await database.one(sql.firstBeyondHead, {}))?.id ?? null
    if (beyond !== null) report(`Entry ${beyond} was inserted: the chain ends before it.`)
  }
  if (known !== undefined && knownHash !== known.hash) {
    report(
      `Entry ${known.id} does not have the hash ${known.hash}: the trail was rewritten, or the hash belongs to another database.`,
    )
  }
  return { ...check, last: check.entries === 0 ? null : link }
}

async function headId(database: Database): Promise<number | null> {
  return (await database.one(sql.auditHead, {}))?.last_id ?? null
}

function reportBrokenLink(
  row: sql.AuditRow,
  before: Link,
  { entries, unchained }: AuditCheck,
  report: (problem: string) => void,
) {
  if (row.previous_hash === before.hash) return
  const isFirstOfChain = entries === unchained + 1
  if (isFirstOfChain && unchained === 0)
    report(`Entry ${row.id} was changed or inserted, or entries before it were removed.`)
  else if (isFirstOfChain) {
    report(
      `Among the ${unchained} entries up to ${before.id}, from before the chain began, one was changed, removed or inserted.`,
    )
  } else if (row.id > before.id + 1) report(`${removed(before.id + 1, row.id - 1)}.`)
  else
    report(`Entry ${before.id} or ${row.id} was changed or inserted: the second does not hold the hash of the first.`)
}

function removed(first: number, last: number): string {
  return first === last ? `Entry ${first} was removed` : `Entries ${first} to ${last} were removed`
}
