// One prepared statement on a connection of pg. pg's own Query asks for the description of the columns each time, reads
// it, and fills rows by name; for a short read that is most of what pg costs. Here the description is asked for once in
// a process, rows are made by a function compiled for it, and a transaction begins together with its first statement and
// may commit together with its last.

import pg from 'pg'
import { compileRowFactory } from '../../../runtime/compile-row-factory.ts'
import type { SqlValue } from '../../database.ts'
import { runMessage } from './messages.ts'

export type Result = { readonly rows: never[]; readonly changed: number }

type Settle = { resolve(result: Result): void; reject(error: Error): void }
type RowMaker = (values: readonly (string | null)[]) => never
type Field = { name: string; dataTypeID: number }

/** What a statement gives back; the same on every connection, because all see one schema. */
const rowMakers = new Map<string, RowMaker | null>()

const { INT2, INT4, INT8, NUMERIC, FLOAT8, BOOL } = pg.types.builtins
/** Numbers of ours fit a double (money is selected as text and read as BigInt). */
const NUMBERS = new Set<number>([INT2, INT4, INT8, NUMERIC, FLOAT8])

function rowMakerOf(fields: readonly Field[]): RowMaker {
  const maker = compileRowFactory(
    fields.map(({ name }) => name),
    (index) => {
      const value = `values[${index}]`
      const type = fields[index]?.dataTypeID as number
      const parsed = NUMBERS.has(type) ? `+${value}` : type === BOOL ? `${value} === "t"` : value
      return parsed === value ? value : `${value} === null ? null : ${parsed}`
    },
  )
  return maker as RowMaker
}

/** The parts of pg's connection that queries of one's own use. */
type Connection = {
  stream: { cork(): void; uncork(): void; write(bytes: Buffer): void }
  close(message: { type: 'S'; name: string }): void
  parse(message: { name: string; text: string }): void
}

type Named = { readonly name: string; readonly sql: string }

const BEGIN: Named = { name: 'begin', sql: 'begin' }
export const COMMIT: Named = { name: 'commit', sql: 'commit' }

/** What goes to the server in the same message, before or after the statement. */
export type Around = { readonly begin?: boolean; readonly commit?: boolean }

/** What the server has prepared on a connection, or will have once it has read what was sent. */
const preparedOn = new WeakMap<Connection, Set<string>>()

class PreparedQuery extends pg.Query {
  private readonly statement: Named
  private readonly parameters: readonly SqlValue[]
  private readonly settle: Settle
  private makeRow: RowMaker | null | undefined
  private readonly around: Around
  /** Completions that come before our own. */
  private ahead: number
  private parses = false
  private readonly found: never[] = []
  private changed = 0

  constructor(statement: Named, parameters: readonly SqlValue[], settle: Settle, around: Around) {
    super(statement.sql)
    this.statement = statement
    this.parameters = parameters
    this.settle = settle
    this.around = around
    this.ahead = around.begin ? 1 : 0
    this.makeRow = rowMakers.get(statement.name)
  }

  sendOn(connection: Connection): null {
    const { begin = false, commit = false } = this.around
    connection.stream.cork()
    try {
      // Without a sync in between: where one fails, the rest does not run either.
      if (begin) this.execute(connection, BEGIN, [], false)
      this.execute(connection, this.statement, this.parameters, !commit)
      if (commit) this.execute(connection, COMMIT, [], true)
    } finally {
      connection.stream.uncork()
    }
    return null
  }

  private execute(connection: Connection, statement: Named, parameters: readonly SqlValue[], syncs: boolean): void {
    const { name, sql } = statement
    const prepared = preparedOn.get(connection) ?? new Set()
    if (!prepared.has(name)) {
      // It may be there after all, from a query that failed later; closing what is not there is no error.
      connection.close({ type: 'S', name })
      connection.parse({ name, text: sql })
      preparedOn.set(connection, prepared.add(name))
      this.parses = true
    }
    const values = parameters.map((value) => (value === null ? null : `${value}`))
    const describes = statement === this.statement && this.makeRow === undefined
    connection.stream.write(runMessage({ name, values, describes, syncs }))
  }

  // What pg's client calls as the answer arrives.

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.makeRow = rowMakerOf(fields)
    rowMakers.set(this.statement.name, this.makeRow)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.found.push((this.makeRow as RowMaker)(fields))
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.ahead-- !== 0) return
    if (this.makeRow === undefined) rowMakers.set(this.statement.name, null)
    // `UPDATE 3`, `INSERT 0 3`, `COMMIT`
    this.changed = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
  }

  handleError(error: Error & { code?: string }, connection: Connection): void {
    // Whether it was prepared before it failed is not known.
    if (this.parses || error.code === UNKNOWN_STATEMENT) {
      for (const { name } of [BEGIN, this.statement, COMMIT]) preparedOn.get(connection)?.delete(name)
    }
    this.stopClock()
    this.settle.reject(error)
  }

  handleReadyForQuery(): void {
    this.stopClock()
    this.settle.resolve({ rows: this.found, changed: this.changed })
  }

  /** pg's client ends the time-out of a query in the callback that it gives it; left alone, it keeps the process alive. */
  private stopClock(): void {
    const { callback } = this as { callback?: () => void }
    callback?.()
  }
}

const UNKNOWN_STATEMENT = '26000'

// In pg it is a method, in its types a property.
PreparedQuery.prototype.submit = PreparedQuery.prototype.sendOn as never

export function sendPrepared(
  client: pg.ClientBase,
  statement: Named,
  parameters: readonly SqlValue[],
  around: Around = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.query(new PreparedQuery(statement, parameters, { resolve, reject }, around))
  })
}
