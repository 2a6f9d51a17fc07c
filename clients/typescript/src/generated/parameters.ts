// Written by `npm run client` from the operations of the service. Do not edit.

export type NoParameters = Record<never, never>

export interface CreateTicketParameters {
  /** the customer’s user name */
  username: string
  /** the customer’s password */
  password: string
  /** Y: 60 days, without idle expiry */
  extended?: boolean | undefined
}

export interface CheckTicketParameters {
  /** the ticket */
  ticket: string
}

export interface EndTicketParameters {
  /** the ticket */
  ticket: string
}

export interface GetProfileParameters {
  /** id of the profile */
  id: number
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
}

export interface FlagProfileParameters {
  /** id of the profile */
  id: number
  /** why */
  reason?: 'spam' | 'abuse' | 'false-claim' | 'inside-information' | 'harm' | 'illegal' | 'other' | undefined
  /** a note to moderators, up to 300 characters, with up to 10 line feeds */
  note?: string | undefined
}

export interface GetFollowersParameters {
  /** id of the profile */
  id: number
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface GetFollowingsParameters {
  /** id of the profile */
  id: number
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface GetMyProfileParameters {
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
}

export interface UpdateMyProfileParameters {
  /** public name, 1 to 30 characters */
  name?: string | undefined
  /** public biography, up to 140 characters, with up to 10 line feeds */
  biography?: string | undefined
}

export interface GetMyFollowersParameters {
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface FollowProfileParameters {
  /** id of the profile */
  id: number
}

export interface UnfollowProfileParameters {
  /** id of the profile */
  id: number
}

export interface GetMyFollowingsParameters {
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface GetLatestFollowersParameters {
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
}

export interface GetMostFollowedProfilesParameters {
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
  /** days to look back; 0 is all time (default: 0) */
  numDays?: 30 | 7 | 1 | 0 | undefined
}

export interface SetMyPictureParameters {
  /** the bytes of a jpg, gif or png of up to 10 MB */
  picture: Blob | ArrayBuffer | Uint8Array
}

export type RemoveMyPictureParameters = NoParameters

export interface MuteProfileParameters {
  /** id of the profile */
  id: number
  /** after how many hours the mute ends; without it, when it is taken back */
  hours?: number | undefined
}

export interface GetMyMutesParameters {
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface UnmuteProfileParameters {
  /** id of the profile */
  id: number
}

export interface BlockProfileParameters {
  /** id of the profile */
  id: number
}

export interface GetMyBlocksParameters {
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface UnblockProfileParameters {
  /** id of the profile */
  id: number
}

export interface GetMyNotificationsParameters {
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface MarkMyNotificationsReadParameters {
  /** id of the newest notification that was seen */
  upTo: number
}

export interface GetRecordParameters {
  /** id of the profile */
  id: number
  /** only tips on events of this sport */
  sportId?: number | undefined
  /** only tips settled on the last days in UTC, today included; all if absent */
  numDays?: 7 | 30 | 90 | 365 | undefined
  /** only tips with decimal odds from the first number up to, but not including, the second */
  band?: '1-2' | '2-4' | '4-8' | '8-16' | '16-up' | undefined
  /** Y: tips created after the start of their event, which have a record of their own */
  inPlay?: boolean | undefined
}

export interface GetRecordTipsParameters {
  /** id of the profile */
  id: number
  /** only tips that won (W), lost (L) or are void (V); all if absent */
  status?: 'W' | 'L' | 'V' | undefined
  /** Y: tips created after the start of their event, which have a record of their own */
  inPlay?: boolean | undefined
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface GetRecordRankingParameters {
  /** days of settlement to look back, today included; 0 is all (default: 30) */
  numDays?: 7 | 30 | 90 | 365 | 0 | undefined
  /** only tips on events of this sport */
  sportId?: number | undefined
  /** only tips with decimal odds from the first number up to, but not including, the second */
  band?: '1-2' | '2-4' | '4-8' | '8-16' | '16-up' | undefined
}

export interface GetCommentsByIdParameters {
  /** id of the comment */
  id: number
  /** Y adds to each comment who wrote it, at which price, the result, and what the tip won or lost */
  details?: boolean | undefined
}

export interface DeactivateCommentParameters {
  /** id of the comment */
  id: number
}

export interface FlagCommentParameters {
  /** id of the comment */
  id: number
  /** why */
  reason?: 'spam' | 'abuse' | 'false-claim' | 'inside-information' | 'harm' | 'illegal' | 'other' | undefined
  /** a note to moderators, up to 300 characters, with up to 10 line feeds */
  note?: string | undefined
}

export interface UnflagCommentParameters {
  /** id of the comment */
  id: number
}

export interface LikeCommentParameters {
  /** id of the comment */
  id: number
}

export interface UnlikeCommentParameters {
  /** id of the comment */
  id: number
}

export interface CreateCommentOnOutcomeIdParameters {
  /** id of the outcome */
  id: number
  /** the bet that the comment is placed against */
  betId: number
  /** linked id of the event of the comment */
  linkedId?: number | undefined
  /** numerator of fractional odds */
  priceNum?: number | undefined
  /** denominator of fractional odds */
  priceDen?: number | undefined
  /** Y: the price type is a starting price */
  startingPrice?: boolean | undefined
  /** the text of the comment, up to 300 characters, with up to 10 line feeds */
  text: string
  /** Y adds to each comment who wrote it, at which price, the result, and what the tip won or lost */
  details?: boolean | undefined
}

export interface GetAllCommentbyProfileIdParameters {
  /** id of the profile */
  id: number
  /** A active or W winning */
  status: 'A' | 'W'
  /** only comments on events of this sport */
  sportId?: number | undefined
  /** L most liked, E event time, R most recent (default: R) */
  sortOrder?: 'L' | 'E' | 'R' | undefined
  /** comments per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 1 (default: 1) */
  blockNum?: number | undefined
  /** Y adds to each comment who wrote it, at which price, the result, and what the tip won or lost */
  details?: boolean | undefined
}

export interface GetAllMyCommentsParameters {
  /** A active or W winning */
  status: 'A' | 'W'
  /** only comments on events of this sport */
  sportId?: number | undefined
  /** L most liked, E event time, R most recent (default: R) */
  sortOrder?: 'L' | 'E' | 'R' | undefined
  /** comments per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 1 (default: 1) */
  blockNum?: number | undefined
  /** Y adds to each comment who wrote it, at which price, the result, and what the tip won or lost */
  details?: boolean | undefined
}

export type GetTopOutcomesParameters = NoParameters

export interface GetAllMyFollowingsCommentsParameters {
  /** A active or W winning */
  status: 'A' | 'W'
  /** only comments on events of this sport */
  sportId?: number | undefined
  /** L most liked, E event time, R most recent (default: R) */
  sortOrder?: 'L' | 'E' | 'R' | undefined
  /** comments per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 1 (default: 1) */
  blockNum?: number | undefined
  /** Y adds to each comment who wrote it, at which price, the result, and what the tip won or lost */
  details?: boolean | undefined
}

export interface GetEventsParameters {
  /**
   * only events that are live, upcoming, settled or (a day after the start) unsettled; without it the live ones,
   * then the upcoming ones
   */
  status?: 'live' | 'upcoming' | 'settled' | 'unsettled' | undefined
  /** only events of this sport */
  sportId?: number | undefined
  /** events per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 1 (default: 1) */
  blockNum?: number | undefined
}

export interface GetEventParameters {
  /** id of the event */
  id: number
}

export interface GetCommentsByEventIdParameters {
  /** id of the event */
  id: number
  /** comments per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 1 (default: 1) */
  blockNum?: number | undefined
  /** Y adds to each comment who wrote it, at which price, the result, and what the tip won or lost */
  details?: boolean | undefined
}

export interface SearchProfilesParameters {
  /**
   * words, each of which must begin a word of the text: 2 to 100 characters, among them at least 2 letters or
   * digits, up to 8 words; case and accents do not count
   */
  q: string
  /** Y adds the number of live and winning tips to each profile */
  communities?: boolean | undefined
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface SearchCommentsParameters {
  /**
   * words, each of which must begin a word of the text: 2 to 100 characters, among them at least 2 letters or
   * digits, up to 8 words; case and accents do not count
   */
  q: string
  /** comments per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 1 (default: 1) */
  blockNum?: number | undefined
  /** Y adds to each comment who wrote it, at which price, the result, and what the tip won or lost */
  details?: boolean | undefined
}

export interface GetMyModerationParameters {
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface AppealDecisionParameters {
  /** id of the decision */
  decisionId: number
  /** why the decision should be overturned, up to 1,000 characters, with up to 10 line feeds */
  text: string
}

export type GetLogParameters = NoParameters

export interface GetLogProofsParameters {
  /** id of the tip */
  commentId: number
}

export interface GetLogConsistencyParameters {
  /** size of the earlier log */
  first: number
  /** size of the later log */
  second: number
}

export interface GetLogEntriesParameters {
  /** index of the first entry (default: 0) */
  start?: number | undefined
  /** how many (default: 100) */
  count?: number | undefined
  /** Y leaves out what tips are now. The leaves never change: a full page of them can be cached for ever */
  leavesOnly?: boolean | undefined
}

export type GetLogKeysParameters = NoParameters

export interface MakeTransactionParameters {
  /** what to do; only deposit is supported */
  transactionType: 'deposit'
  /** the amount to deposit, with at most two decimals */
  amount: string
  /** id of a payment method, from getPaymentMethods */
  id: number
  /** the card’s security code; used once and never stored */
  cv2: string
  /** the same key and parameters again answer the first result, without a second charge */
  idempotencyKey?: string | undefined
}

export type GetPaymentMethodsParameters = NoParameters

export type GetPaymentMethodsByGetParameters = NoParameters

export interface MakeDepositParameters {
  /** the amount to deposit, with at most two decimals */
  amount: string
  /** id of a payment method, from getPaymentMethods */
  id: number
  /** the card’s security code; used once and never stored */
  cv2: string
  /**
   * where the issuer sends the browser back to, with redirectResult in the query; it begins with an address
   * registered for the application
   */
  returnUrl: string
  /** of the customer’s browser: navigator.userAgent; absent: that of this request */
  userAgent?: string | undefined
  /** of the customer’s browser: its header Accept */
  acceptHeader?: string | undefined
  /** of the customer’s browser: navigator.language */
  language?: string | undefined
  /** of the customer’s browser: screen.colorDepth (default: 24) */
  colorDepth?: 1 | 4 | 8 | 15 | 16 | 24 | 30 | 32 | 48 | undefined
  /** of the customer’s browser: screen.width (default: 1280) */
  screenWidth?: number | undefined
  /** of the customer’s browser: screen.height (default: 720) */
  screenHeight?: number | undefined
  /** of the customer’s browser: minutes from its time to UTC, as getTimezoneOffset() counts (default: 0) */
  timeZoneOffset?: number | undefined
  /** of the customer’s browser: navigator.javaEnabled() */
  javaEnabled?: 'true' | 'false' | undefined
  /** of the customer’s browser: its address; Visa and JCB want it */
  ip?: string | undefined
  /** the same key and parameters again answer the first result, without a second charge */
  idempotencyKey?: string | undefined
}

export interface GetMyDepositsParameters {
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface GetDepositParameters {
  /** of the deposit */
  paymentId: string
}

export interface FinishChallengeParameters {
  /** of the deposit */
  paymentId: string
  /** the parameter of this name with which the browser came back to returnUrl */
  redirectResult: string
}

export interface CancelChallengeParameters {
  /** of the deposit */
  paymentId: string
}

export type GetMyBalanceParameters = NoParameters

export interface GetMyStatementParameters {
  /** first UTC day; three months before the last one, if absent */
  from?: string | undefined
  /** last UTC day; today, if absent */
  to?: string | undefined
  /** which lines come first (default: oldest) */
  order?: 'oldest' | 'newest' | undefined
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export type GetWithdrawalOptionsParameters = NoParameters

export interface MakeWithdrawalParameters {
  /** the amount to withdraw, with at most two decimals */
  amount: string
  /** id of a payment method, from getPaymentMethods */
  id: number
  /** the same key and parameters again answer the first result, without a second charge */
  idempotencyKey?: string | undefined
}

export interface GetMyWithdrawalsParameters {
  /** items per block (default: 20) */
  blockSize?: number | undefined
  /** which block, from 0 (default: 0) */
  blockNum?: number | undefined
}

export interface GetWithdrawalParameters {
  /** of the withdrawal */
  id: number
}

export type GetMyLimitsParameters = NoParameters

export interface MarkLimitsPromptedParameters {
  /** Y: the caller was prompted for limits, whatever the answer */
  prompted: boolean
}

export interface SetMyLimitParameters {
  /** day, week (from Monday) or month; UTC */
  period: 'day' | 'week' | 'month'
  /** the most that the caller wants to deposit in the period, with at most two decimals */
  amount: string
}

export interface RemoveMyLimitParameters {
  /** day, week (from Monday) or month; UTC */
  period: 'day' | 'week' | 'month'
}

export interface ConfirmMyLimitParameters {
  /** day, week (from Monday) or month; UTC */
  period: 'day' | 'week' | 'month'
}

export interface TakeTimeOutParameters {
  /** how long: 24 hours to 6 weeks */
  hours: number
}

export interface ExcludeMyselfParameters {
  /** how long: 6 to 60 months */
  months: number
}

export interface OpenStreamParameters {
  /** the id of the last event received: the stream resumes after it */
  lastEventId?: number | undefined
  /** the outcomes whose prices, starts, results and new tips are reported too: up to 100 ids, separated by commas */
  outcomes?: string | undefined
  /** Y: the customer’s balance is reported too, and the newest unread notification */
  account?: boolean | undefined
}
