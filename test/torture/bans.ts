// Customers who for a moment may not deposit, while their deposits are at the gateway.

import { randomInt } from 'node:crypto'
import type { Operator } from './calls.ts'
import type { Event } from './events.ts'
import { sleep } from './processes.ts'

/** One customer after the other. The service may be killed meanwhile: each change is repeated until it is answered. */
export async function banRepeatedly(operator: Operator, customers: number, isStopping: () => boolean): Promise<void> {
  const setVerified = async (id: number, verified: boolean) => {
    while (!isStopping()) {
      const answered = await operator('PUT', `/customers/${id}`, { verified }).then(
        () => true,
        () => false,
      )
      if (answered) return
      await sleep(50)
    }
  }
  while (!isStopping()) {
    const id = randomInt(1, customers + 1)
    await setVerified(id, false)
    await sleep(randomInt(50, 400))
    await setVerified(id, true)
  }
}

/** In the order of the log: a process that waits for its turn may have read the time before a change that it then finds. */
export function banViolations(log: readonly Event[]): string[] {
  const banned = new Set<string>()
  const found: string[] = []
  for (const { type, subject, customerId, data } of log) {
    const customer = customerId ?? ''
    if (type === 'customer.changed' && data.verified === false) banned.add(customer)
    else if (type === 'customer.changed') banned.delete(customer)
    else if (type === 'deposit.authorised' && banned.has(customer)) {
      found.push(`${subject.id}: credited while the customer could not deposit`)
    }
  }
  return found
}
