// The words that the operator has added to the lists.

import { type NoParameters, reading, writing } from '../platform/database/database.ts'

export const wordListsVersion = reading<NoParameters, { version: number }>('wordListsVersion')`
  select version from word_lists where id = 1`

export const readWordLists = reading<NoParameters, { version: number; blocked: string; allowed: string }>(
  'readWordLists',
)`
  select version, blocked, allowed from word_lists where id = 1`

/** `seen`: replace only this version; null: whichever it is. */
export const replaceWordLists = writing<{ blocked: string; allowed: string; seen: number | null }>('replaceWordLists')`
  update word_lists set version = version + 1, blocked = :blocked, allowed = :allowed
  where id = 1 and version = coalesce(cast(:seen as bigint), version)`
