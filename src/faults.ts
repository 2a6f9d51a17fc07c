// The table of faults of the contract and its rulings. Clients match on the code; the private cause of a fault stays in the log.

type Row = { status: number; text: string }

const table = {
  apiKeyMissing: { code: '10010', status: 400, text: 'No API key provided within the request' },
  apiKeyInvalid: { code: '10010', status: 401, text: 'The API key is not valid' },
  secretMissing: { code: '10020', status: 400, text: 'An API secret is mandatory for this request' },
  secretInvalid: { code: '10020', status: 401, text: 'The API secret is not valid' },
  plainHttp: { code: '10020', status: 403, text: 'The API secret must not be sent over plain HTTP: use HTTPS' },
  missing: { code: '10070', status: 400, text: 'Missing request parameter' },
  invalid: { code: '10071', status: 400, text: 'Invalid request parameter' },
  ticketInvalid: { code: '10071', status: 401, text: 'Invalid request parameter: the session is unknown or over' },
  notAcceptable: {
    code: '10071',
    status: 406,
    text: 'Invalid request parameter: accept application/xml or application/json',
  },
  credentialsMissing: { code: '20010', status: 200, text: 'Missing request parameter' },
  credentialsWrong: { code: '20000', status: 401, text: 'The user name or password is not correct' },
  noSession: { code: '10071', status: 404, text: 'Invalid request parameter: the session is unknown or over' },
  noProfile: { code: '30410', status: 404, text: 'No profile found for id' },
  nameTaken: { code: '30430', status: 409, text: 'Profile name already taken' },
  ancillary: { code: '30431', status: 400, text: 'The text has only ancillary characters' },
  inappropriate: { code: '30432', status: 400, text: 'The text has inappropriate content' },
  followSelf: { code: '30440', status: 400, text: 'You cannot create a follow relationship with yourself' },
  hideSelf: { code: '30440', status: 400, text: 'You cannot mute or block yourself' },
  tooManyHidden: { code: '30441', status: 400, text: 'You cannot mute or block more than 5000 profiles' },
  tooLarge: { code: '30450', status: 413, text: 'The uploaded file exceeds the maximum file size' },
  notAnImage: { code: '30451', status: 400, text: 'The file must be an image of type jpg, gif or png' },
  flagSelf: { code: '30460', status: 400, text: 'You cannot flag your own profile' },
  outcomeInactive: { code: '30490', status: 400, text: 'The outcome is not active' },
  profileInactive: { code: '30491', status: 400, text: 'The profile is not active' },
  sportNotEnabled: { code: '30492', status: 400, text: 'The sport of the outcome is not enabled for communities' },
  noComment: { code: '30500', status: 400, text: 'No comment found for id' },
  tipExists: { code: '30520', status: 409, text: 'A tip is already created against this bet' },
  noEvent: { code: '30530', status: 404, text: 'No event found for id' },
  noDecision: { code: '30600', status: 404, text: 'No decision found for id' },
  notAppealable: { code: '30610', status: 400, text: 'The decision cannot be appealed, or no longer' },
  appealExists: { code: '30611', status: 409, text: 'The decision is already appealed' },
  walletMissing: { code: '10070', status: 200, text: 'Missing request parameter' },
  walletInvalid: { code: '10071', status: 200, text: 'Invalid request parameter' },
  noMethods: { code: '24000', status: 200, text: 'No payment methods available' },
  methodInvalid: { code: '24001', status: 200, text: 'Invalid payment method id' },
  belowMinimum: { code: '24002', status: 200, text: 'The deposit is less than the allowed minimum' },
  aboveMaximum: { code: '24003', status: 200, text: 'The deposit is greater than the allowed maximum' },
  notWithdrawable: {
    code: '24001',
    status: 200,
    text: 'Nothing can be withdrawn to this payment method: choose one of the withdrawal options',
  },
  nothingWithdrawn: { code: '24002', status: 200, text: 'A withdrawal must be of more than 0' },
  aboveOption: {
    code: '24003',
    status: 200,
    text: 'The withdrawal is greater than this payment method may get: withdraw at most its max in the withdrawal options, which say why',
  },
  notPermitted: { code: '24004', status: 200, text: 'Invalid permission level' },
  authorisationFailed: { code: '24005', status: 200, text: 'Payment authorisation failed' },
  cardNumberInvalid: { code: '24006', status: 200, text: 'Invalid card number' },
  insufficientFunds: { code: '24007', status: 200, text: 'Insufficient funds' },
  dailyLimitExceeded: { code: '24008', status: 200, text: 'Daily deposit limit exceeded' },
  ownLimitExceeded: {
    code: '24008',
    status: 200,
    text: 'The limit that you have set for your deposits would be exceeded',
  },
  cv2Invalid: { code: '24009', status: 200, text: 'Invalid CV2 number' },
  expiryInvalid: { code: '24010', status: 200, text: 'Invalid expiry date' },
  stillProcessing: { code: '24011', status: 200, text: 'Still processing last transaction' },
  fundsStatementNotAccepted: {
    code: '24015',
    status: 200,
    text: 'The protection of customer funds statement has not been accepted',
  },
  notificationInvalid: { code: '10020', status: 401, text: 'The notification is not signed by the gateway' },
  noSuchPath: { code: '10003', status: 404, text: 'There is nothing at this path' },
  methodNotServed: { code: '10003', status: 405, text: 'This path does not serve this method' },
  malformedRequest: { code: '10071', status: 400, text: 'The request is not well-formed HTTP' },
  expectationFailed: {
    code: '10071',
    status: 417,
    text: 'The expectation cannot be met: expect 100-continue or nothing',
  },
  headersTooLarge: { code: '10071', status: 431, text: 'The request line and headers are too large' },
  tooSlow: { code: '10071', status: 408, text: 'The request did not arrive in time' },
  tooManyRequests: { code: '10030', status: 429, text: 'Too many requests' },
  unexpected: { code: '10000', status: 500, text: 'Something went wrong on our side' },
  unavailable: { code: '10000', status: 503, text: 'The service cannot answer now: try again later' },
} as const satisfies Record<string, Row & { code: string }>

export type FaultKind = keyof typeof table
export type FaultCode = (typeof table)[FaultKind]['code']
export const faultTable: Record<FaultKind, Row & { code: string }> = table

/**
 * The faults that a row declares, each with its faultName: null is none, '' an empty one, '{id}' the value of the
 * parameter `id`. A list where it depends on the request.
 */
export type DeclaredFaults = { readonly [K in FaultKind]?: string | null | readonly string[] }

/** Refuses the request. `name` is the faultName (the parameter at fault); absent from the answer when undefined. */
export class Fault extends Error {
  readonly kind: FaultKind
  readonly faultName: string | undefined
  readonly solution: string | undefined
  /** Seconds, sent as Retry-After. */
  readonly retryAfter: number | undefined

  constructor(kind: FaultKind, name?: string, more: { solution?: string; retryAfter?: number; cause?: unknown } = {}) {
    super(faultTable[kind].text, { cause: more.cause })
    this.kind = kind
    this.faultName = name
    this.solution = more.solution
    this.retryAfter = more.retryAfter
  }

  get code(): string {
    return faultTable[this.kind].code
  }

  get status(): number {
    return faultTable[this.kind].status
  }
}
