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
      minDeposit: 500n,
      // Above the sums that two persons decide about (RESOLUTION_FOUR_EYES_ABOVE), so that it can be tried.
      maxDeposit: 250_000n,
      cardNumber: card.scheme === 'VISA' ? '411111******1111' : '555555******4444',
      issueDate: '01/24',
      expiryDate: '12/49',
      country: 'GB',
      scheme: card.scheme,
      funding: 'debit' as const,
      firstName: holder?.firstName ?? null,
      lastName: holder?.lastName ?? null,
    }
    await registerMethod(database, card, method, now)
  }
}
