// What a test of crash points and the process that it kills (crash-entry.ts) send each other.

import type { GatewayNotification, NotificationMeaning } from '../../src/wallets/gateways/gateway.ts'

export type CrashMessage = { url?: string; operatorUrl?: string; ticket?: string; points?: string[] }

/**
 * `excluded`: they exclude themselves while the gateway decides. `isCapturedLate`: after the next notification. `isNewCard`: payouts to it
 * wait.
 */
export type Depositor = {
  id: number
  token: string
  currency: string
  excluded?: boolean
  isCapturedLate?: boolean
  isNewCard?: boolean
}

/** What the process is told to do. `arm`: the path begins once this deposit is captured. */
export type CrashOrder = { create?: Depositor; arm?: string; notify?: Notice; stop?: true }

/** A notification of the bank, as a message: `reference` is ours of the payment or payout, `of` the bank's of its subject. */
export type Notice = { meaning: NotificationMeaning; event: string; reference: string; of: string; amount: string }

export function toNotification({ meaning, event, reference, of, amount }: Notice): GatewayNotification {
  return {
    ...{ meaning, event, reference, success: true, gatewayReference: of, paymentReference: '' },
    ...{ key: `${of} ${event} ${amount}`, amount: BigInt(amount), currency: 'GBP', answerBy: null },
    ...{ endsDispute: false, refusal: null, reason: '' },
  }
}
