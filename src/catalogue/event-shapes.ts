import {
  attribute,
  child,
  children,
  described,
  document,
  element,
  optional,
  record,
  type Value,
} from '../http/representation/shape.ts'

export const prices = {
  priceNum: optional(element('integer')),
  priceDen: optional(element('integer')),
  priceFrac: optional(element('fraction')),
  priceDec: optional(element('decimal')),
  priceUS: optional(element('signedInteger')),
} as const

export const livePrice = record(prices)

const pricePoint = record({
  dateTimeZoned: described(
    element('dateTime'),
    'The minute in which the price changed, to the last price of this minute.',
  ),
  priceFrac: described(optional(element('fraction')), 'Absent: the price was withdrawn.'),
  priceDec: optional(element('decimal')),
})

const outcome = {
  id: attribute('integer'),
  name: element('text'),
  status: described(element('status'), 'A active or S suspended.'),
  displayStatus: described(
    element('status'),
    'A: tips can be made. I: event, market or outcome is suspended, or it is settled.',
  ),
  startingPrice: described(element('yesNo'), 'Y: the starting price may be taken.'),
  livePrice: optional(child(livePrice)),
  result: described(
    optional(element('text')),
    'As reported: win, lose, void, push, half-win, half-lose or place; absent while there is none.',
  ),
  deadHeat: described(optional(element('fraction')), 'The part of the win stake that stands after a dead heat.'),
  placeDeadHeat: described(optional(element('fraction')), 'The part of the place stake that stands after a dead heat.'),
  rule4: described(optional(element('decimal')), 'The deduction from the winnings, as a fraction of 1.'),
  reportedPrice: described(optional(element('fraction')), 'The starting price, once it is reported.'),
  settledDateTimeZoned: described(optional(element('dateTime')), 'When it got its first result.'),
} as const

const outcomeWithHistory = record({
  ...outcome,
  pricePoint: described(
    optional(children(pricePoint)),
    'Its price over time, oldest first, of the last 90 days: up to 100 points, at equal distances among those stored.',
  ),
})

const market = {
  id: attribute('integer'),
  name: element('text'),
  status: described(element('status'), 'A active or S suspended.'),
} as const

const event = {
  id: attribute('integer'),
  sportId: attribute('integer'),
  name: element('text'),
  sportName: element('text'),
  startDateTimeZoned: element('dateTime'),
  status: described(
    element('text'),
    'upcoming before the start, live after it, settled when all markets have results, unsettled without them a day after the start.',
  ),
  isSuspended: described(element('yesNo'), 'Y: no tips can be made on it for now.'),
  score: described(optional(element('text')), 'As the sportsbook has reported it.'),
  clock: described(optional(element('text')), 'As the sportsbook has reported it.'),
  settledDateTimeZoned: described(optional(element('dateTime')), 'When the last of its markets was settled.'),
} as const

const listedMarket = record({ ...market, outcome: children(record(outcome)) })
const listedEvent = record({
  ...event,
  market: described(optional(child(listedMarket)), 'The one with the lowest id.'),
})

const marketWithHistory = record({ ...market, outcome: children(outcomeWithHistory) })
const eventWithHistory = record({
  ...event,
  market: described(optional(children(marketWithHistory)), 'In the order of their ids; up to 1000 outcomes.'),
})

export const oneEvent = document('whoCommunities', record({ event: child(eventWithHistory) }))
export const eventList = document('whoCommunities', record({ event: children(listedEvent) }))

export type ListedEvent = Value<typeof listedEvent>
export type EventView = Value<typeof eventWithHistory>
export type MarketView = Value<typeof marketWithHistory>
export type OutcomeView = Value<typeof outcomeWithHistory>
export type PricePoint = Value<typeof pricePoint>
export type LivePrice = Value<typeof livePrice>
