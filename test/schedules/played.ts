import type { WalletsContext } from '../../src/wallets/context.ts'
import type { GatewayNotification } from '../../src/wallets/gateways/gateway.ts'
import type { Bank, CaptureFate, SendFate } from './bank.ts'
import type { Customer, Settings } from './model/customer.ts'
import type { Stored } from './stored.ts'
import type { World } from './world.ts'

/** A customer of a schedule: what the model says of them, and what is stored. */
export type Player = {
  readonly id: number
  /** With which those of their notifications begin. */
  readonly keys: string
  model: Customer
  stored: Stored
}

export type Played = {
  readonly world: World
  readonly context: WalletsContext
  readonly bank: Bank
  readonly players: readonly Player[]
  /** Of the service and of the model. */
  readonly settings: Settings
  /** By our reference: what operators have decided otherwise than the bank's books say. */
  readonly wrong: Set<string>
  readonly fates: Fates
  /** The bank tells one after the other, and repeats each until it is answered. */
  tell(...told: readonly Told[]): void
  /** All that happened, as the model has it. */
  readonly history: string[]
  /** The first violation. */
  readonly found: string[]
}

/** What the bank does with a call, and what it tells afterwards. */
export type Fates = {
  nextSend(name: 'refund' | 'payout'): SendFate
  nextCapture(): CaptureFate
  approved(reference: string): void
  captured(reference: string): void
  cancelled(reference: string, outcome: string): void
  sent(reference: string): void
}

export type Told = { readonly player: Player; readonly notification: GatewayNotification }

/** undefined: it is of nobody who plays. */
export function nameOf({ players }: Played, reference: string): { player: Player; name: string } | undefined {
  for (const player of players) {
    const name = player.stored.names.get(reference)
    if (name !== undefined) return { player, name }
  }
  return undefined
}

/** Our reference at the gateway. */
export function referenceOf({ stored }: Player, name: string): string {
  for (const [reference, its] of stored.names) if (its === name) return reference
  throw new Error(`nothing is stored of ${name}`)
}
