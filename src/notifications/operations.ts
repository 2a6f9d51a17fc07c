import { type Operation, operationWith } from '../http/operations/operation.ts'
import { blockParameters, type Parameter, parseDigits, UNKNOWN_ID } from '../http/requests/parameters.ts'
import type { ProfilesContext } from '../profiles/context.ts'
import { listNotifications, markNotificationsRead } from './notifications.ts'
import { notificationList } from './shapes.ts'

const upTo: Parameter<number> = {
  from: 'query',
  meaning: 'id of the newest notification that was seen',
  required: true,
  absent: 0,
  parse(raw) {
    const id = parseDigits(raw)
    return id === UNKNOWN_ID ? Number.MAX_SAFE_INTEGER : id
  },
  schema: { type: 'string', pattern: '^[0-9]+$' },
}

const operation = operationWith<ProfilesContext>()

export const notificationOperations: Operation<ProfilesContext>[] = [
  operation({
    name: 'getMyNotifications',
    summary:
      'What happened to the caller’s profile and tips, newest first, grouped; unread ones are counted up to 1000',
    route: 'GET /v1/profiles/me/notifications',
    mayBeStale: true,
    extension: true,
    ticket: 'required',
    parameters: blockParameters,
    answer: { status: 200, document: notificationList, mayBeEmpty: true },
    handle: (context, { caller, parameters }) => listNotifications(context, caller.customerId, parameters),
  }),
  operation({
    name: 'markMyNotificationsRead',
    summary: 'Mark the caller’s notifications as read, up to the newest one that was seen',
    route: 'PUT /v1/profiles/me/notifications/read',
    extension: true,
    ticket: 'required',
    parameters: { upTo },
    handle: (context, { caller, parameters }) => markNotificationsRead(context, caller.customerId, parameters.upTo),
  }),
]
