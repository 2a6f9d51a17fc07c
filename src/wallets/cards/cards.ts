// A *payment method* is a card that the operator registered for a customer: a token of the gateway, a masked number and
// limits. The service never sees the full number.

import type { Context } from '../../platform/context.ts'
import { formatMoney } from '../../platform/runtime/money.ts'
import type { WalletsContext } from '../context.ts'
import { walletFault } from '../faults.ts'
import type { Method } from './shapes.ts'
import { type MethodRow, methodsOfCustomer } from './store.ts'

/** After this many wrong cv2 in a row the gateway is not called for the card: this is how stolen cards are tested. */
export const WRONG_CV2_LIMIT = 5

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

type PayableCard = Pick<
  MethodRow,
  'removed_at' | 'closed_at' | 'account_closed_at' | 'expiry_date' | 'first_name' | 'last_name'
>

/** Why a card takes returns only, in words that its customer reads; null: it takes payouts too. */
export function noPayoutReason(card: PayableCard, gatewayPaysOut: boolean, now: number): string | null {
  if (card.account_closed_at !== null) return 'The account behind this card is closed.'
  if (card.removed_at !== null) return 'This card was removed: only what it paid in goes back to it.'
  if (card.closed_at !== null) return 'This card was closed: only what it paid in goes back to it, after a check.'
  if (isCardExpired(card.expiry_date, now)) return 'This card has expired: only what it paid in goes back to it.'
  if (card.first_name === null || card.last_name === null)
    return 'The name of this card’s holder is not known: only what it paid in goes back to it.'
  return gatewayPaysOut ? null : 'Winnings cannot be paid to cards here: only what a card paid in goes back to it.'
}

/** Whether the holder is the customer, by the name on record. A name that is missing on either side is another one. */
export function isHeldBy(
  card: Pick<MethodRow, 'first_name' | 'last_name'>,
  customer: { first_name: string | null; last_name: string | null },
): boolean {
  const same = (one: string | null, other: string | null) => one !== null && other !== null && fold(one) === fold(other)
  return same(card.first_name, customer.first_name) && same(card.last_name, customer.last_name)
}

const fold = (name: string) => name.normalize('NFKC').trim().toLowerCase()

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
