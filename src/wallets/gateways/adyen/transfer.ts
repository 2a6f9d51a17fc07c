import type { PayoutLookup, PayoutRequest } from '../gateway.ts'
import { latinName } from './holder-name.ts'
import { NOT_ENOUGH_BALANCE, reasonInWords, stateOfStatus } from './transfer-reasons.ts'
import { fromAdyenUnits } from './units.ts'

/** A transfer in answers and webhooks, as far as we read it. */
export type Transfer = {
  id?: unknown
  status?: unknown
  reason?: unknown
  reference?: unknown
  amount?: { value?: unknown; currency?: unknown }
  category?: unknown
  balanceAccount?: { id?: unknown } | null
}

/** The names as Adyen takes them. null: one of them has no Latin letter. */
export function holderOf({ holder }: PayoutRequest): PayoutRequest['holder'] | null {
  const [firstName, lastName] = [latinName(holder.firstName), latinName(holder.lastName)]
  return firstName === null || lastName === null ? null : { firstName, lastName }
}

export function transferBody(
  balanceAccountId: string,
  { reference, customerId, token, holder, currency }: PayoutRequest,
  value: number,
) {
  return {
    amount: { value, currency },
    balanceAccountId,
    category: 'card' as const,
    counterparty: {
      card: {
        // Adyen finds the stored card by this reference: it is the shopperReference of the deposits.
        cardHolder: { type: 'individual' as const, ...holder, reference: `${customerId}` },
        cardIdentification: { storedPaymentMethodId: token },
      },
    },
    reference,
    // Letters and digits only.
    referenceForBeneficiary: reference.replaceAll('-', ''),
    description: 'Withdrawal',
  }
}

/** Refused because our balance account has too little: nothing was sent, and another transfer may follow. */
export function isUnfunded({ status, reason }: Transfer): boolean {
  return stateOfStatus(status) === 'refused' && reason === NOT_ENOUGH_BALANCE
}

export function hasTermsOf({ amount }: Transfer, request: PayoutRequest): boolean {
  return amount?.currency === request.currency && fromAdyenUnits(amount.value, request.currency) === request.amount
}

/** Not for one that is unfunded. */
export function lookupOf(transfer: Transfer): PayoutLookup {
  const { id, status, reason } = transfer
  const gatewayReference = typeof id === 'string' ? id : null
  const state = stateOfStatus(status)
  if (state === null) return { ...unknownResult('a status that decides nothing'), gatewayReference }
  if (state === 'refused' || state === 'returned') {
    return { outcome: state, ...reasonInWords(reason), gatewayReference }
  }
  return { outcome: state, reason: state, refusal: null, gatewayReference }
}

export function unknownResult(reason: string) {
  return { outcome: 'unknown', reason, refusal: null, gatewayReference: null } as const
}
