import { expect, vi } from 'vitest'
import { type Database, type NoParameters, reading } from '../../src/database/database.ts'
import type { Json, Reply, TestService } from './service.ts'

const lag = {
  sqlite: reading<NoParameters, { behind: number }>(
    'projectorLag',
    `select (select coalesce(max(position), 0) from event_log) - position as behind from notification_cursor`,
  ),
  // Events without a position, too.
  postgres: reading<NoParameters, { behind: number }>(
    'projectorLag',
    `select (select count(*) from new_event) + (select coalesce(max(position), 0) from event_log) - position as behind
     from notification_cursor`,
  ),
}

/** Notifications of all that happened so far are written. */
export async function caughtUp(database: Database): Promise<void> {
  const upToDate = async () => expect(await database.one(lag[database.engine], {})).toEqual({ behind: 0 })
  await vi.waitFor(upToDate, { timeout: 60_000, interval: 20 })
}

export type Shown = { numUnread: number; notification: Json[] }

export const NONE: Shown = { numUnread: 0, notification: [] }

export function getNotifications(service: TestService, ticket: string, query = '', accept = 'application/json') {
  return service.call('GET', `/v1/profiles/me/notifications${query}`, { ticket, accept })
}

export function shownIn(reply: Reply): Shown {
  if (reply.status === 204) return NONE
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  const { numUnread, notification } = reply.json().whoNotifications
  return { numUnread: Number(numUnread), notification: [notification].flat() }
}

/** The first block, after everything so far was noted. */
export async function notificationsOf(service: TestService, ticket: string, query = ''): Promise<Shown> {
  await caughtUp(service.context.database)
  return shownIn(await getNotifications(service, ticket, query))
}

/** Each as type, tip (or none), number of actors, latest actor, and whether it was read. */
export function summary({ notification }: Shown): string[] {
  return notification.map((one) => {
    const what = [one.type, ...(one.action ? [one.action] : []), ...(one.comment ? [`tip ${one.comment.id}`] : [])]
    const who = one.profile === undefined ? [] : [`${one.numActors}`, `by ${one.profile.id}`]
    return [...what, ...who, ...(one.isRead === 'Y' ? ['read'] : [])].join(' ')
  })
}

export async function markRead(service: TestService, ticket: string, upTo: number | string): Promise<void> {
  const reply = await service.call('PUT', `/v1/profiles/me/notifications/read?upTo=${upTo}`, { ticket })
  expect([reply.status, reply.text]).toEqual([204, ''])
}
