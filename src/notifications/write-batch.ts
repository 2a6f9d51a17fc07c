// Writes a folded batch, with a number of statements that does not depend on its length.

import type { Database } from '../platform/database/database.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { type Batch, type GroupUpdate, groupKey } from './fold.ts'
import * as sql from './projection-store.ts'

/** What changes in groups, by their keys. */
type Changes = {
  /** How many more actors are shown. */
  readonly added: Map<number, number>
  /** Groups that have lost actors, perhaps the last one. */
  readonly lost: Set<number>
  readonly updates: Map<number, GroupUpdate>
}

function noChanges(): Changes {
  return { added: new Map(), lost: new Set(), updates: new Map() }
}

function add({ added }: Changes, key: number, number: number): void {
  added.set(key, (added.get(key) ?? 0) + number)
}

/**
 * 1. Deletes what erased customers had. 2. Hides or shows the actors whose profiles changed. 3. Deletes the follows and
 * likes that have ended, and those that begin again. 4. Finds the unread groups for the new ones, and inserts what is
 * missing, with results and decisions, also for the reporters. 5. Inserts the new actors. 6. Updates the groups.
 */
export async function writeBatch(transaction: Database, batch: Batch): Promise<void> {
  const changes = noChanges()
  if (batch.erased.size > 0) await deleteErased(transaction, batch.erased, changes)
  const profiles = await readProfiles(transaction, batch)
  await changeVisibility(transaction, batch.statusChanged, profiles, changes)
  const links = [...batch.links.values()]
  if (links.length > 0) {
    noteRemoved(await transaction.query(sql.deleteActors, { rows: sql.actorKeyList.of(links) }), changes)
  }
  const isErased = (id: number) => profiles.get(id)?.is_erased !== 0
  // An excluded owner is left in peace, except for decisions of moderators, which they may appeal.
  const isNotified = ({ profile_id, at }: { profile_id: number; at: number }) =>
    !isErased(profile_id) && (profiles.get(profile_id)?.play_from ?? 0) <= at
  const begun = links
    .filter((link) => link.position !== null && !isErased(link.profile_id))
    .map((link) => ({
      ...link,
      position: link.position as number,
      shown: profiles.get(link.profile_id)?.is_active ?? 0,
      group: groupKey(link.recipient_id, link.comment_id),
    }))
  const shown = new Map<string, number>()
  for (const one of begun) shown.set(one.group, (shown.get(one.group) ?? 0) + one.shown)
  const updates = [...batch.groups.values()].filter(isNotified)
  const keys = await changedGroups(transaction, updates, shown, changes)
  const decisions = batch.decisions.filter(({ profile_id }) => !isErased(profile_id))
  const rows = [...[...batch.settled.values()].filter(isNotified), ...decisions]
  await insert(transaction, [...rows, ...missingGroups(updates, shown, keys)], keys)
  if (batch.reported.length > 0) {
    await transaction.run(sql.notifyReporters, { rows: sql.reportedDecisionList.of(batch.reported) })
  }
  const actors = begun.flatMap((one): sql.ActorRow[] => {
    const notification_key = keys.get(one.group)
    return notification_key === undefined ? [] : [{ ...one, notification_key }]
  })
  if (actors.length > 0) await transaction.run(sql.insertActors, { rows: sql.actorList.of(actors) })
  await writeChanges(transaction, changes)
}

/** For the transaction that erases a customer. What the log still holds of them is deleted when it is read. */
export async function eraseNotifications(transaction: Database, profileId: number): Promise<void> {
  await transaction.one(sql.awaitNotificationCursor, {})
  const changes = noChanges()
  await deleteErased(transaction, new Set([profileId]), changes)
  await writeChanges(transaction, changes)
}

/** For the transaction that blocks: neither is shown what the other did. Waits for the batch in progress. */
export async function forgetActorsBetween(transaction: Database, one: number, other: number): Promise<void> {
  await transaction.one(sql.awaitNotificationCursor, {})
  const changes = noChanges()
  for (const [profileId, recipientId] of [
    [one, other],
    [other, one],
  ] as const) {
    noteRemoved(await transaction.query(sql.deleteActorsBetween, { profileId, recipientId }), changes)
  }
  await writeChanges(transaction, changes)
}

async function deleteErased(transaction: Database, erased: ReadonlySet<number>, changes: Changes): Promise<void> {
  const profileIds = idListOf(erased)
  await transaction.run(sql.deleteNotificationsOf, { profileIds })
  noteRemoved(await transaction.query(sql.deleteActorsOf, { profileIds }), changes)
}

function noteRemoved(removed: readonly sql.RemovedActor[], changes: Changes): void {
  for (const { notification_key, shown } of removed) {
    add(changes, notification_key, -shown)
    changes.lost.add(notification_key)
  }
}

/** Reads the profiles as they are now. A later change has a later event. */
async function readProfiles(transaction: Database, batch: Batch): Promise<Map<number, sql.ProfileState>> {
  const ids = new Set(batch.statusChanged)
  for (const { profile_id, recipient_id, position } of batch.links.values()) {
    if (position !== null) ids.add(profile_id).add(recipient_id)
  }
  for (const { profile_id } of batch.groups.values()) ids.add(profile_id)
  for (const { profile_id } of batch.settled.values()) ids.add(profile_id)
  for (const { profile_id } of batch.decisions) ids.add(profile_id)
  if (ids.size === 0) return new Map()
  const states = await transaction.query(sql.profileStates, { ids: idListOf(ids) })
  return new Map(states.map((state) => [state.id, state]))
}

async function changeVisibility(
  transaction: Database,
  ids: ReadonlySet<number>,
  profiles: ReadonlyMap<number, sql.ProfileState>,
  changes: Changes,
): Promise<void> {
  for (const shown of [0, 1]) {
    const changed = [...ids].filter((id) => profiles.get(id)?.is_active === shown)
    if (changed.length === 0) continue
    const rows = await transaction.query(sql.setActorsShown, { profileIds: idListOf(changed), shown })
    for (const { notification_key } of rows) add(changes, notification_key, shown === 1 ? 1 : -1)
  }
}

/** Returns the keys of the unread groups that there are, and notes what changes in them. */
async function changedGroups(
  transaction: Database,
  updates: readonly GroupUpdate[],
  shown: ReadonlyMap<string, number>,
  changes: Changes,
): Promise<Map<string, number>> {
  const keys = await unreadGroups(transaction, updates)
  for (const update of updates) {
    const group = groupKey(update.profile_id, update.comment_id)
    const key = keys.get(group)
    if (key === undefined) continue
    changes.updates.set(key, update)
    add(changes, key, shown.get(group) ?? 0)
  }
  return keys
}

/** A group whose actors have all left again is not needed. */
function missingGroups(
  updates: readonly GroupUpdate[],
  shown: ReadonlyMap<string, number>,
  keys: ReadonlyMap<string, number>,
): sql.NewNotification[] {
  return updates.flatMap(({ profile_id, comment_id, position, at }) => {
    const group = groupKey(profile_id, comment_id)
    const num_actors = shown.get(group)
    if (num_actors === undefined || keys.has(group)) return []
    const subject =
      comment_id === 0 ? ({ type: 'followed', comment_id: null } as const) : ({ type: 'liked', comment_id } as const)
    return [{ ...subject, profile_id, position, at, ...sql.NO_DECISION, num_actors }]
  })
}

/** Adds the keys of new groups to `keys`. */
async function insert(
  transaction: Database,
  rows: readonly sql.NewNotification[],
  keys: Map<string, number>,
): Promise<void> {
  if (rows.length === 0) return
  const inserted = await transaction.query(sql.insertNotifications, { rows: sql.notificationRows.of(rows) })
  for (const { key, profile_id, type, comment_id } of inserted) {
    if (type === 'followed' || type === 'liked') keys.set(groupKey(profile_id, comment_id ?? 0), key)
  }
}

async function unreadGroups(transaction: Database, groups: readonly GroupUpdate[]): Promise<Map<string, number>> {
  const keys = new Map<string, number>()
  const followed = groups.filter(({ comment_id }) => comment_id === 0).map(({ profile_id }) => profile_id)
  const liked = new Map(
    groups.flatMap((group) => (group.comment_id === 0 ? [] : [[group.comment_id, group.profile_id]])),
  )
  if (followed.length > 0) {
    const found = await transaction.query(sql.unreadFollowed, { profileIds: idListOf(followed) })
    for (const { key, subject_id } of found) keys.set(groupKey(subject_id, 0), key)
  }
  if (liked.size > 0) {
    const found = await transaction.query(sql.unreadLiked, { commentIds: idListOf(liked.keys()) })
    for (const { key, subject_id } of found) keys.set(groupKey(liked.get(subject_id) as number, subject_id), key)
  }
  return keys
}

async function writeChanges(transaction: Database, { added, lost, updates }: Changes): Promise<void> {
  const keys = new Set([...added.keys(), ...updates.keys()])
  if (keys.size > 0) {
    const rows = [...keys].map((key) => {
      const { position, at } = updates.get(key) ?? { position: 0, at: 0 }
      return { key, added: added.get(key) ?? 0, position, at }
    })
    await transaction.run(sql.changeGroups, { rows: sql.groupChangeList.of(rows) })
  }
  if (lost.size > 0) await transaction.run(sql.deleteEmptyGroups, { keys: idListOf(lost) })
}
