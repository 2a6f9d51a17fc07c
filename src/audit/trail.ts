// The entries of one request in the audit trail. Operations that change something get a database (`audited`) whose every
// transaction ends with its entry: change and entry are committed together or not at all, even if the caller disconnects.

import type { Context } from '../platform/context.ts'
import type { Database, Statement } from '../platform/database/database.ts'
import { writeAlone } from '../platform/database/write-queue.ts'
import { maskAddresses } from '../platform/masking/masked-addresses.ts'
import type { MaybePromise } from '../platform/runtime/maybe-promise.ts'
import { appendEntry } from './chain.ts'

/** The caller, as far as it is known. */
export type Caller = { readonly operator: { readonly name: string; readonly role: string }; readonly address: string }

export type Entry = {
  readonly action: string
  readonly subject: string
  readonly detail: object
  /** Reads the subject before and after the change. It must lock the row that the change locks first. */
  readonly state?: ((transaction: Database) => MaybePromise<SubjectState | undefined>) | undefined
}

/** `hidden` values are never written: the entry only states that they changed. */
export type SubjectState = {
  readonly shown: Readonly<Record<string, unknown>>
  readonly hidden?: Record<string, unknown>
}

export type Trail = {
  /** Every transaction through it that changes something ends with the entry; by default that of the request. */
  audited(entry?: Entry): Database
  /** Ends a transaction of `audited()` with another entry than its own. */
  record(transaction: Database, entry: Entry): Promise<void>
  /** An entry in a transaction of its own: for requests that changed nothing, or recorded their changes themselves. */
  recordAlone(entry?: Partial<Entry>): Promise<void>
  /** Added to the request's own entry: what only the change itself yields, such as a new id. */
  note(text: string): void
  hasEntry(): boolean
}

export function requestTrail(context: Pick<Context, 'database' | 'now'>, caller: Caller, ownEntry: Entry): Trail {
  const { database, now } = context
  const recorded = new WeakSet<Database>()
  let note: string | undefined
  let hasEntry = false

  function append(transaction: Database, { action, subject, detail }: Entry): Promise<void> {
    const { operator, address } = caller
    const text = JSON.stringify({ ...maskAddresses(withoutSecrets(detail)), note })
    const entry = { at: now(), actor: operator.name, role: operator.role, action, subject: shortLine(subject) }
    return appendEntry(transaction, { ...entry, detail: text, address })
  }

  return {
    audited: (entry = ownEntry) =>
      withEntries(database, {
        state: entry.state,
        async append(transaction, changes) {
          if (!recorded.has(transaction))
            await append(transaction, { ...entry, detail: { ...entry.detail, ...changes } })
        },
        committed() {
          hasEntry = true
        },
      }),
    async record(transaction, entry) {
      recorded.add(transaction)
      await append(transaction, entry)
    },
    recordAlone: (entry = {}) => database.transaction((transaction) => append(transaction, { ...ownEntry, ...entry })),
    note(text) {
      note = text
    },
    hasEntry: () => hasEntry,
  }
}

type TransactionEnd = {
  state: Entry['state']
  append(transaction: Database, changes: object): Promise<void>
  committed(): void
}

/** A transaction that changed nothing gets no entry: it was refused, or there was nothing to do. */
function withEntries(database: Database, { state, append, committed }: TransactionEnd): Database {
  async function inTransaction<T>(work: (transaction: Database) => MaybePromise<T>): Promise<T> {
    const { result, changed } = await database.transaction(async (transaction) => {
      const before = await state?.(transaction)
      const { handle, hasChanged } = watchChanges(transaction)
      const result = await work(handle)
      if (!hasChanged()) return { result, changed: false }
      const changes = state === undefined ? {} : { changes: changesBetween(before, await state(transaction)) }
      await append(handle, changes)
      return { result, changed: true }
    })
    if (changed) committed()
    return result
  }
  return {
    ...database,
    query: (statement, parameters) =>
      statement.access === 'reads'
        ? database.query(statement, parameters)
        : inTransaction((transaction) => transaction.query(statement, parameters)),
    one: (statement, parameters) =>
      statement.access === 'reads'
        ? database.one(statement, parameters)
        : inTransaction((transaction) => transaction.one(statement, parameters)),
    run: (statement, parameters) => inTransaction((transaction) => transaction.run(statement, parameters)),
    inBatch: (write, item) => inTransaction((transaction) => transaction.inBatch(write, item)),
    transaction: inTransaction,
  }
}

function watchChanges(transaction: Database): { handle: Database; hasChanged(): boolean } {
  let changed = false
  const watch = (statement: Statement<never, unknown>, rows: number) => {
    if (rows > 0 && statement.access === 'writes') changed = true
  }
  const handle: Database = {
    ...transaction,
    async query(statement, parameters) {
      const rows = await transaction.query(statement, parameters)
      watch(statement as never, rows.length)
      return rows
    },
    async one(statement, parameters) {
      const row = await transaction.one(statement, parameters)
      watch(statement as never, row === undefined ? 0 : 1)
      return row
    },
    // Never sent as the last statement of its transaction: the entry follows.
    async run(statement, parameters) {
      const changed = await transaction.run(statement, parameters)
      watch(statement as never, changed)
      return changed
    },
    inBatch: (write, item) => writeAlone(handle, write, item),
  }
  return { handle, hasChanged: () => changed }
}

function changesBetween(before: SubjectState | undefined, after: SubjectState | undefined): object {
  const [shown, hidden] = [differing(before?.shown, after?.shown), differing(before?.hidden, after?.hidden)]
  return {
    ...Object.fromEntries(shown.map(([name, from, to]) => [name, { from, to }])),
    ...Object.fromEntries(hidden.map(([name]) => [`${name}Changed`, true])),
  }
}

type Fields = Readonly<Record<string, unknown>>

function differing(before: Fields = {}, after: Fields = {}): [name: string, from: unknown, to: unknown][] {
  const names = Object.keys({ ...before, ...after })
  return names
    .map((name): [string, unknown, unknown] => [name, before[name] ?? null, after[name] ?? null])
    .filter(([, from, to]) => from !== to)
}

/**
 * Secrets; and log-in names, names on record and of holders, what moderators write about a customer and what was searched for, because entries outlive the
 * erasure of a customer's data. Notes, statements and replies are stored with the decision.
 * Parameters of a tried request may be any of these.
 */
const HIDDEN_FIELDS = new Set([
  ...['username', 'password', 'secret', 'token', 'ticket', 'number', 'note', 'statement', 'reply', 'q', 'parameters'],
  ...['firstName', 'lastName'],
])

/** Many people read the audit trail, and entries are never deleted. */
function withoutSecrets(value: object): object {
  const visible = (field: unknown): unknown => {
    if (Array.isArray(field)) return field.map(visible)
    return typeof field === 'object' && field !== null ? withoutSecrets(field) : field
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, HIDDEN_FIELDS.has(name) ? '…' : visible(field)]),
  )
}

const MAX_SUBJECT_LENGTH = 200

/** The subject of a refused request may be any text. */
function shortLine(text: string): string {
  return text
    .slice(0, MAX_SUBJECT_LENGTH)
    .replace(/\p{Cc}/gu, '�')
    .toWellFormed()
}
