import { expect, vi } from 'vitest'
import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'
import type { Json, Reply, TestService } from './service.ts'

const lag = {
  sqlite: reading<NoParameters, { behind: number }>(
    'projectorLagOnSqlite',
    `select (select coalesce(max(position), 0) from event_log) - position as behind from notification_cursor`,
  ),
  // Events without a position, too.
  postgres: reading<NoParameters, { behind: number }>(
    'projectorLagOnPostgres',
    `select (select count(*) from new_event) + (select coalesce(max(position), 0) from event_log) - position as behind
     from notification_cursor`,
  ),
}

const anyWaits = reading<NoParameters, { id: number }>('anyEventWaits', 'select id from new_event limit 1')

/** All events so far have positions. */
export async function positioned(database: Database): Promise<void> {
  if (database.engine === 'sqlite') return
  const noneWaits = async () => expect(await database.one(anyWaits, {})).toBeUndefined()
  await vi.waitFor(noneWaits, { timeout: 60_000, interval: 20 })
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

/** What must hold when the projection has caught up and nobody was erased. */
const VIOLATIONS: Record<string, string> = {
  'a group counts its shown actors': `
    select n.key as id from notification n where n.num_actors <> (
      select count(*) from notification_actor a where a.notification_key = n.key and a.shown = 1)`,
  'a group has an actor': `
    select n.key as id from notification n where n.type in ('followed', 'liked')
      and not exists (select 1 from notification_actor a where a.notification_key = n.key)`,
  'an actor is shown while the profile is active': `
    select a.profile_id as id from notification_actor a join profile p on p.id = a.profile_id
    where a.shown <> case when p.status = 'A' then 1 else 0 end`,
  'an actor likes or follows': `
    select a.profile_id as id from notification_actor a
    where not exists (select 1 from comment_like l where l.comment_id = a.comment_id and l.profile_id = a.profile_id)
      and not exists (select 1 from follow f
        where a.comment_id = 0 and f.follower_id = a.profile_id and f.followee_id = a.recipient_id)`,
  'a like has an actor': `
    select l.comment_id as id from comment_like l where not exists (
      select 1 from notification_actor a where a.comment_id = l.comment_id and a.profile_id = l.profile_id)`,
  'a follow has an actor': `
    select f.id from follow f where not exists (
      select 1 from notification_actor a
      where a.comment_id = 0 and a.profile_id = f.follower_id and a.recipient_id = f.followee_id)`,
}

/** The ids that violate each invariant; empty when all hold. */
export async function notificationProblems(database: Database): Promise<Record<string, number[]>> {
  const broken: Record<string, number[]> = {}
  for (const [index, [name, sql]] of Object.entries(VIOLATIONS).entries()) {
    const rows = await database.query(reading<NoParameters, { id: number }>(`notificationProblem${index}`, sql), {})
    if (rows.length > 0) broken[name] = rows.map(({ id }) => id)
  }
  return broken
}
