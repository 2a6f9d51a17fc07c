// One prepared statement on a connection of pg. pg's own Query requests the description of the columns each time and sets
// the fields of rows one by one; for a short read that is most of its cost. Here the description is requested once, rows
// are built by a compiled function, and a transaction begins with its first statement and may commit with its last.
// It uses inner parts of pg, whose version is therefore pinned exactly.

import pg from 'pg'
import { compileRowFactory } from '../../../runtime/compile-row-factory.ts'
import type { SqlValue } from '../../database.ts'
import { commitPosition } from '../heartbeat-store.ts'
import { runMessage } from './messages.ts'

export type Result = { readonly rows: never[]; readonly changed: number }

type Resolvers = { resolve(result: Result): void; reject(error: Error): void }
type RowMaker = (values: readonly (string | null)[]) => never
type Field = { name: string; dataTypeID: number }

/** By statement; the same on every connection, because all have one schema. */
const rowMakers = new Map<string, RowMaker | null>()

const { INT2, INT4, INT8, NUMERIC, FLOAT8, BOOL } = pg.types.builtins
/** Our numbers fit a double (money is selected as text and parsed as BigInt). */
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

/** The parts of pg's connection that are used here. */
type Connection = {
  stream: { cork(): void; uncork(): void; write(bytes: Buffer): void }
  close(message: { type: 'S'; name: string }): void
  parse(message: { name: string; text: string }): void
}

type Named = { readonly name: string; readonly sql: string }

const BEGIN: Named = { name: 'begin', sql: 'begin' }
const RELAX: Named = { name: 'relax', sql: 'set local synchronous_commit = off' }
export const COMMIT: Named = { name: 'commit', sql: 'commit' }

/** What is sent to the server together with the statement. */
type TransactionControl = {
  readonly begin?: boolean
  readonly relaxed?: boolean
  readonly commit?: boolean
  /** Gets the row of `commitPosition`, which is read behind the commit without a round trip of its own. */
  readonly notePosition?: ((row: readonly (string | null)[]) => void) | undefined
}

/** The statements that the server has prepared on a connection, or will have once it has read what was sent. */
const preparedOn = new WeakMap<Connection, Set<string>>()

class PreparedQuery extends pg.Query {
  private readonly statement: Named
  private readonly parameters: readonly SqlValue[]
  private readonly resolvers: Resolvers
  private makeRow: RowMaker | null | undefined
  private readonly control: TransactionControl
  /** Completions that arrive before that of the statement: those of BEGIN and RELAX. */
  private completionsBefore: number
  private sentParse = false
  /** Not `rows`: pg.Query reads a property of that name as the size of a page. */
  private readonly rowsFound: never[] = []
  private changed = 0

  constructor(statement: Named, parameters: readonly SqlValue[], resolvers: Resolvers, control: TransactionControl) {
    super(statement.sql)
    this.statement = statement
    this.parameters = parameters
    this.resolvers = resolvers
    this.control = control
    this.completionsBefore = control.begin ? (control.relaxed ? 2 : 1) : 0
    this.makeRow = rowMakers.get(statement.name)
  }

  sendOn(connection: Connection): null {
    const { begin = false, relaxed = false, commit = false, notePosition } = this.control
    const isLast = notePosition === undefined
    connection.stream.cork()
    try {
      // Without a sync in between: if one fails, the rest does not run.
      if (begin) this.execute(connection, BEGIN, [], false)
      if (begin && relaxed) this.execute(connection, RELAX, [], false)
      this.execute(connection, this.statement, this.parameters, !commit && isLast)
      if (commit) this.execute(connection, COMMIT, [], isLast)
      if (!isLast) this.execute(connection, commitPosition, [], true)
    } finally {
      connection.stream.uncork()
    }
    return null
  }

  private execute(connection: Connection, statement: Named, parameters: readonly SqlValue[], syncs: boolean): void {
    const { name, sql } = statement
    const prepared = preparedOn.get(connection) ?? new Set()
    if (!prepared.has(name)) {
      // It may exist from a query that failed later; closing a missing one is no error.
      connection.close({ type: 'S', name })
      connection.parse({ name, text: sql })
      preparedOn.set(connection, prepared.add(name))
      this.sentParse = true
    }
    const values = parameters.map((value) => (value === null ? null : `${value}`))
    const describes = statement === this.statement && this.makeRow === undefined
    connection.stream.write(runMessage({ name, values, describes, syncs }))
  }

  // Called by pg's client as the answer arrives.

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.makeRow = rowMakerOf(fields)
    rowMakers.set(this.statement.name, this.makeRow)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    // After the statement only the position has a row.
    if (this.completionsBefore < 0) this.control.notePosition?.(fields)
    else this.rowsFound.push((this.makeRow as RowMaker)(fields))
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.completionsBefore-- !== 0) return
    if (this.makeRow === undefined) rowMakers.set(this.statement.name, null)
    // `UPDATE 3`, `INSERT 0 3`, `COMMIT`
    this.changed = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
  }

  handleError(error: Error & { code?: string }, connection: Connection): void {
    // Whether it was prepared before the failure is unknown.
    if (this.sentParse || error.code === UNKNOWN_STATEMENT) {
      for (const { name } of [BEGIN, RELAX, this.statement, COMMIT, commitPosition])
        preparedOn.get(connection)?.delete(name)
    }
    this.stopTimer()
    this.resolvers.reject(error)
  }

  handleReadyForQuery(): void {
    this.stopTimer()
    this.resolvers.resolve({ rows: this.rowsFound, changed: this.changed })
  }

  /** pg's client clears the timeout of a query in its callback; a pending timeout would keep the process alive. */
  private stopTimer(): void {
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
  control: TransactionControl = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.query(new PreparedQuery(statement, parameters, { resolve, reject }, control))
  })
}
