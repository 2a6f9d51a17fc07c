// Written by `npm run client` from the operations of the service. Do not edit.

export interface Session {
  ticket: string
  location: string
  expiryDateTimeZoned?: Date
  extended?: boolean
}

export interface EndedSession {
  ticket: string
}

export interface Profile {
  id: number
  name: string
  biography: string
  picture: string
  createdDateTimeZoned: Date
  numFollowings: number
  numFollowers: number
  isFlagged?: boolean
  isFollowed?: boolean
  communities?: {
    comments: {
      type: string
      numLive: number
      numWinning: number
    }
  }
}

export interface MyProfile {
  id: number
  name: string
  biography: string
  picture: string
  createdDateTimeZoned: Date
  numFollowings: number
  numFollowers: number
  communities?: {
    comments: {
      type: string
      numLive: number
      numWinning: number
    }
  }
}

export interface UpdatedProfile {
  id: number
  name: string
  biography: string
  picture: string
  createdDateTimeZoned: Date
  numFollowings: number
  numFollowers: number
}

export interface UnfollowedProfile {
  id: number
  status: string
}

export interface FollowEntry {
  relationship: string
  id: number
  name: string
  biography: string
  picture: string
  createdDateTimeZoned: Date
  numFollowings: number
  numFollowers: number
  isFlagged?: boolean
  isFollowed?: boolean
  status?: string
  communities?: {
    comments: {
      type: string
      numLive: number
      numWinning: number
    }
  }
}

export interface RankedProfile {
  rank: number
  id: number
  name: string
  biography: string
  picture: string
  createdDateTimeZoned: Date
  numFollowings: number
  numFollowers: number
  isFlagged?: boolean
  isFollowed?: boolean
  communities?: {
    comments: {
      type: string
      numLive: number
      numWinning: number
    }
  }
}

export interface Notification {
  id: number
  type: string
  isRead: boolean
  createdDateTimeZoned: Date
  numActors?: number
  profile?: Profile
  action?: string
  decisionId?: number
  card?: {
    id: number
    lastFour: string
  }
  comment?: {
    id: number
    text: string
    status: string
    /** As reported: win, lose, void, push, half-win, half-lose or place; absent while there is none. */
    result?: string
  }
}

export interface Notifications {
  numUnread: number
  notification: Notification[]
}

export interface RecordFigures {
  /** UTC day of the first settlement in the selection. */
  from?: Date
  /** UTC day of the last settlement in the selection. */
  to?: Date
  /** Settled tips: numWon + numLost + numVoid. */
  numSettled: number
  /** Settled tips with a profit above 0. */
  numWon: number
  /** Settled tips with a profit of 0 or below. */
  numLost: number
  /** Void and push tips: no stake, in no rate, in no streak. */
  numVoid: number
  /** Live tips of the profile without a result, whatever is selected: numLive of the profile. */
  numOpen: number
  /** Settled tips that were deactivated or removed afterwards or before; they stay in all figures. */
  numWithdrawn: number
  /** In per cent: numWon / (numWon + numLost). */
  strikeRate?: string
  /** Points staked: 1 on each tip that is not void, 2 on each way. */
  staked: string
  /**
   * Points won or lost: the sum over tips of return minus stake, at the price of record (the lower of the bet’s
   * price and the catalogue’s price when the tip was created), after dead heats and Rule 4.
   */
  profit: string
  /** In per cent: profit / staked. */
  yield?: string
  /**
   * In per cent: yield − 1.645 · s / √n, where n = numWon + numLost and s is the larger of the spread of profit /
   * stake seen and averageOdds · √(p · (1 − p)) with p = (numWon + 1) / (n + 2). Rankings are in its order.
   */
  yieldLow?: string
  /** In per cent: yield + 1.645 · s / √n; the yield lies between yieldLow and yieldHigh with a probability of 90 %. */
  yieldHigh?: string
  /** Mean of the decimal prices of record of the tips that won or lost. */
  averageOdds?: string
  /** The prices of record against the closing prices (the last ones before the start). Shown, never ranked by. */
  closing?: {
    /**
     * Tips that are compared with the closing price: not void, at a fixed price before the start, and with a closing
     * price known.
     */
    num: number
    /** In per cent: mean of price of record / closing price − 1, both decimal. */
    average: string
    /** Tips whose price of record is above the closing price. */
    beaten: number
  }
  /** The latest tips with the same result, in the order of settlement day and tip; void ones break no streak. */
  streak?: {
    /** W or L. */
    type: string
    /** How many tips in succession. */
    length: number
  }
  /** The longest run of losing tips in the selection. */
  longestLosing?: number
  /**
   * Y if the sample is large enough for the ranking: tips that won or lost on at least 5 days, at least 20 (7 and
   * 30 days), 50 (90 days) or 100 (more) of them; never in play.
   */
  isRanked: boolean
}

export interface ProfileRecord {
  id: number
  record: RecordFigures
}

export interface RecordTip {
  id: number
  betId: number
  /** W: profit above 0; L: not; V: void or push. */
  status: string
  /** Y: deactivated by its author or removed by a moderator; it counts all the same. */
  isWithdrawn: boolean
  createdDateTimeZoned: Date
  /** UTC day of the first result. */
  settled: Date
  /** The decimal price of record. */
  odds?: string
  /** The price of record: absent for a tip at starting price. */
  price?: string
  /** The starting price, for a tip at starting price. */
  startingPrice?: string
  /** Of an each-way tip: the fraction of the odds for a place. */
  eachWay?: string
  /** Points staked: 0 if void, 2 each way, otherwise 1. */
  staked: string
  /** Points won or lost. */
  profit: string
  /** In per cent: price of record / closing price − 1. */
  closing?: string
  /** As reported: win, lose, void, push, half-win, half-lose or place. */
  result: string
  /** The part of the win stake that stands after a dead heat. */
  deadHeat?: string
  /** The part of the place stake that stands after a dead heat. */
  placeDeadHeat?: string
  /** The deduction from the winnings, as a fraction of 1; none at starting price. */
  rule4?: string
  /** Only while the tip is live. */
  text?: string
  event: {
    id: number
    sportId: number
    name: string
    market: {
      id: number
      name: string
      outcome: {
        id: number
        name: string
      }
    }
  }
  cashOut: {
    dateTimeZoned: Date
    /** The part of the bet’s stake that was cashed out; it never changes figures. */
    fraction: string
  }[]
}

export interface RankedRecord {
  rank: number
  id: number
  name: string
  biography: string
  picture: string
  createdDateTimeZoned: Date
  numFollowings: number
  numFollowers: number
  isFlagged?: boolean
  isFollowed?: boolean
  record: {
    /** UTC day of the first settlement in the selection. */
    from?: Date
    /** UTC day of the last settlement in the selection. */
    to?: Date
    /** Settled tips: numWon + numLost + numVoid. */
    numSettled: number
    /** Settled tips with a profit above 0. */
    numWon: number
    /** Settled tips with a profit of 0 or below. */
    numLost: number
    /** Void and push tips: no stake, in no rate, in no streak. */
    numVoid: number
    /** Settled tips that were deactivated or removed afterwards or before; they stay in all figures. */
    numWithdrawn: number
    /** In per cent: numWon / (numWon + numLost). */
    strikeRate?: string
    /** Points staked: 1 on each tip that is not void, 2 on each way. */
    staked: string
    /**
     * Points won or lost: the sum over tips of return minus stake, at the price of record (the lower of the bet’s
     * price and the catalogue’s price when the tip was created), after dead heats and Rule 4.
     */
    profit: string
    /** In per cent: profit / staked. */
    yield?: string
    /**
     * In per cent: yield − 1.645 · s / √n, where n = numWon + numLost and s is the larger of the spread of profit /
     * stake seen and averageOdds · √(p · (1 − p)) with p = (numWon + 1) / (n + 2). Rankings are in its order.
     */
    yieldLow?: string
    /** In per cent: yield + 1.645 · s / √n; the yield lies between yieldLow and yieldHigh with a probability of 90 %. */
    yieldHigh?: string
    /** Mean of the decimal prices of record of the tips that won or lost. */
    averageOdds?: string
    /** The prices of record against the closing prices (the last ones before the start). Shown, never ranked by. */
    closing?: {
      /**
       * Tips that are compared with the closing price: not void, at a fixed price before the start, and with a closing
       * price known.
       */
      num: number
      /** In per cent: mean of price of record / closing price − 1, both decimal. */
      average: string
      /** Tips whose price of record is above the closing price. */
      beaten: number
    }
  }
}

export interface Comment {
  id: number
  type: string
  betId: number
  status: string
  createdDateTimeZoned: Date
  text: string
  isFeatured: boolean
  isFlagged?: boolean
  isLiked?: boolean
  event: {
    id: number
    sportId: number
    name: string
    market: {
      id: number
      name: string
      outcome: {
        id: number
        linkedId?: number
        name: string
        status: string
        numLikes: number
        displayStatus: string
        startingPrice?: boolean
        livePrice?: {
          priceNum?: number
          priceDen?: number
          priceFrac?: string
          priceDec?: string
          priceUS?: number
        }
      }
    }
  }
  /** Who wrote it. Only with details=Y. */
  profile?: {
    id: number
    name: string
    picture: string
  }
  /**
   * The price of record, as in getRecordTips: fixed when the tip was created; absent if the tip does not count.
   * Only with details=Y.
   */
  tipPrice?: {
    /** Y: at starting price; the other fields are present once it is known. */
    startingPrice?: boolean
    priceNum?: number
    priceDen?: number
    priceFrac?: string
    priceDec?: string
    priceUS?: number
  }
  /**
   * As reported: win, lose, void, push, half-win, half-lose or place; absent while there is none. Only with
   * details=Y.
   */
  result?: string
  /** Of an each-way tip: the fraction of the odds for a place. Only with details=Y. */
  eachWay?: string
  /**
   * What the tip won or lost, as in getRecordTips; absent without a result, and if the tip does not count. Only
   * with details=Y.
   */
  settlement?: {
    /** W: profit above 0; L: not; V: void or push. */
    status: string
    /** Points staked: 0 if void, 2 each way, otherwise 1. */
    staked: string
    /** Points won or lost. */
    profit: string
    /** The part of the win stake that stands after a dead heat. */
    deadHeat?: string
    /** The part of the place stake that stands after a dead heat. */
    placeDeadHeat?: string
    /** The deduction from the winnings, as a fraction of 1; none at starting price. */
    rule4?: string
  }
}

export interface TopEvent {
  id: number
  sportId: number
  name: string
  market: {
    id: number
    name: string
    outcome: {
      id: number
      rank: number
      name: string
      status: string
      numLikes: number
      displayStatus: string
      startingPrice: boolean
      comments: {
        type: string
        numLive: number
      }
      livePrice?: {
        priceNum?: number
        priceDen?: number
        priceFrac?: string
        priceDec?: string
        priceUS?: number
      }
    }
  }
}

export interface ListedOutcome {
  id: number
  name: string
  /** A active or S suspended. */
  status: string
  /** A: tips can be made. I: event, market or outcome is suspended, or it is settled. */
  displayStatus: string
  /** Y: the starting price may be taken. */
  startingPrice: boolean
  livePrice?: {
    priceNum?: number
    priceDen?: number
    priceFrac?: string
    priceDec?: string
    priceUS?: number
  }
  /** As reported: win, lose, void, push, half-win, half-lose or place; absent while there is none. */
  result?: string
  /** The part of the win stake that stands after a dead heat. */
  deadHeat?: string
  /** The part of the place stake that stands after a dead heat. */
  placeDeadHeat?: string
  /** The deduction from the winnings, as a fraction of 1. */
  rule4?: string
  /** The starting price, once it is reported. */
  reportedPrice?: string
  /** When it got its first result. */
  settledDateTimeZoned?: Date
}

export interface ListedMarket {
  id: number
  name: string
  /** A active or S suspended. */
  status: string
  outcome: ListedOutcome[]
}

export interface ListedEvent {
  id: number
  sportId: number
  name: string
  sportName: string
  startDateTimeZoned: Date
  /**
   * upcoming before the start, live after it, settled when all markets have results, unsettled without them a day
   * after the start.
   */
  status: string
  /** Y: no tips can be made on it for now. */
  isSuspended: boolean
  /** As the sportsbook has reported it. */
  score?: string
  /** As the sportsbook has reported it. */
  clock?: string
  /** When the last of its markets was settled. */
  settledDateTimeZoned?: Date
  /** The one with the lowest id. */
  market?: ListedMarket
}

export interface PricePoint {
  /** The minute in which the price changed, to the last price of this minute. */
  dateTimeZoned: Date
  /** Absent: the price was withdrawn. */
  priceFrac?: string
  priceDec?: string
}

export interface EventOutcome {
  id: number
  name: string
  /** A active or S suspended. */
  status: string
  /** A: tips can be made. I: event, market or outcome is suspended, or it is settled. */
  displayStatus: string
  /** Y: the starting price may be taken. */
  startingPrice: boolean
  livePrice?: {
    priceNum?: number
    priceDen?: number
    priceFrac?: string
    priceDec?: string
    priceUS?: number
  }
  /** As reported: win, lose, void, push, half-win, half-lose or place; absent while there is none. */
  result?: string
  /** The part of the win stake that stands after a dead heat. */
  deadHeat?: string
  /** The part of the place stake that stands after a dead heat. */
  placeDeadHeat?: string
  /** The deduction from the winnings, as a fraction of 1. */
  rule4?: string
  /** The starting price, once it is reported. */
  reportedPrice?: string
  /** When it got its first result. */
  settledDateTimeZoned?: Date
  /**
   * Its price over time, oldest first, of the last 90 days: up to 100 points, at equal distances among those
   * stored.
   */
  pricePoint: PricePoint[]
}

export interface EventMarket {
  id: number
  name: string
  /** A active or S suspended. */
  status: string
  outcome: EventOutcome[]
}

export interface SportsEvent {
  id: number
  sportId: number
  name: string
  sportName: string
  startDateTimeZoned: Date
  /**
   * upcoming before the start, live after it, settled when all markets have results, unsettled without them a day
   * after the start.
   */
  status: string
  /** Y: no tips can be made on it for now. */
  isSuspended: boolean
  /** As the sportsbook has reported it. */
  score?: string
  /** As the sportsbook has reported it. */
  clock?: string
  /** When the last of its markets was settled. */
  settledDateTimeZoned?: Date
  /** In the order of their ids; up to 1000 outcomes. */
  market: EventMarket[]
}

export interface Appeal {
  id: number
  text: string
  /** open; upheld: the decision stays; overturned: it does not; withdrawn: the appeal ended without an answer */
  state: string
  createdDateTimeZoned: Date
  /** The moderators’ answer. */
  reply?: string
  decidedDateTimeZoned?: Date
}

export interface Decision {
  id: number
  /** author: it is about the caller’s own content; reporter: about what the caller flagged */
  party: string
  /** comment or profile */
  type: string
  /** The id of the comment or profile. */
  subjectId: number
  createdDateTimeZoned: Date
  isAutomated: boolean
  /** What was decided; for the author only. */
  action?: string
  /** terms or law: why the content was restricted; for the author only. */
  ground?: string
  /** The key of the rule; for the author only. */
  clause?: string
  /** The reasons, for the author only. */
  statement?: string
  /**
   * The text of the comment, or the name or biography that was reset (while an appeal can bring it back); for the
   * author only.
   */
  text?: string
  /** Whether the moderators agreed with the flag; for a reporter only. */
  isUpheld?: boolean
  /** Whether a later decision has overturned it. */
  isOverturned: boolean
  /** Whether the caller may appeal now. */
  isAppealable: boolean
  /** Until when, if the caller may. */
  appealUntilDateTimeZoned?: Date
  /** The caller’s appeal. */
  appeal?: Appeal
}

export interface Checkpoint {
  origin: string
  size: number
  root: string
  time: string
  keyId: string
  signature: string
}

export interface ProvenEntry {
  index: number
  leaf: string
  path: string
  salt?: string
}

export interface TipProofs {
  checkpoint: Checkpoint
  entry: ProvenEntry[]
}

export interface ConsistencyProof {
  first: number
  second: number
  path: string
}

export interface LogEntry {
  index: number
  leaf: string
  status?: string
  state?: string
  grade?: string
  staked?: string
  profit?: string
  inPlay?: boolean
}

export interface LogKey {
  id: string
  algorithm: string
  publicKey: string
  created: string
  retired?: string
}

export interface Payment {
  paymentId: string
  paymentDateTime: Date
}

export interface PaymentMethod {
  id: number
  type: string
  limits: {
    minDeposit: string
    maxDeposit: string
  }
  card: {
    number: string
    issueDate?: string
    expiryDate: string
    country: string
    scheme: string
  }
}

export interface Deposit {
  paymentId: string
  paymentDateTime: Date
  /** authorised, challenge, refused or void */
  status: string
  /** only with the status challenge: where the customer’s browser goes */
  action?: {
    type: string
    url: string
    method: string
    data: {
      name: string
      value: string
    }[]
  }
  /** only with the status challenge: it is void if the customer has not confirmed it by then */
  challengeUntilDateTimeZoned?: Date
}

export interface ListedDeposit {
  paymentId: string
  amount: string
  currency: string
  /** id of the payment method */
  methodId: number
  /** authorised: in the caller’s account; challenge; processing: the gateway has not answered; refused; void */
  status: string
  /** whether somebody looks up the result at the gateway */
  isInReview: boolean
  createdDateTimeZoned: Date
  /** only with the status challenge: it is void if the customer has not confirmed it by then */
  challengeUntilDateTimeZoned?: Date
  /** the code of the fault for which it was refused or voided, such as 24007 */
  reason?: string
  /** with 24008: the period of the caller’s own limit */
  limitPeriod?: string
}

export interface FinishChallengeAnswer {
  paymentId: string
  paymentDateTime: Date
  /** authorised */
  status: string
}

export interface Balance {
  /** what the caller can stake */
  balance: string
  currency: string
  /** what the caller owes; it is paid by the next credits */
  debt: string
  /** withdrawals on their way */
  pending: string
}

export interface StatementLine {
  dateTimeZoned: Date
  /** deposit, stake, winnings, void, adjustment, refund, chargeback, withdrawal, debt-payment … */
  type: string
  /** with a minus sign: taken from the account */
  amount: string
  /** after the line */
  balance: string
  /** of the deposit that the line belongs to */
  paymentId?: string
  /** of the sportsbook, for a line of a bet; of a withdrawal, its id */
  reference?: string
  /** of a line of a bet: its selection and event; of several, the first one and how many more */
  about?: string
  /** the payment method of a deposit, a refund or a withdrawal */
  methodId?: number
}

export interface Statement {
  /** first UTC day */
  from: Date
  /** last UTC day */
  to: Date
  /** balance before the first line of these days */
  opening: string
  /** balance after the last line of these days */
  closing: string
  /** deposits less what went back, since the account was opened */
  netDeposits: string
  /** how many lines these days have */
  numLines: number
  /** in the order that was requested */
  line: StatementLine[]
}

export interface KeptBack {
  amount: string
  reason: string
}

export interface WithdrawalOption {
  /** id of the payment method */
  id: number
  /** of the card, masked */
  number: string
  /** the most that may go there now */
  max: string
  /** of it: what this card paid in */
  returns: string
  /** of it: what other cards paid in and cannot take */
  freed: string
  /** of it: winnings */
  winnings: string
  /** why it is not more, or that it is checked */
  reason?: string
}

export interface WithdrawalOptions {
  /** what may go out in all */
  available: string
  /** why no card can take any of it */
  reason?: string
  /** of the balance, with the reason */
  keptBack: KeptBack[]
  options: WithdrawalOption[]
}

export interface WithdrawalPart {
  amount: string
  /** return: of a deposit with this card; payout: by a transfer; outside: by the operator */
  kind: string
  /** waiting, sending, paid, returned (credited again) or review */
  status: string
  /** the deposit that it pays back; absent: winnings */
  paymentId?: string
}

export interface Withdrawal {
  id: number
  amount: string
  /** id of the payment method; absent: paid outside */
  methodId?: number
  /**
   * requested, approved, sending, paid, returned (credited again), refused (credited again) or review (somebody
   * looks up the result)
   */
  status: string
  /** what has arrived */
  paid: string
  /** what was credited again */
  returned: string
  /** why it is not sent yet, or was refused */
  holdReason?: string
  createdDateTimeZoned: Date
  /** what it is made of */
  part: WithdrawalPart[]
}

export interface Limit {
  /** day, week or month */
  period: string
  amount: string
  /** deposits of the period, those in flight too */
  used: string
  left: string
  /** when the next period begins: 00:00 UTC, on Monday, on the 1st */
  resets: Date
  /** a higher limit, or none, that waits for its confirmation */
  pending?: {
    /** the higher limit; absent: no limit was requested */
    amount?: string
    /** it can be confirmed from then on */
    notBefore: Date
    /** and until then */
    lapses: Date
  }
}

export interface Limits {
  /** whether the customer was prompted for limits, or has set one */
  prompted: boolean
  limits: Limit[]
}

export interface Exclusion {
  /** nothing ends it before */
  excludedUntil: Date
}
