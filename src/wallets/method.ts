// A *payment method* is a card that the operator registered for a customer: a token of the gateway, a masked number and
// limits. The service never sees the full number.

import type { Context } from '../platform/context.ts'
import { formatMoney } from '../platform/runtime/money.ts'
import type { WalletsContext } from './context.ts'
import { walletFault } from './faults.ts'
import type { Method } from './shapes.ts'
import { type MethodRow, methodsOfCustomer } from './store.ts'

export async function listMethods(context: WalletsContext, customerId: number): Promise<Method[]> {
  const rows = await context.database.query(methodsOfCustomer, { customerId })
  const usable = rows.filter((row) => row.closed_at === null && isUsable(context, row))
  if (usable.length === 0) throw walletFault('noMethods')
  return usable.map(toMethod)
}

/** Credit-funded cards of some countries may not be used for betting (GB since 2020-04-14). */
export function isUsable({ config }: Context, method: Pick<MethodRow, 'funding' | 'country'>): boolean {
  return method.funding !== 'credit' || !config.wallets.creditCardBanCountries.has(method.country)
}

/** `MM/YY`: a card is valid until the end of its month, UTC. */
export function isCardExpired(expiryDate: string, now: number): boolean {
  const [month, year] = expiryDate.split('/').map(Number) as [number, number]
  return now >= Date.UTC(2000 + year, month, 1)
}

export function toMethod(row: MethodRow): Method {
  return {
    id: row.id,
    type: row.type,
    limits: {
      minDeposit: formatMoney(BigInt(row.min_deposit)),
      maxDeposit: formatMoney(BigInt(row.max_deposit)),
    },
    card: {
      number: row.card_number,
      issueDate: row.issue_date ?? undefined,
      expiryDate: row.expiry_date,
      country: row.country,
      scheme: row.scheme,
    },
  }
}
