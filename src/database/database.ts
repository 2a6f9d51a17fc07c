// The database port. Two engines stand behind it (sqlite.ts, postgres.ts) and run the same SQL texts.
//
// Conventions that both engines share: ids and times are integers that fit a double (times are milliseconds since
// 1970), yes/no columns are 0 or 1, parameters are $1, $2, …

import type { MaybePromise } from '../runtime/maybe-promise.ts'

/** One SQL text with the types of its parameters and rows. Named, because PostgreSQL prepares by name. */
export type Statement<Parameters extends readonly SqlValue[], Row> = {
  readonly name: string
  readonly sql: string
  /** It only reads, so that it may run beside the writer (or on a replica). */
  readonly reads: boolean
  /** Only for the compiler: what goes in and what comes out. */
  readonly types?: (parameters: Parameters) => Row
}

export type SqlValue = string | number | bigint | null

export function statement<Parameters extends readonly SqlValue[], Row = never>(
  name: string,
  sql: string,
): Statement<Parameters, Row> {
  const text = sql.replace(/\s+/g, ' ').trim()
  const reads =
    /^(select|with)\b/i.test(text) &&
    !/\b(insert into|update \w+ set|delete from|for update|for no key update|for share)\b/i.test(text)
  return { name, sql: text, reads }
}

export type Database = {
  readonly engine: 'sqlite' | 'postgres'
  query<P extends readonly SqlValue[], R>(statement: Statement<P, R>, parameters: P): Promise<R[]>
  /** The embedded engine has a row at once. */
  one<P extends readonly SqlValue[], R>(statement: Statement<P, R>, parameters: P): MaybePromise<R | undefined>
  /**
   * Answers the number of rows changed. `last`: nothing follows it in its transaction, so that the commit may go to the
   * server with it, which saves waiting for an answer in between.
   */
  run<P extends readonly SqlValue[], R>(statement: Statement<P, R>, parameters: P, last?: 'last'): Promise<number>
  /** Several statements of one text, without parameters; for migrations and maintenance. */
  script(sql: string): Promise<void>
  /**
   * Runs `work` in one transaction; what it throws rolls back. Work may run again after a serialization failure
   * or a deadlock, so it must have no effect outside the handle it is given. The outer handle throws inside it.
   */
  transaction<T>(work: (transaction: Database) => MaybePromise<T>): Promise<T>
  close(): Promise<void>
}

/** The database cannot serve now (away, restarting, busy beyond its time-out). Answered as 503. */
export class DatabaseUnavailable extends Error {}

/** A row with this key is already there. */
export class UniqueViolation extends Error {}

/** Told of every statement that ran, with its time in seconds. */
export type StatementObserver = (name: string, seconds: number) => void
