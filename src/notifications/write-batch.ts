// Writes a folded batch, with a number of statements that does not depend on its length.

import type { Database } from '../database/database.ts'
import { idListOf } from '../database/row-list-store.ts'
import { type Batch, type GroupUpdate, groupKey } from './fold.ts'
import {
  type ActorRow,
  actorKeyList,
  actorList,
  awaitNotificationCursor,
  changeGroups,
  deleteActors,
  deleteActorsOf,
  deleteEmptyGroups,
  deleteNotificationsOf,
  groupChangeList,
  insertActors,
  insertNotifications,
  type NewNotification,
  notificationList,
  type ProfileState,
  profileStates,
  type RemovedActor,
  setActorsShown,
  unreadFollowed,
  unreadLiked,
} from './projector-store.ts'

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
 * missing, with results and decisions. 5. Inserts the new actors. 6. Updates the groups.
 */
export async function writeBatch(transaction: Database, batch: Batch): Promise<void> {
  const changes = noChanges()
  if (batch.erased.size > 0) await deleteErased(transaction, batch.erased, changes)
  const profiles = await readProfiles(transaction, batch)
  await changeVisibility(transaction, batch.statusChanged, profiles, changes)
  const links = [...batch.links.values()]
  if (links.length > 0) {
    noteRemoved(await transaction.query(deleteActors, { rows: actorKeyList.of(links) }), changes)
  }
  const isErased = (id: number) => profiles.get(id)?.is_erased !== 0
  const begun = links.filter((link) => link.position !== null && !isErased(link.profile_id))
  const keys = await writeNotifications(transaction, {
    updates: [...batch.groups.values()].filter(({ profile_id }) => !isErased(profile_id)),
    needed: new Set(begun.map(({ recipient_id, comment_id }) => groupKey(recipient_id, comment_id))),
    rows: [...batch.settled.values(), ...batch.decisions].filter(({ profile_id }) => !isErased(profile_id)),
  })
  const actors = begun.flatMap((link): ActorRow[] => {
    const notification_key = keys.get(groupKey(link.recipient_id, link.comment_id))
    if (notification_key === undefined) return []
    const shown = profiles.get(link.profile_id)?.is_active ?? 0
    add(changes, notification_key, shown)
    return [{ ...link, position: link.position as number, notification_key, shown }]
  })
  for (const [group, key] of keys) changes.updates.set(key, batch.groups.get(group) as GroupUpdate)
  if (actors.length > 0) await transaction.run(insertActors, { rows: actorList.of(actors) })
  await writeChanges(transaction, changes)
}

/** For the transaction that erases a customer. What the log still holds of them is deleted when it is read. */
export async function eraseNotifications(transaction: Database, profileId: number): Promise<void> {
  await transaction.one(awaitNotificationCursor, {})
  const changes = noChanges()
  await deleteErased(transaction, new Set([profileId]), changes)
  await writeChanges(transaction, changes)
}

async function deleteErased(transaction: Database, erased: ReadonlySet<number>, changes: Changes): Promise<void> {
  const profileIds = idListOf(erased)
  await transaction.run(deleteNotificationsOf, { profileIds })
  noteRemoved(await transaction.query(deleteActorsOf, { profileIds }), changes)
}

function noteRemoved(removed: readonly RemovedActor[], changes: Changes): void {
  for (const { notification_key, shown } of removed) {
    add(changes, notification_key, -shown)
    changes.lost.add(notification_key)
  }
}

/** As they are now. A change that comes later has an event that comes later. */
async function readProfiles(transaction: Database, batch: Batch): Promise<Map<number, ProfileState>> {
  const ids = new Set(batch.statusChanged)
  for (const { profile_id, recipient_id, position } of batch.links.values()) {
    if (position !== null) ids.add(profile_id).add(recipient_id)
  }
  for (const { profile_id } of batch.groups.values()) ids.add(profile_id)
  for (const { profile_id } of batch.settled.values()) ids.add(profile_id)
  for (const { profile_id } of batch.decisions) ids.add(profile_id)
  if (ids.size === 0) return new Map()
  const states = await transaction.query(profileStates, { ids: idListOf(ids) })
  return new Map(states.map((state) => [state.id, state]))
}

async function changeVisibility(
  transaction: Database,
  ids: ReadonlySet<number>,
  profiles: ReadonlyMap<number, ProfileState>,
  changes: Changes,
): Promise<void> {
  for (const shown of [0, 1]) {
    const changed = [...ids].filter((id) => profiles.get(id)?.is_active === shown)
    if (changed.length === 0) continue
    const rows = await transaction.query(setActorsShown, { profileIds: idListOf(changed), shown })
    for (const { notification_key } of rows) add(changes, notification_key, shown === 1 ? 1 : -1)
  }
}

type Written = {
  updates: readonly GroupUpdate[]
  /** Groups that a new actor needs. */
  needed: ReadonlySet<string>
  /** Results and decisions. */
  rows: readonly NewNotification[]
}

/** Returns the keys of the unread groups of the batch. */
async function writeNotifications(transaction: Database, written: Written): Promise<Map<string, number>> {
  const keys = await unreadGroups(transaction, written.updates)
  const missing = written.updates
    .filter(({ profile_id, comment_id }) => {
      const group = groupKey(profile_id, comment_id)
      return written.needed.has(group) && !keys.has(group)
    })
    .map((group): NewNotification => {
      const isFollow = group.comment_id === 0
      const comment_id = isFollow ? null : group.comment_id
      return { ...group, comment_id, type: isFollow ? 'followed' : 'liked', action: null }
    })
  const rows = [...missing, ...written.rows]
  if (rows.length === 0) return keys
  const inserted = await transaction.query(insertNotifications, { rows: notificationList.of(rows) })
  for (const { key, profile_id, type, comment_id } of inserted) {
    const group = groupKey(profile_id, comment_id ?? 0)
    if (type === 'followed' || type === 'liked') keys.set(group, key)
  }
  return keys
}

async function unreadGroups(transaction: Database, groups: readonly GroupUpdate[]): Promise<Map<string, number>> {
  const keys = new Map<string, number>()
  const followed = groups.filter(({ comment_id }) => comment_id === 0).map(({ profile_id }) => profile_id)
  const liked = new Map(
    groups.flatMap((group) => (group.comment_id === 0 ? [] : [[group.comment_id, group.profile_id]])),
  )
  if (followed.length > 0) {
    const found = await transaction.query(unreadFollowed, { profileIds: idListOf(followed) })
    for (const { key, subject_id } of found) keys.set(groupKey(subject_id, 0), key)
  }
  if (liked.size > 0) {
    const found = await transaction.query(unreadLiked, { commentIds: idListOf(liked.keys()) })
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
    await transaction.run(changeGroups, { rows: groupChangeList.of(rows) })
  }
  if (lost.size > 0) await transaction.run(deleteEmptyGroups, { keys: idListOf(lost) })
}
