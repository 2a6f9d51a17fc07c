import { type NoParameters, reading, writing } from '../platform/database/database.ts'

/** `clauses` and `notes` are JSON. */
export const readModerationTexts = reading<NoParameters, { version: number; clauses: string; notes: string }>(
  'readModerationTexts',
)`
  select version, clauses, notes from moderation_texts where id = 1`

/** `seen`: replace only this version; null: whichever it is. */
export const replaceModerationTexts = writing<{ clauses: string; notes: string; seen: number | null }>(
  'replaceModerationTexts',
)`
  update moderation_texts set version = version + 1, clauses = :clauses, notes = :notes
  where id = 1 and version = coalesce(cast(:seen as bigint), version)`
