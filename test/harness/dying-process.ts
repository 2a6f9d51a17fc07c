// A process of the service that dies at one await: its transaction is rolled back, it hears of no answer, and it calls nobody any
// more. Within this process, so that every await can be tried; `npm run torture` kills real ones.

import type { Database } from '../../src/platform/database/database.ts'
import type { WalletsContext } from '../../src/wallets/context.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'

class Dead extends Error {}

export type Points = { readonly all: readonly string[]; readonly distinct: readonly number[] }

/** Runs `work` until the await with this number; returns the points that it went through. */
export async function dieAt(
  context: WalletsContext,
  at: number,
  work: (context: WalletsContext) => Promise<unknown>,
): Promise<Points> {
  const points: string[] = []
  let isDead = false
  const reach = (point: string) => {
    if (isDead) throw new Dead(point)
    points.push(point)
    if (points.length - 1 !== at) return
    isDead = true
    throw new Dead(point)
  }
  const { gateways } = context
  const gateway = dyingGateway(gateways.current, reach)
  const dying: WalletsContext = {
    ...context,
    database: dyingDatabase(context.database, reach, 'outside'),
    gateways: { ...gateways, current: gateway, byName: (name) => (name === gateway.name ? gateway : undefined) },
  }
  try {
    await work(dying)
  } catch (error) {
    if (!isDead) throw error
  }
  return { all: points, distinct: distinctOf(points) }
}

/** Of the statements of a transaction only the last: whichever it dies at, nothing is committed. */
function distinctOf(points: readonly string[]): number[] {
  const inTransaction = (point = '') => point.startsWith('in a transaction')
  return points.flatMap((point, index) => (inTransaction(point) && inTransaction(points[index + 1]) ? [] : [index]))
}

function dyingDatabase(
  port: Database,
  reach: (point: string) => void,
  where: 'outside' | 'in a transaction',
): Database {
  const after = async <T>({ name }: { name: string }, work: T | Promise<T>): Promise<T> => {
    const result = await work
    reach(`${where}, after ${name}`)
    return result
  }
  return {
    ...port,
    query: (statement, parameters) => after(statement, port.query(statement, parameters)),
    one: (statement, parameters) => after(statement, port.one(statement, parameters)),
    run: (statement, parameters) => after(statement, port.run(statement, parameters)),
    async transaction(work) {
      const result = await port.transaction((tx) => work(dyingDatabase(tx, reach, 'in a transaction')))
      reach('after commit')
      return result
    },
  }
}

function dyingGateway(port: Gateway, reach: (point: string) => void): Gateway {
  return {
    ...port,
    async payout(request) {
      reach('before payout')
      const result = await port.payout(request)
      reach('after payout')
      return result
    },
  }
}
