// Customers who for a moment may not deposit, while their deposits are at the gateway.

import { randomInt } from 'node:crypto'
import type { Operator } from './calls.ts'
import type { Deposit } from './invariants.ts'
import { sleep } from './processes.ts'

/** From when the operator had the answer, until before the end was requested. */
export type Ban = { customerId: string; from: number; until: number }

/** One customer after the other. The service may be killed meanwhile: each change is repeated until it is answered. */
export async function banRepeatedly(operator: Operator, customers: number, isStopping: () => boolean): Promise<Ban[]> {
  const bans: Ban[] = []
  const setVerified = async (id: number, verified: boolean) => {
    while (!isStopping()) {
      const answered = await operator('PUT', `/customers/${id}`, { verified }).then(
        () => true,
        () => false,
      )
      if (answered) return true
      await sleep(50)
    }
    return false
  }
  while (!isStopping()) {
    const id = randomInt(1, customers + 1)
    if (!(await setVerified(id, false))) break
    const from = Date.now()
    await sleep(randomInt(50, 400))
    bans.push({ customerId: `${id}`, from, until: Date.now() })
    await setVerified(id, true)
  }
  return bans
}

export function banViolations(bans: readonly Ban[], deposits: readonly Deposit[]): string[] {
  return deposits
    .filter(({ state }) => state === 'CAPTURED')
    .filter(({ customerId, decidedAt }) => {
      const at = Date.parse(decidedAt ?? '')
      return bans.some((ban) => ban.customerId === customerId && at > ban.from && at < ban.until)
    })
    .map(({ paymentId }) => `${paymentId}: credited while the customer could not deposit`)
}
