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
import { profile } from '../profiles/shapes.ts'

const notification = record({
  id: attribute('integer'),
  type: attribute('text'),
  isRead: element('yesNo'),
  createdDateTimeZoned: element('dateTime'),
  // For followed and liked: how many, and the latest of them.
  numActors: optional(element('integer')),
  profile: optional(child(profile)),
  // For decision: what was decided; for report: upheld or rejected; for appeal: upheld or overturned.
  action: optional(element('text')),
  // For these three: the id in getMyModeration.
  decisionId: optional(element('integer')),
  // The tip that was liked or settled, or that was decided on.
  comment: optional(
    child(
      record({
        id: attribute('integer'),
        text: element('text'),
        status: element('status'),
        result: described(
          optional(element('text')),
          'As reported: win, lose, void, push, half-win, half-lose or place; absent while there is none.',
        ),
      }),
    ),
  ),
})

const notifications = record({ numUnread: element('integer'), notification: children(notification) })

export const notificationList = document('whoNotifications', notifications)

export type Notification = Value<typeof notification>
export type Notifications = Value<typeof notifications>
