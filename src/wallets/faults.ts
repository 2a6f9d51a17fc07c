import { type DeclaredFaults, Fault } from '../faults.ts'

export const METHOD_FAULTS = { noMethods: null } as const satisfies DeclaredFaults

export const DEPOSIT_FAULTS = {
  methodInvalid: 'transactionType',
  belowMinimum: 'amount',
  aboveMaximum: 'amount',
  notPermitted: null,
  authorisationFailed: null,
  cardNumberInvalid: null,
  insufficientFunds: null,
  dailyLimitExceeded: null,
  cv2Invalid: 'cv2',
  expiryInvalid: null,
  stillProcessing: null,
  fundsStatementNotAccepted: null,
} as const satisfies DeclaredFaults

export type DepositFault = keyof typeof DEPOSIT_FAULTS

const FAULT_NAMES = { ...METHOD_FAULTS, ...DEPOSIT_FAULTS }

/** With the faultName that the row declares. */
export function walletFault(kind: keyof typeof FAULT_NAMES): Fault {
  return new Fault(kind, FAULT_NAMES[kind] ?? undefined)
}
