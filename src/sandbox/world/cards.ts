import type { Database } from '../../platform/database/database.ts'
import { registerMethod } from '../../wallets/cards/register.ts'

export type SandboxCard = { id: number; customerId: number; token: string; scheme: string }

export type Name = { firstName: string; lastName: string }

/** The holder of a card is its customer. */
export async function registerCards(
  database: Database,
  { cards, names }: { cards: readonly SandboxCard[]; names: ReadonlyMap<number, Name> },
  now: number,
): Promise<void> {
  for (const card of cards) {
    const holder = names.get(card.customerId)
    const method = {
      type: 'CARD',
      token: card.token,
      min_deposit: 500n,
      // Above the sums that two persons decide about (RESOLUTION_FOUR_EYES_ABOVE), so that it can be tried.
      max_deposit: 250_000n,
      card_number: card.scheme === 'VISA' ? '411111******1111' : '555555******4444',
      issue_date: '01/24',
      expiry_date: '12/49',
      country: 'GB',
      scheme: card.scheme,
      funding: 'debit' as const,
      first_name: holder?.firstName ?? null,
      last_name: holder?.lastName ?? null,
    }
    await registerMethod(database, card, method, now)
  }
}
