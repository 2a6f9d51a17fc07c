// Customers who withdraw: what the options allow, more than that, with one key several times, two at the same time.

import { randomInt, randomUUID } from 'node:crypto'
import type { Json, WalletCalls } from './calls.ts'
import type { Journal } from './journal.ts'
import { optionViolations, toOptions } from './options.ts'
import { formatUnits, pickOf } from './payments.ts'

/** Of one key. `id` is null where a fault was answered. */
export type WithdrawalAnswer = { key: string; customerId: number; amount: string; card: string; id: string | null }
export type Withdrawals = ReturnType<typeof withdrawingCustomers>

/** `closed`: cards that operators have closed. */
export function withdrawingCustomers(call: WalletCalls, journal: Journal, closed: ReadonlySet<string>) {
  const answers: WithdrawalAnswer[] = []
  const violations: string[] = []

  async function order(customerId: number, ticket: string, terms: { amount: string; id: string }, key: string) {
    const answer = await call({ method: 'POST', path: '/withdrawals', ticket, parameters: terms, key })
    const stored: Json = 'fault' in answer ? undefined : answer.wallets.withdrawal
    const outcome = 'fault' in answer ? answer.fault : stored.status
    const detail = `withdrawal ${stored?.id ?? 'none'}, ${terms.amount} to card ${terms.id}, key ${key}`
    journal.note(`withdrawal ${outcome}`, customerId, detail)
    return stored === undefined ? null : (stored.id as string)
  }

  /** `times`: at the same time, with one key. */
  async function withdraw(customerId: number, ticket: string, terms: { amount: string; id: string }, times: number) {
    const key = randomUUID()
    const ids = await Promise.all(Array.from({ length: times }, () => order(customerId, ticket, terms, key)))
    const stored = [...new Set(ids.filter((id) => id !== null))]
    if (stored.length > 1) violations.push(`${key}: one key made the withdrawals ${stored.join(' and ')}`)
    answers.push({ key, customerId, amount: terms.amount, card: terms.id, id: stored[0] ?? null })
    return stored[0]
  }

  return {
    answers,
    violations,
    async withdrawOnce(customerId: number, ticket: string): Promise<void> {
      const answer = await call({ method: 'GET', path: '/withdrawals/options', ticket })
      if ('fault' in answer) return
      const read = toOptions(answer.wallets)
      violations.push(...optionViolations(customerId, read, closed))
      const options = read.options.filter(({ max }) => max > 0n)
      if (options.length === 0) return
      const { id, max: most } = pickOf(options)
      const what = randomInt(10)
      // Others may have moved money since the options were read: more than all is refused whatever they did.
      if (what === 0) {
        const tooMuch = await withdraw(customerId, ticket, { amount: '900000.00', id }, 1)
        if (tooMuch !== undefined) violations.push(`withdrawal ${tooMuch}: of more than the balance`)
        return
      }
      const amount = formatUnits(randomInt(3) === 0 ? most : 1n + BigInt(randomInt(Number(most))))
      if (what === 1) {
        // Both want all of the card.
        const all = { amount: formatUnits(most), id }
        await Promise.all([withdraw(customerId, ticket, all, 1), withdraw(customerId, ticket, all, 1)])
      } else await withdraw(customerId, ticket, { amount, id }, what === 2 ? 3 : 1)
    },
  }
}
