import { livePrice, prices } from '../catalogue/event-shapes.ts'
import {
  attribute,
  child,
  children,
  described,
  document,
  element,
  extension,
  optional,
  record,
  type Value,
} from '../http/representation/shape.ts'
import { tipSettlement } from '../record/shapes.ts'

/** An event with one market and one outcome; comments and rankings show different fields of the outcome. */
function eventWith<O extends Parameters<typeof child>[0]>(outcome: O) {
  return record({
    id: attribute('integer'),
    sportId: attribute('integer'),
    name: element('text'),
    market: child(record({ id: attribute('integer'), name: element('text'), outcome: child(outcome) })),
  })
}

const commentOutcome = record({
  id: attribute('integer'),
  linkedId: optional(attribute('integer')),
  name: element('text'),
  status: element('status'),
  numLikes: element('integer'),
  displayStatus: element('status'),
  startingPrice: optional(element('yesNo')),
  livePrice: optional(child(livePrice)),
})

const details = {
  profile: described(
    extension(child(record({ id: attribute('integer'), name: element('text'), picture: element('text') }))),
    'Who wrote it. Only with details=Y.',
  ),
  tipPrice: described(
    extension(
      child(
        record({
          startingPrice: described(
            optional(element('yesNo')),
            'Y: at starting price; the other fields are present once it is known.',
          ),
          ...prices,
        }),
      ),
    ),
    'The price of record, as in getRecordTips: fixed when the tip was created; absent if the tip does not count. Only with details=Y.',
  ),
  result: described(
    extension(element('text')),
    'As reported: win, lose, void, push, half-win, half-lose or place; absent while there is none. Only with details=Y.',
  ),
  eachWay: described(
    extension(element('fraction')),
    'Of an each-way tip: the fraction of the odds for a place. Only with details=Y.',
  ),
  settlement: described(
    extension(child(record(tipSettlement))),
    'What the tip won or lost, as in getRecordTips; absent without a result, and if the tip does not count. Only with details=Y.',
  ),
} as const

const comment = record({
  id: attribute('integer'),
  type: attribute('text'),
  betId: element('integer'),
  status: element('status'),
  createdDateTimeZoned: element('dateTime'),
  text: element('text'),
  isFeatured: element('yesNo'),
  // What the requester did; present when a ticket was sent.
  isFlagged: optional(element('yesNo')),
  isLiked: optional(element('yesNo')),
  event: child(eventWith(commentOutcome)),
  ...details,
})

const topOutcome = record({
  id: attribute('integer'),
  rank: attribute('integer'),
  name: element('text'),
  status: element('status'),
  numLikes: element('integer'),
  displayStatus: element('status'),
  startingPrice: element('yesNo'),
  comments: child(record({ type: attribute('text'), numLive: element('integer') })),
  livePrice: optional(child(livePrice)),
})

export const oneComment = document('whoCommunities', record({ comment: child(comment) }))
export const commentList = document('whoCommunities', record({ comment: children(comment) }))
export const topOutcomeList = document('whoCommunities', record({ event: children(eventWith(topOutcome)) }))

export type Comment = Value<typeof comment>
export type CommentDetails = Pick<Comment, keyof typeof details>
export type TopEvent = Value<ReturnType<typeof eventWith<typeof topOutcome>>>
