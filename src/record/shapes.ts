// Every figure has its formula here: it is shown in OpenAPI, in the XSD and in the reference.

import {
  attribute,
  child,
  children,
  described,
  element,
  optional,
  record,
  type Value,
} from '../http/representation/shape.ts'
import { base, profilesDocument, requester } from '../profiles/shapes.ts'

const settled = {
  from: described(optional(element('date')), 'UTC day of the first settlement in the selection.'),
  to: described(optional(element('date')), 'UTC day of the last settlement in the selection.'),
  numSettled: described(element('integer'), 'Settled tips: numWon + numLost + numVoid.'),
  numWon: described(element('integer'), 'Settled tips with a profit above 0.'),
  numLost: described(element('integer'), 'Settled tips with a profit of 0 or below.'),
  numVoid: described(element('integer'), 'Void and push tips: no stake, in no rate, in no streak.'),
} as const

const open = {
  numOpen: described(
    element('integer'),
    'Live tips of the profile without a result, whatever is selected: numLive of the profile.',
  ),
} as const

const figures = {
  numWithdrawn: described(
    element('integer'),
    'Settled tips that were deactivated or removed afterwards or before; they stay in all figures.',
  ),
  strikeRate: described(optional(element('decimal')), 'In per cent: numWon / (numWon + numLost).'),
  staked: described(element('decimal'), 'Points staked: 1 on each tip that is not void, 2 on each way.'),
  profit: described(
    element('signedDecimal'),
    'Points won or lost: the sum over tips of return minus stake, at the price of record (the lower of the bet’s price and the catalogue’s price when the tip was created), after dead heats and Rule 4.',
  ),
  yield: described(optional(element('signedDecimal')), 'In per cent: profit / staked.'),
  yieldLow: described(
    optional(element('signedDecimal')),
    'In per cent: yield − 1.645 · s / √n, where n = numWon + numLost and s is the larger of the spread of profit / stake seen and averageOdds · √(p · (1 − p)) with p = (numWon + 1) / (n + 2). Rankings are in its order.',
  ),
  yieldHigh: described(
    optional(element('signedDecimal')),
    'In per cent: yield + 1.645 · s / √n; the yield lies between yieldLow and yieldHigh with a probability of 90 %.',
  ),
  averageOdds: described(
    optional(element('decimal')),
    'Mean of the decimal prices of record of the tips that won or lost.',
  ),
  closing: described(
    optional(
      child(
        record({
          num: described(
            element('integer'),
            'Tips that are compared with the closing price: not void, at a fixed price before the start, and with a closing price known.',
          ),
          average: described(
            element('signedDecimal'),
            'In per cent: mean of price of record / closing price − 1, both decimal.',
          ),
          beaten: described(element('integer'), 'Tips whose price of record is above the closing price.'),
        }),
      ),
    ),
    'The prices of record against the closing prices (the last ones before the start). Shown, never ranked by.',
  ),
} as const

const streaks = {
  streak: described(
    optional(
      child(
        record({
          type: described(element('status'), 'W or L.'),
          length: described(element('integer'), 'How many tips in succession.'),
        }),
      ),
    ),
    'The latest tips with the same result, in the order of settlement day and tip; void ones break no streak.',
  ),
  longestLosing: described(optional(element('integer')), 'The longest run of losing tips in the selection.'),
  isRanked: described(
    element('yesNo'),
    'Y if the sample is large enough for the ranking: tips that won or lost on at least 5 days, at least 20 (7 and 30 days), 50 (90 days) or 100 (more) of them; never in play.',
  ),
} as const

const recordFigures = record({ ...settled, ...open, ...figures, ...streaks })
const profileWithRecord = record({ id: attribute('integer'), record: child(recordFigures) })
export const profileRecords = profilesDocument('profile', profileWithRecord)

const rankedFigures = record({ ...settled, ...figures })
const rankedProfile = record({ rank: attribute('integer'), ...base, ...requester, record: child(rankedFigures) })
export const rankedRecords = profilesDocument('profile', rankedProfile)

const cashOut = record({
  dateTimeZoned: element('dateTime'),
  fraction: described(
    element('fraction'),
    'The part of the bet’s stake that was cashed out; it never changes figures.',
  ),
})

const tipEvent = record({
  id: attribute('integer'),
  sportId: attribute('integer'),
  name: element('text'),
  market: child(
    record({
      id: attribute('integer'),
      name: element('text'),
      outcome: child(record({ id: attribute('integer'), name: element('text') })),
    }),
  ),
})

/** What one settled tip won or lost, wherever it is shown. */
export const tipSettlement = {
  status: described(element('status'), 'W: profit above 0; L: not; V: void or push.'),
  staked: described(element('decimal'), 'Points staked: 0 if void, 2 each way, otherwise 1.'),
  profit: described(element('signedDecimal'), 'Points won or lost.'),
  deadHeat: described(optional(element('fraction')), 'The part of the win stake that stands after a dead heat.'),
  placeDeadHeat: described(optional(element('fraction')), 'The part of the place stake that stands after a dead heat.'),
  rule4: described(
    optional(element('decimal')),
    'The deduction from the winnings, as a fraction of 1; none at starting price.',
  ),
} as const

const recordTip = record({
  id: attribute('integer'),
  betId: attribute('integer'),
  status: tipSettlement.status,
  isWithdrawn: described(
    element('yesNo'),
    'Y: deactivated by its author or removed by a moderator; it counts all the same.',
  ),
  createdDateTimeZoned: element('dateTime'),
  settled: described(element('date'), 'UTC day of the first result.'),
  odds: described(optional(element('decimal')), 'The decimal price of record.'),
  price: described(optional(element('fraction')), 'The price of record: absent for a tip at starting price.'),
  startingPrice: described(optional(element('fraction')), 'The starting price, for a tip at starting price.'),
  eachWay: described(optional(element('fraction')), 'Of an each-way tip: the fraction of the odds for a place.'),
  staked: tipSettlement.staked,
  profit: tipSettlement.profit,
  closing: described(optional(element('signedDecimal')), 'In per cent: price of record / closing price − 1.'),
  result: described(element('text'), 'As reported: win, lose, void, push, half-win, half-lose or place.'),
  deadHeat: tipSettlement.deadHeat,
  placeDeadHeat: tipSettlement.placeDeadHeat,
  rule4: tipSettlement.rule4,
  text: described(optional(element('text')), 'Only while the tip is live.'),
  event: child(tipEvent),
  cashOut: optional(children(cashOut)),
})
export const recordTips = profilesDocument('tip', recordTip)

export type ProfileWithRecord = Value<typeof profileWithRecord>
export type RankedRecord = Value<typeof rankedProfile>
export type RecordTip = Value<typeof recordTip>
