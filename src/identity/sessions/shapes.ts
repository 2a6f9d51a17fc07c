import { document, element, optional, record } from '../../http/representation/shape.ts'

export const openedSession = document(
  'whoSessions',
  record({
    ticket: element('text'),
    location: element('text'),
    expiryDateTimeZoned: optional(element('dateTime')),
    extended: optional(element('yesNo')),
  }),
)

export const endedSession = document('whoSessions', record({ ticket: element('text') }))
