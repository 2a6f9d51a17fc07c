// A database whose statements, commits and rollbacks wait at the gate. What runs in a transaction runs on PostgreSQL in one: the
// statements of others come between its own.

import type { Database, Statement } from '../../src/platform/database/database.ts'
import { writeAlone, writeQueues } from '../../src/platform/database/write-queue.ts'
import type { Gate, Passed } from './gate.ts'

type AnyStatement = Statement<never, unknown>
/** What is sent in place of a statement. */
export type Replace = <S extends AnyStatement>(statement: S) => S

/** They are repeated by the database itself, after a pause. */
const CONFLICTS: readonly unknown[] = ['40001', '40P01']

export function scheduledDatabase(port: Database, gate: Gate, replace: Replace): Database {
  let transactions = 0
  const database: Database = {
    ...port,
    ...queries(port, null),
    inBatch: (write, item) => batches.add(write, item),
    transaction,
  }
  const batches = writeQueues(database)
  return database

  function queries(to: Database, transaction: number | null): Pick<Database, 'query' | 'one' | 'run'> {
    const step = <Result>({ name, access }: AnyStatement, work: () => Result | Promise<Result>) =>
      gate.step({ kind: access, name, transaction }, work)
    // Without `last`: the commit is a step of its own.
    return {
      query: (statement, parameters) => step(statement, () => to.query(replace(statement), parameters)),
      one: (statement, parameters) => step(statement, () => to.one(replace(statement), parameters)),
      run: (statement, parameters) => step(statement, () => to.run(replace(statement), parameters)),
    }
  }

  function handleOf(begun: Database, number: number): Database {
    const handle: Database = {
      ...begun,
      ...queries(begun, number),
      inBatch: (write, item) => writeAlone(handle, write, item),
    }
    return handle
  }

  async function transaction<T>(...[work, durability]: Parameters<typeof port.transaction<T>>): Promise<T> {
    // Until it has a connection.
    const release = gate.hold()
    let end: Passed | undefined
    try {
      return await port.transaction(async (begun) => {
        release()
        const number = ++transactions
        try {
          const result = await work(handleOf(begun, number))
          end = await gate.enter({ kind: 'commit', name: 'commit', transaction: number })
          return result
        } catch (error) {
          if (!CONFLICTS.includes((error as { code?: unknown }).code))
            end = await gate.enter({ kind: 'rollback', name: 'rollback', transaction: number })
          throw error
        }
      }, durability)
    } finally {
      release()
      if (end !== undefined) gate.leave(end)
    }
  }
}

const LOCK = / for (no key update|update)( of (\w+(, \w+)*))?( skip locked)?/

/** For the controls: the statement of this name reads what it should lock; `NAME of ALIAS`: of that table alone. */
export function withoutLock(control: string | null): Replace {
  if (control === null) return (statement) => statement
  const [name, alias] = control.split(' of ')
  return (statement) => {
    if (statement.name !== name) return statement
    const sql = statement.sql.replace(LOCK, (lock) => {
      const others =
        lock
          .split(' of ')[1]
          ?.split(', ')
          .filter((one) => one !== alias) ?? []
      return alias === undefined || others.length === 0 ? '' : `${lock.split(' of ')[0]} of ${others.join(', ')}`
    })
    if (sql === statement.sql) throw new Error(`${control}: there is no such lock`)
    return { ...statement, name: `${name} without its lock`, sql }
  }
}
