// Written by `npm run client` from the operations of the service. Do not edit.

/** The codes of all faults, by name. */
export const faultCodes = {
  /** No API key provided within the request; The API key is not valid. */
  apiKey: '10010',
  /**
   * An API secret is mandatory for this request; The API secret is not valid; The API secret must not be sent over
   * plain HTTP: use HTTPS; The notification is not signed by the gateway.
   */
  secret: '10020',
  /** Missing request parameter. */
  missing: '10070',
  /**
   * Invalid request parameter; Invalid request parameter: the session is unknown or over; Invalid request
   * parameter: accept application/xml or application/json; The request is not well-formed HTTP; The expectation
   * cannot be met: expect 100-continue or nothing; The request line and headers are too large; The request did not
   * arrive in time.
   */
  invalid: '10071',
  /** Missing request parameter. */
  credentialsMissing: '20010',
  /** The user name or password is not correct. */
  credentialsWrong: '20000',
  /** No profile found for id. */
  noProfile: '30410',
  /** Profile name already taken. */
  nameTaken: '30430',
  /** The text has only ancillary characters. */
  ancillary: '30431',
  /** The text has inappropriate content. */
  inappropriate: '30432',
  /** You cannot create a follow relationship with yourself; You cannot mute or block yourself. */
  self: '30440',
  /** You cannot mute or block more than 5000 profiles. */
  tooManyHidden: '30441',
  /** The uploaded file exceeds the maximum file size. */
  tooLarge: '30450',
  /** The file must be an image of type jpg, gif or png. */
  notAnImage: '30451',
  /** You cannot flag your own profile. */
  flagSelf: '30460',
  /** The outcome is not active. */
  outcomeInactive: '30490',
  /** The profile is not active. */
  profileInactive: '30491',
  /** The sport of the outcome is not enabled for communities. */
  sportNotEnabled: '30492',
  /** No comment found for id. */
  noComment: '30500',
  /** A tip is already created against this bet. */
  tipExists: '30520',
  /** No event found for id. */
  noEvent: '30530',
  /** No decision found for id. */
  noDecision: '30600',
  /** The decision cannot be appealed, or no longer. */
  notAppealable: '30610',
  /** The decision is already appealed. */
  appealExists: '30611',
  /** No payment methods available. */
  noMethods: '24000',
  /**
   * Invalid payment method id; Nothing can be withdrawn to this payment method: choose one of the withdrawal
   * options.
   */
  methodInvalid: '24001',
  /** The deposit is less than the allowed minimum; A withdrawal must be of more than 0. */
  belowMinimum: '24002',
  /**
   * The deposit is greater than the allowed maximum; The withdrawal is greater than this payment method may get:
   * withdraw at most its max in the withdrawal options, which say why.
   */
  aboveMaximum: '24003',
  /** Invalid permission level. */
  notPermitted: '24004',
  /** Payment authorisation failed. */
  authorisationFailed: '24005',
  /** Invalid card number. */
  cardNumberInvalid: '24006',
  /** Insufficient funds. */
  insufficientFunds: '24007',
  /** Daily deposit limit exceeded; The limit that you have set for your deposits would be exceeded. */
  dailyLimitExceeded: '24008',
  /** Invalid CV2 number. */
  cv2Invalid: '24009',
  /** Invalid expiry date. */
  expiryInvalid: '24010',
  /** Still processing last transaction. */
  stillProcessing: '24011',
  /** The protection of customer funds statement has not been accepted. */
  fundsStatementNotAccepted: '24015',
  /** There is nothing at this path; This path does not serve this method. */
  notServed: '10003',
  /** Too many requests. */
  tooManyRequests: '10030',
  /** Something went wrong on our side; The service cannot answer now: try again later. */
  failure: '10000',
} as const

export type FaultCode = (typeof faultCodes)[keyof typeof faultCodes] | (string & Record<never, never>)
