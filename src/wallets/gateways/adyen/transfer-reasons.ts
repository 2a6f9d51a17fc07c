// What Adyen reports of a transfer: its status, and the reason of a refusal.
// https://docs.adyen.com/payouts/payout-service/pay-out-to-cards/payout-webhooks

import type { Refusal } from '../gateway.ts'

type Words = readonly [refusal: Refusal, words: string]

/** Our balance account has too little: no refusal of the card, so it has none here. */
export const NOT_ENOUGH_BALANCE = 'notEnoughBalance'

/** Every reason of Adyen's but NOT_ENOUGH_BALANCE: a test compares them with the enumeration of Adyen's own library. */
export const TRANSFER_REASONS: Readonly<Record<string, Words>> = {
  // The only one that frees the money for other cards: not found, blocked or invalid may be temporary.
  counterpartyAccountClosed: ['account-closed', 'the account of the card is closed'],

  blockCard: ['card', 'the card is blocked'],
  captureCard: ['card', 'the bank requests that the card be kept'],
  cardExpired: ['card', 'the card has expired'],
  counterpartyAccountBlocked: ['card', 'the account of the card is blocked'],
  counterpartyAccountNotFound: ['card', 'the account of the card was not found'],
  counterpartyAddressRequired: ['card', 'the bank needs the address of the holder'],
  invalidAccount: ['card', 'the account of the card is not valid'],
  invalidCard: ['card', 'the card is not valid'],
  invalidExpiryDate: ['card', 'the expiry date of the card is not valid'],
  invalidToAccount: ['card', 'the account of the card cannot be credited'],
  lostCard: ['card', 'the card was reported lost'],
  noCheckingAccount: ['card', 'the card has no current account'],
  noSavingsAccount: ['card', 'the card has no savings account'],
  restrictedCard: ['card', 'the card is restricted'],
  routeNotFound: ['card', 'there is no route to the bank of the card'],
  stolenCard: ['card', 'the card was reported stolen'],
  transferInstrumentDoesNotExist: ['card', 'the stored card does not exist'],
  unableToRouteTransaction: ['card', 'there is no route to the bank of the card'],

  directDebitNotSupported: ['not-permitted', 'direct debits are not supported'],
  domesticDebitTransactionNotAllowed: ['not-permitted', 'domestic transactions are not permitted'],
  fraud: ['not-permitted', 'suspected fraud'],
  fraudCancelled: ['not-permitted', 'cancelled because of suspected fraud'],
  invalidAuthorizationLifeCycle: ['not-permitted', 'the transaction is not valid'],
  invalidIssuer: ['not-permitted', 'the bank of the card is not valid'],
  invalidMerchant: ['not-permitted', 'the scheme does not accept this merchant'],
  invalidTransaction: ['not-permitted', 'the transaction is not valid'],
  issuerSuspectedFraud: ['not-permitted', 'the bank of the card suspects fraud'],
  notSupported: ['not-permitted', 'the card does not support payouts'],
  revocationOfAuth: ['not-permitted', 'the holder has forbidden such transactions'],
  schemeAdvice: ['not-permitted', 'the card scheme advises against it'],
  securityViolation: ['not-permitted', 'the bank reports a violation of security'],
  transactionNotPermitted: ['not-permitted', 'the card does not permit it'],

  accountHierarchyNotActive: ['other', 'our account at the gateway is not active'],
  amountLimitExceeded: ['other', 'a limit for the amount was exceeded'],
  approvalExpired: ['other', 'it was not approved in time at the gateway'],
  approved: ['other', 'approved'],
  avsDeclined: ['other', 'the address could not be verified'],
  balanceAccountTemporarilyBlockedByTransactionRule: ['other', 'our account at the gateway is blocked for now'],
  callReferral: ['other', 'the bank requests a call'],
  cancelled: ['other', 'cancelled at the gateway'],
  cardholderAuthenticationRequired: ['other', 'the bank requires the holder to authenticate'],
  cashbackAmountExceedsLimit: ['other', 'a limit for the amount was exceeded'],
  cavvDeclined: ['other', 'the authentication was declined'],
  contactlessFallback: ['other', 'the bank refused it'],
  contactlessLimitReached: ['other', 'a limit for the amount was exceeded'],
  counterpartyBankTimedOut: ['other', 'the bank of the card did not answer in time'],
  counterpartyBankUnavailable: ['other', 'the bank of the card could not be reached'],
  cryptographicFailure: ['other', 'a technical error of the gateway'],
  cvcDeclined: ['other', 'the security code was declined'],
  declined: ['other', 'declined'],
  declinedByBapValidation: ['other', 'declined by the gateway'],
  declinedByTransactionRule: ['other', 'declined by a rule of our account at the gateway'],
  declinedNonGeneric: ['other', 'declined by the bank of the card'],
  doNotHonor: ['other', 'the bank of the card declined it without a reason'],
  duplicateTransmissionDetected: ['other', 'the bank took it for a repetition'],
  error: ['other', 'a technical error of the gateway'],
  formatError: ['other', 'a technical error of the gateway'],
  honorWithId: ['other', 'the bank requires identification'],
  internalTimeout: ['other', 'the gateway did not answer in time'],
  invalidAmount: ['other', 'the amount is not valid'],
  invalidFromAccount: ['other', 'our account at the gateway is not valid'],
  invalidPin: ['other', 'the PIN is not valid'],
  mobilePinRequired: ['other', 'a PIN is needed'],
  not3dAuthenticated: ['other', 'the holder was not authenticated'],
  notSubmitted: ['other', 'the gateway did not submit it'],
  partiallyApproved: ['other', 'only a part was approved'],
  pending: ['other', 'pending'],
  pendingApproval: ['other', 'it waits for approval at the gateway'],
  pendingExecution: ['other', 'it waits for its date'],
  pinNotChanged: ['other', 'the PIN was not changed'],
  pinRequired: ['other', 'a PIN is needed'],
  pinTriesExceeded: ['other', 'the PIN was wrong too often'],
  pinValidationNotPossible: ['other', 'the PIN could not be checked'],
  purchaseAmountOnlyNoCashBack: ['other', 'the bank refused it'],
  refusedByCounterpartyBank: ['other', 'the bank of the card refused it'],
  refusedByCustomer: ['other', 'the customer refused it'],
  scaAuthenticationRequired: ['other', 'it needs approval by authentication at the gateway'],
  scaFailed: ['other', 'the authentication failed'],
  shopperCancelled: ['other', 'the customer cancelled it'],
  threedsDynamicLinkingMismatch: ['other', 'the authentication was of another payment'],
  unknown: ['other', 'the gateway gave no reason'],
  withdrawalAmountExceeded: ['other', 'the limit of the card for the amount was exceeded'],
  withdrawalCountExceeded: ['other', 'the limit of the card for the number of payments was exceeded'],
}

const UNKNOWN: Words = ['other', 'the gateway gave no reason that is known here']

export function reasonInWords(reason: unknown): { readonly refusal: Refusal; readonly reason: string } {
  const known = typeof reason === 'string' && Object.hasOwn(TRANSFER_REASONS, reason)
  const [refusal, words] = (known ? TRANSFER_REASONS[reason] : undefined) ?? UNKNOWN
  return { refusal, reason: words }
}

export type TransferState = 'received' | 'paid' | 'refused' | 'returned'

/** Statuses of transfers to cards. All others decide nothing: `error` does not state whether the money was sent. */
const STATES: Readonly<Record<string, TransferState>> = {
  received: 'received',
  authorised: 'received',
  pending: 'received',
  approvalPending: 'received',
  pendingApproval: 'received',
  pendingExecution: 'received',
  bookingPending: 'received',
  booked: 'paid',
  // The bank of the card confirms it, where it does; after booked.
  credited: 'paid',
  refused: 'refused',
  rejected: 'refused',
  failed: 'refused',
  cancelled: 'refused',
  expired: 'refused',
  // Also after booked.
  returned: 'returned',
  reversed: 'returned',
}

export function stateOfStatus(status: unknown): TransferState | null {
  return typeof status === 'string' && Object.hasOwn(STATES, status) ? (STATES[status] as TransferState) : null
}
