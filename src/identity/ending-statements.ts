// Which statements end what a caller is identified by, for reads while the primary is away (platform/database/replicas/recent-ends.ts).

import type { EndingStatements } from '../platform/database/replicas/recent-ends.ts'
import { replaceSecret, revokeApplication } from './applications/store.ts'
import { applicationKey, customerKey, secretKey, sessionKey } from './ended-keys.ts'
import { deleteSession, deleteSessionOf, deleteSessionsOf } from './sessions/store.ts'

/** Whoever suspends, excludes or erases a customer, or changes their password, ends all their sessions. */
export const ENDING_STATEMENTS: EndingStatements = {
  [deleteSession.name]: ({ ticketHash }) => sessionKey(`${ticketHash}`),
  [deleteSessionOf.name]: ({ id }) => sessionKey(`${id}`),
  [deleteSessionsOf.name]: ({ customerId }) => customerKey(Number(customerId)),
  [revokeApplication.name]: ({ apiKey }) => applicationKey(`${apiKey}`),
  [replaceSecret.name]: ({ apiKey }) => secretKey(`${apiKey}`),
}
