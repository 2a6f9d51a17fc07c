// The database port. Two engines implement it (sqlite/sqlite.ts, postgres/postgres.ts) and run the same SQL texts.
//
// Conventions that both engines share: ids and times are integers that fit a double (times are milliseconds since
// 1970), yes/no columns are 0 or 1, and a parameter is :name in the text.

import type { MaybePromise } from '../runtime/maybe-promise.ts'
import { Unavailable } from '../runtime/unavailable.ts'

/** One SQL text with the types of its parameters and rows. Named, because PostgreSQL prepares by name. */
export type Statement<Parameters extends SqlParameters, Row> = {
  readonly name: string
  /** With numbered parameters ($1), as the engines take it. */
  readonly sql: string
  /** The parameters' names in the order of their numbers. */
  readonly parameterNames: readonly string[]
  readonly access: Access
  /** Never set: it carries the types of parameters and rows for the compiler. */
  readonly types?: (parameters: Parameters) => Row
}

/** `reads` may run beside the writer or on a replica; `locks` reads rows and locks them; `writes` changes rows. */
type Access = 'reads' | 'locks' | 'writes'

export type SqlValue = string | number | bigint | null
export type SqlParameters = { readonly [name: string]: SqlValue }
export type NoParameters = Record<never, never>

type SqlTag<S> = (texts: TemplateStringsArray, ...parts: readonly (string | number)[]) => S

type NewStatement = {
  /** The SQL follows: reading<{ id: number }, { name: string }>('sportName')`select name from sport where id = :id`. */
  <Parameters extends SqlParameters, Row = never>(name: string): SqlTag<Statement<Parameters, Row>>
  /** With SQL that was put together elsewhere. */
  <Parameters extends SqlParameters, Row = never>(name: string, sql: string): Statement<Parameters, Row>
}

export const reading = statementsThat('reads')
/** `select … for update` and the like. */
export const locking = statementsThat('locks')
export const writing = statementsThat('writes')

type AnyStatement = Statement<SqlParameters, never>

function statementsThat(access: Access): NewStatement {
  function named(name: string): SqlTag<AnyStatement>
  function named(name: string, sql: string): AnyStatement
  function named(name: string, sql?: string) {
    const tag: SqlTag<AnyStatement> = (texts, ...parts) => statement(name, String.raw({ raw: texts }, ...parts), access)
    return sql === undefined ? tag : statement(name, sql, access)
  }
  return named
}

function statement(name: string, sql: string, access: Access): AnyStatement {
  const parameterNames: string[] = []
  const numbered = sql.replace(/(?<!:):([a-z]\w*)/gi, (_, parameter: string) => {
    if (!parameterNames.includes(parameter)) parameterNames.push(parameter)
    return `$${parameterNames.indexOf(parameter) + 1}`
  })
  const text = numbered.replace(/\s+/g, ' ').trim()
  if ((textOf.get(name) ?? text) !== text) throw new Error(`Two statements have the name ${name}.`)
  textOf.set(name, text)
  return { name, sql: text, parameterNames, access }
}

/** On a connection PostgreSQL knows one statement by a name: a second one would run the first. */
const textOf = new Map<string, string>()

/** SELECT, INSERT …; undefined where the text begins otherwise, as one with common table expressions does. */
export function operationOf(name: string): string | undefined {
  return /^(select|insert|update|delete)\b/i.exec(textOf.get(name) ?? '')?.[1]?.toUpperCase()
}

/** The values of a statement's parameters in the order of their numbers. */
export function valuesOf(
  { name, parameterNames }: Statement<never, unknown>,
  parameters: SqlParameters,
): readonly SqlValue[] {
  return parameterNames.map((parameter) => {
    const value = parameters[parameter]
    if (value === undefined) throw new Error(`${name} was called without its parameter ${parameter}`)
    return value
  })
}

// ---- Lists of ids: `where id in (${idList(20)})` takes `idParameters(20, ids)`.

export type IdParameters = { readonly [name: `id${number}`]: number }

export function idList(most: number): string {
  return Array.from({ length: most }, (_, index) => `:id${index + 1}`).join(', ')
}

/** Unused places are 0, which is nobody's id. */
export function idParameters(most: number, ids: readonly number[]): IdParameters {
  return Object.fromEntries(Array.from({ length: most }, (_, index) => [`id${index + 1}`, ids[index] ?? 0]))
}

/**
 * `last`: nothing follows the statement in its transaction, so that the commit can be sent with it, which saves a round
 * trip. What it returns is committed.
 */
export type Last = 'last'

export type Database = {
  readonly engine: 'sqlite' | 'postgres'
  query<P extends SqlParameters, R>(statement: Statement<P, R>, parameters: P, last?: Last): Promise<R[]>
  /** The embedded engine has a row at once. */
  one<P extends SqlParameters, R>(statement: Statement<P, R>, parameters: P, last?: Last): MaybePromise<R | undefined>
  /** Returns the number of rows changed. */
  run<P extends SqlParameters, R>(statement: Statement<P, R>, parameters: P, last?: Last): Promise<number>
  /** Several statements of one text, without parameters; for migrations and maintenance. */
  script(sql: string): Promise<void>
  /**
   * Runs `work` in one transaction; what it throws rolls back. Work may run again after a serialization failure
   * or a deadlock, so it must have no effect outside the handle it is given. The outer handle throws inside it.
   */
  transaction<T>(work: (transaction: Database) => MaybePromise<T>, durability?: Durability): Promise<T>
  /** Writes an item together with those that wait at the same time; in a transaction, alone and at once. */
  inBatch<Item, Result>(write: BatchedWrite<Item, Result>, item: Item): Promise<Result>
  close(): Promise<void>
}

/**
 * Writes items that arrived together, with few statements and one commit (write-queue.ts). Returns for each item what it would have
 * got alone, in some order of the items.
 */
export type BatchedWrite<Item, Result> = (database: Database, items: readonly Item[]) => Promise<readonly Result[]>

/**
 * `may be lost`: a crash of PostgreSQL may undo it although it was committed. It waits neither for the disk nor for
 * synchronous standbys.
 */
export type Durability = 'durable' | 'may be lost'

/** The database cannot serve now (unreachable, restarting, busy beyond its timeout). Answered as 503. */
export class DatabaseUnavailable extends Unavailable {}

/** Nothing was sent to it: what was to be written is not. */
export class DatabaseNotReached extends DatabaseUnavailable {}

/** A row with this key exists already. */
export class UniqueViolation extends Error {}

/** Called for every statement that ran. */
export type StatementObserver = (name: string, seconds: number) => void

/** Closes the database after the work. */
export async function whileOpen<T>(database: Database, work: (database: Database) => Promise<T>): Promise<T> {
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
