import { profile } from '../profiles/shapes.ts'
import { attribute, child, children, document, element, optional, record, type Value } from '../representation/shape.ts'

const notification = record({
  id: attribute('integer'),
  type: attribute('text'),
  isRead: element('yesNo'),
  createdDateTimeZoned: element('dateTime'),
  // Of followed and liked: how many, and the latest of them.
  numActors: optional(element('integer')),
  profile: optional(child(profile)),
  // Of decision: what was decided.
  action: optional(element('text')),
  // The tip that was liked or settled, or that was decided on.
  comment: optional(child(record({ id: attribute('integer'), text: element('text'), status: element('status') }))),
})

const notifications = record({ numUnread: element('integer'), notification: children(notification) })

export const notificationList = document('whoNotifications', notifications)

export type Notification = Value<typeof notification>
export type Notifications = Value<typeof notifications>
