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
  // For decision: what was decided; for report: upheld or rejected; for appeal: upheld or overturned; for card: added, changed, closed,
  // blocked, reopened, removed or account-closed.
  action: optional(element('text')),
  // For decision, report and appeal: the id in getMyModeration.
  decisionId: optional(element('integer')),
  // For card: the one that was changed.
  card: optional(child(record({ id: attribute('integer'), lastFour: element('text') }))),
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
