import { checkAudit } from '../../audit/chain.ts'
import * as auditStore from '../../audit/store.ts'
import { allRows } from '../../platform/database/all-rows.ts'
import type { Database } from '../../platform/database/database.ts'
import { filteredPage, type PageRequest, type Position } from '../../platform/database/filtered-list.ts'
import { textListOf } from '../../platform/database/row-list-store.ts'
import { maskAddresses } from '../../platform/masking/masked-addresses.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { parseTime } from '../../sportsbook/catalogue-changes.ts'
import type { AuditWords } from '../server/audit-sentence.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { paging, positionOf, searchedPageOf } from '../server/pages.ts'
import { notValid } from '../server/problem.ts'
import { csvOf, shown } from '../server/shown.ts'

/** What operations are on: the last collection before the first id of their paths. A test compares. */
export const SUBJECT_KINDS = [
  'appeal',
  'application',
  'bet',
  'comment',
  'console-session',
  'customer',
  'deposit',
  'dispute',
  'event',
  'market',
  'money-proposal',
  'outcome',
  'profile',
  'refund',
  'reporter',
  'sport',
  'token',
  'view',
  'webhook',
  'withdrawal',
] as const

const filters = {
  actor: s.text(1, 200, 'ann', 'Only what this operator did.'),
  operation: s.text(1, 100, 'putCustomer', 'Only this operation.'),
  subjectKind: s.oneOf(SUBJECT_KINDS, 'customer', 'Together with subjectId.'),
  subjectId: s.text(1, 200, '21', 'Only what was done to this subject.'),
  changesOnly: s.oneOf(['true', 'false'], 'true', '`true` leaves out what was only read and what was refused.'),
  from: s.time('Not before this time.'),
  to: s.time('Before this time.'),
}

export const auditFilters = s.allOptional(filters)
export type AuditFilters = s.ValueOf<typeof auditFilters>
export type AuditQuery = s.SentOf<typeof auditFilters>
export const auditQuery = s.allOptional({ ...filters, ...paging })

const subjectKind = s.orNull(s.oneOf(SUBJECT_KINDS), 'null: the operation is on no single subject.', 'customer')

const auditEntry = s.namedObject('AuditEntry', {
  id: s.id('42'),
  at: s.time(),
  sentence: s.string('ann changed customer 21', 'Who did what to which subject.'),
  actor: s.string('ann', 'The name of the token, or the person who signed in.'),
  role: s.string('accounts'),
  address: s.orNull(s.string('127.0.0.1'), 'Where the request came from.'),
  action: s.string('putCustomer', 'The operation.'),
  subjectKind,
  subject: s.string('21', 'The ids in the path.'),
  detail: s.anyObject('What was sent, without secrets, and what has changed.', {
    body: { currency: 'EUR' },
    changes: { currency: { from: 'GBP', to: 'EUR' } },
  }),
  previousHash: s.orNull(
    s.string(),
    'The hash of the entry before, by which changes to the trail are found.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
})
export type AuditEntry = s.ValueOf<typeof auditEntry>
const entryOf = shown(auditEntry)
export const auditEntries = s.searchedPage(
  auditEntry,
  'Not null: with `changesOnly` the page may have fewer items than its limit, or none, because only entries since then were ' +
    'looked at. The next page goes on from there.',
)

/** The columns of the file. What is null in an entry is empty. */
export const auditFile = s.object({
  time: s.time(),
  actor: s.string('ann'),
  role: s.string('accounts'),
  address: s.string('127.0.0.1'),
  sentence: s.string('ann changed customer 21'),
  operation: s.string('putCustomer'),
  subjectKind: s.string('customer'),
  subject: s.string('21'),
  detail: s.string('{}', 'JSON: what was sent and what has changed.'),
})

const auditCheck = s.namedObject('AuditCheck', {
  checkedAt: s.time(),
  entries: s.count(1200, 'How many entries were checked.'),
  unchained: s.count(0, 'Entries from before the chain began.'),
  last: s.orNull(
    s.object({ id: s.id('1200'), hash: s.string('9f86d081884c7d65') }),
    'The last entry and its hash. Written down elsewhere, it shows later whether the trail was rewritten.',
  ),
  problems: s.list(s.string(), 'The first 100; none: the chain is whole.', []),
})
export type AuditCheckResult = s.ValueOf<typeof auditCheck>

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
        const after = positionOf(cursor, selection.start)
        const page = await readPage(database, selection, { after, limit })
        return searchedPageOf(page, (row) => showEntry(row, words()))
      },
    }),
    operatorOperation({
      name: 'checkAudit',
      summary: 'Verify the chain of the audit trail',
      description:
        'Reads the whole trail: each entry has the hash of the one before. `paddock verify-audit` does the same on the server.',
      route: 'GET /audit/check',
      role: 'admin',
      answer: { 200: auditCheck },
      async handle({ database, now }) {
        const { last, ...check } = await checkAudit(database)
        const checkedAt = isoTime(now())
        return { checkedAt, ...check, last: last === null ? null : { id: String(last.id), hash: last.hash } }
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
        return csvOf(auditFile, allEntries(database, selection), (row) => toLine(row, words()))
      },
    }),
  ]
}

type Selection = Omit<AuditFilters, 'from' | 'to' | 'changesOnly'> & {
  passes(entry: auditStore.AuditRow): boolean
  /** Most entries pass. */
  isWhole: boolean
  /** The actions on subjects of the kind. */
  actions: string
  from: number
  /** The position of the first page. */
  start: readonly [at: number, id: number]
}

function selectionOf({ from, to, changesOnly, ...filters }: AuditFilters, words: AuditWords): Selection {
  const { operation, subjectKind, subjectId } = filters
  if ((subjectKind === undefined) !== (subjectId === undefined)) {
    const missing = subjectKind === undefined ? 'subjectKind' : 'subjectId'
    throw notValid([{ pointer: `query/${missing}`, detail: 'must be sent: a subject is a kind and an id' }])
  }
  const ofKind = subjectKind === undefined ? [] : words.actionsOn(subjectKind)
  return {
    ...filters,
    passes: (entry) => changesOnly !== 'true' || isChange(entry, words),
    isWhole: changesOnly !== 'true',
    actions: textListOf(operation === undefined ? ofKind : ofKind.filter((action) => action === operation)),
    from: from === undefined ? 0 : parseTime(from),
    start: [to === undefined ? Number.MAX_SAFE_INTEGER : parseTime(to), 0],
  }
}

/** JSON text has this key nowhere else, quotes in values being escaped. */
const REFUSED = '"refused":'

function isChange({ action, detail }: auditStore.AuditRow, words: AuditWords): boolean {
  return !words.isRead(action) && !detail.includes(REFUSED)
}

/** SQLite reads so many in some milliseconds, in which it serves nobody else. */
const LOOKED_AT = 1_000

const placeOf = ({ at, id }: auditStore.AuditRow): Position => [at, id]

async function readPage(database: Database, selection: Selection, { after, limit }: PageRequest) {
  const size = selection.isWhole ? limit : LOOKED_AT
  const read = await readEntries(database, selection, { after, limit: size + 1 })
  const end = read.length > size ? read[size - 1] : undefined
  const page = filteredPage(read.slice(0, size).filter(selection.passes), limit, end, placeOf)
  return page.rows.length < limit ? page : { ...page, searchedUntil: null }
}

function readEntries(
  database: Database,
  selection: Selection,
  { after: [beforeAt = 0, beforeId = 0], limit }: PageRequest,
): Promise<auditStore.AuditRow[]> {
  const { actor, operation: action, subjectId, actions, from } = selection
  const page = { from, beforeAt, beforeId, limit }
  if (subjectId !== undefined) {
    return database.query(auditStore.auditOfSubject, { ...page, subjectId, actions, actor: actor ?? null })
  }
  if (actor !== undefined && action !== undefined)
    return database.query(auditStore.auditOfActorAndAction, { ...page, actor, action })
  if (actor !== undefined) return database.query(auditStore.auditOfActor, { ...page, actor })
  if (action !== undefined) return database.query(auditStore.auditOfAction, { ...page, action })
  return database.query(auditStore.auditBefore, page)
}

async function* allEntries(database: Database, selection: Selection): AsyncGenerator<auditStore.AuditRow> {
  const read = (after: Position, limit: number) => readEntries(database, selection, { after, limit })
  const all = allRows<auditStore.AuditRow, Position>(selection.start, placeOf, read)
  for await (const entry of all) if (selection.passes(entry)) yield entry
}

function toLine(row: auditStore.AuditRow, words: AuditWords) {
  const { at: time, action: operation, detail, ...same } = showEntry(row, words)
  return { ...same, time, operation, detail: JSON.stringify(detail) }
}

function showEntry(row: auditStore.AuditRow, words: AuditWords): AuditEntry {
  return entryOf(row, {
    sentence: words.sentenceOf(row),
    subjectKind: words.subjectKindOf(row.action) as AuditEntry['subjectKind'],
    // Entries of earlier versions have whole addresses.
    detail: maskAddresses(JSON.parse(row.detail)),
  })
}
