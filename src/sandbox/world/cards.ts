import type { Database } from '../../platform/database/database.ts'
import { registerMethod } from '../../wallets/register-method.ts'

export type SandboxCard = { id: number; customerId: number; token: string; scheme: string }

export async function registerCards(database: Database, cards: readonly SandboxCard[], now: number): Promise<void> {
  for (const card of cards) {
    const method = {
      type: 'CARD',
      token: card.token,
      minDeposit: 500n,
      maxDeposit: 100_000n,
      cardNumber: card.scheme === 'VISA' ? '411111******1111' : '555555******4444',
      issueDate: '01/24',
      expiryDate: '12/49',
      country: 'GB',
      scheme: card.scheme,
      funding: 'debit' as const,
    }
    await registerMethod(database, card, method, now)
  }
}
