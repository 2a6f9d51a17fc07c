import { type DeclaredFaults, Fault } from '../faults.ts'
import { PERIODS, type Period } from './periods.ts'

export const METHOD_FAULTS = { noMethods: null } as const satisfies DeclaredFaults

const STORED_FAULTS = {
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

/** What a deposit is refused for, as it is stored. */
export type DepositFault = keyof typeof STORED_FAULTS

/** The same code as the operator's limit, with the period of the customer's own as faultName. */
export const DEPOSIT_FAULTS = { ...STORED_FAULTS, ownLimitExceeded: PERIODS } as const satisfies DeclaredFaults

/** The same codes as those of deposits, with what to do. */
export const WITHDRAWAL_FAULTS = {
  notWithdrawable: 'transactionType',
  nothingWithdrawn: 'amount',
  aboveOption: 'amount',
  insufficientFunds: null,
} as const satisfies DeclaredFaults

const FAULT_NAMES = { ...METHOD_FAULTS, ...STORED_FAULTS, ...WITHDRAWAL_FAULTS }

/** With the faultName that the row declares. */
export function walletFault(kind: keyof typeof FAULT_NAMES): Fault {
  return new Fault(kind, FAULT_NAMES[kind] ?? undefined)
}

/** `period`: of the limit that the customer has set and the deposit exceeds. */
export function depositFault({ fault, period }: { fault: DepositFault; period: Period | null }): Fault {
  return period === null ? walletFault(fault) : new Fault('ownLimitExceeded', period)
}
