import { Readable } from 'node:stream'
import {
  type AuditRow,
  auditBefore,
  auditOfAction,
  auditOfActor,
  auditOfActorAndAction,
  auditOfSubject,
} from '../../audit/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { textListOf } from '../../platform/database/row-list-store.ts'
import { csvFile } from '../../platform/runtime/csv.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { maskAddresses } from '../../platform/runtime/masked-addresses.ts'
import { parseTime } from '../../sportsbook/catalogue.ts'
import type { AuditWords } from '../server/audit-sentence.ts'
import { operatorOperation } from '../server/operation.ts'
import { pageOf, positionOf } from '../server/pages.ts'
import { notValid } from '../server/problem.ts'
import {
  type AuditEntry,
  type AuditFilters,
  type AuditLine,
  auditEntries,
  auditFile,
  auditFilters,
  auditQuery,
} from './schemas.ts'

/** `words`: resolved with the first request, because they are those of all operations, these included. */
export function auditOperations(words: () => AuditWords) {
  return [
    operatorOperation({
      name: 'listAudit',
      summary: 'List the audit trail, newest first',
      description: 'Changes, reads of personal data and refusals: who did what, when and from where.',
      route: 'GET /audit',
      role: 'admin',
      query: auditQuery,
      answer: { 200: auditEntries },
      example: { query: { limit: 20 } },
      async handle({ database }, { query: { cursor, limit, ...filters } }) {
        const selection = selectionOf(filters, words())
        const before = positionOf(cursor, selection.start)
        const read = await readEntries(database, selection, { before, limit: limit + 1 })
        const page = pageOf(read, limit, (row) => [row.at, row.id])
        return { items: page.rows.map((row) => toEntry(row, words())), cursor: page.cursor }
      },
    }),
    operatorOperation({
      name: 'exportAudit',
      summary: 'Download the audit trail as CSV',
      description: 'Newest first, with the filters of the list.',
      route: 'GET /audit.csv',
      role: 'admin',
      query: auditFilters,
      sendsCsv: true,
      answer: { 200: auditFile },
      example: { query: { subjectKind: 'customer', subjectId: '21' } },
      async handle({ database }, { query }) {
        const selection = selectionOf(query, words())
        return Readable.from(fileOf(database, selection, words()))
      },
    }),
  ]
}

type Selection = Omit<AuditFilters, 'from' | 'to'> & {
  /** The actions on subjects of the kind. */
  actions: string
  from: number
  /** The position of the first page. */
  start: readonly [at: number, id: number]
}

function selectionOf({ from, to, ...filters }: AuditFilters, words: AuditWords): Selection {
  const { operation, subjectKind, subjectId } = filters
  if ((subjectKind === undefined) !== (subjectId === undefined)) {
    const missing = subjectKind === undefined ? 'subjectKind' : 'subjectId'
    throw notValid([{ pointer: `query/${missing}`, detail: 'must be sent: a subject is a kind and an id' }])
  }
  const ofKind = subjectKind === undefined ? [] : words.actionsOn(subjectKind)
  return {
    ...filters,
    actions: textListOf(operation === undefined ? ofKind : ofKind.filter((action) => action === operation)),
    from: from === undefined ? 0 : parseTime(from),
    start: [to === undefined ? Number.MAX_SAFE_INTEGER : parseTime(to), 0],
  }
}

type Page = { before: readonly number[]; limit: number }

function readEntries(database: Database, selection: Selection, { before, limit }: Page): Promise<AuditRow[]> {
  const { actor, operation: action, subjectId, actions, from } = selection
  const [beforeAt = 0, beforeId = 0] = before
  const page = { from, beforeAt, beforeId, limit }
  if (subjectId !== undefined) {
    return database.query(auditOfSubject, { ...page, subjectId, actions, actor: actor ?? null })
  }
  if (actor !== undefined && action !== undefined)
    return database.query(auditOfActorAndAction, { ...page, actor, action })
  if (actor !== undefined) return database.query(auditOfActor, { ...page, actor })
  if (action !== undefined) return database.query(auditOfAction, { ...page, action })
  return database.query(auditBefore, page)
}

const BATCH = 500

/** Read while it is sent, so that a long trail takes time, not memory. */
async function* allEntries(database: Database, selection: Selection): AsyncGenerator<AuditRow> {
  for (let before: readonly number[] = selection.start; ; ) {
    const rows = await readEntries(database, selection, { before, limit: BATCH })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    before = [last.at, last.id]
  }
}

function fileOf(database: Database, selection: Selection, words: AuditWords): AsyncGenerator<string> {
  const columns = Object.keys(auditFile.properties)
  return csvFile(allEntries(database, selection), columns, (row) => Object.values(toLine(row, words)))
}

function toLine(row: AuditRow, words: AuditWords): AuditLine {
  const { at, sentence, actor, role, address, action, subjectKind, subject, detail } = toEntry(row, words)
  return {
    time: at,
    actor,
    role,
    address: address ?? '',
    sentence,
    operation: action,
    subjectKind: subjectKind ?? '',
    subject,
    detail: JSON.stringify(detail),
  }
}

function toEntry(row: AuditRow, words: AuditWords): AuditEntry {
  return {
    id: String(row.id),
    at: isoTime(row.at),
    sentence: words.sentenceOf(row),
    actor: row.actor,
    role: row.role,
    address: row.address,
    action: row.action,
    subjectKind: words.subjectKindOf(row.action) as AuditEntry['subjectKind'],
    subject: row.subject,
    // Entries of earlier versions have whole addresses.
    detail: maskAddresses(JSON.parse(row.detail)),
    previousHash: row.previous_hash,
  }
}
