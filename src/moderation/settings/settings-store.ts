import { type NoParameters, reading, writing } from '../../platform/database/database.ts'

type StoredSettings = { version: number; labels: string; groups: string; rules: string }

/** `labels`, `groups` and `rules` are JSON. */
export const readModerationSettings = reading<NoParameters, StoredSettings>('readModerationSettings')`
  select version, labels, "groups", rules from moderation_settings where id = 1`

export const moderationSettingsVersion = reading<NoParameters, { version: number }>('moderationSettingsVersion')`
  select version from moderation_settings where id = 1`

type NewSettings = { labels: string; groups: string; rules: string | null; seen: number | null }

/** `rules` null: they stay. `seen`: replace only this version; null: whichever it is. */
export const replaceModerationSettings = writing<NewSettings>('replaceModerationSettings')`
  update moderation_settings set version = version + 1, labels = :labels, "groups" = :groups,
    rules = coalesce(cast(:rules as text), rules)
  where id = 1 and version = coalesce(cast(:seen as bigint), version)`

/** Tokens and signed-in people that may decide. Bounded: operators are few. */
export const moderatorNames = reading<{ now: number }, { name: string }>('moderatorNames')`
  select name from operator_token where role in ('admin', 'moderator')
    and revoked_at is null and (expires_at is null or expires_at > :now)
  union
  select name from (select name, role from console_session where expires_at > :now order by expires_at desc limit 1000) signed_in
    where role in ('admin', 'moderator')
  order by name`
