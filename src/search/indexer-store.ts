// The statements that index what was written before there was a search, or without words.

import { locking, type NoParameters, reading, writing } from '../platform/database/database.ts'
import { bigint, rowList, text } from '../platform/database/table-store.ts'

export const missingWords = reading<NoParameters, { comments: number | boolean; profiles: number | boolean }>(
  'missingWords',
)`
  select exists (select 1 from comment where words is null and id > 0) as comments,
    exists (select 1 from profile where biography_words is null and id > 0) as profiles`

type Batch = { after: number; limit: number }

/** Another process may be at work on others. */
export const lockCommentsWithoutWords = locking<Batch, { id: number; text: string }>('lockCommentsWithoutWords')`
  select id, text from comment where words is null and id > :after order by id limit :limit for no key update skip locked`

export const commentWordList = rowList({ id: bigint, words: text })

export const setCommentWords = writing<{ rows: string }>('setCommentWords')`
  update comment set words = made.words from (${commentWordList.select}) as made where comment.id = made.id`

export const lockProfilesWithoutWords = locking<Batch, { id: number; name: string | null; biography: string }>(
  'lockProfilesWithoutWords',
)`
  select id, name, biography from profile where biography_words is null and id > :after order by id limit :limit
  for no key update skip locked`

export const profileWordList = rowList({
  id: bigint,
  name_words: text,
  biography_words: text,
})

export const setProfileWords = writing<{ rows: string }>('setProfileWords')`
  update profile set name_words = made.name_words, biography_words = made.biography_words
  from (${profileWordList.select}) as made where profile.id = made.id`
