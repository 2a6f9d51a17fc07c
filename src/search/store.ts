// The SQL of search. Words are those of platform/runtime/search-words.ts; every word of a query must begin a word of the text.
//
// A frequent word is found in the *window*, the tips (or profiles) that come first in the order of the list, whose words are
// compared one by one: an index would have to read everything that has the word. What the window does not fill is read from
// the index: comment_search, profile_name_search and profile_search are tables of FTS5 in SQLite and functions over GIN indexes in
// PostgreSQL (migrations/schema.*.txt), with the ids of the rows that match in the column rowid. They are queried only for the *rarest* word, as
// counted in the window, because both read all that matches a prefix; the others are compared again.

import { type CommentRow, commentColumns } from '../communities/store.ts'
import { type Database, reading } from '../platform/database/database.ts'
import { MAX_WORD_LENGTH } from '../platform/runtime/search-words.ts'
import { type ProfileRow, profileColumns } from '../profiles/store.ts'
import { isVisibleInList } from '../profiles/visibility-store.ts'

export const MAX_WORDS = 8

/** Each word as a pattern and as the engine's index takes it; '%' and '' where there are fewer words. */
export type Words = { readonly [name: `word${number}` | `match${number}`]: string }
/** `reach`: the rows up to the end of the block. */
type Reach = { reach: number; window: number }
/** The words and how far to read. */
export type Search = Words & Reach
type Block = Search & { limit: number; offset: number; viewer: number }

/**
 * A later block has a longer window. The window costs as many rows as it has, the index as many as match: between the
 * two, a word that one tip in a hundred has costs least by this length. The worst case reads 20,000 rows.
 */
function reachIn(window: { least: number; most: number }, reach: number): Reach {
  const length = Math.ceil(window.least * Math.sqrt(reach / FIRST_BLOCK))
  return { reach, window: Math.max(window.least, Math.min(length, window.most)) }
}

const FIRST_BLOCK = 20

const NUMBERS = Array.from({ length: MAX_WORDS }, (_, index) => index + 1)

/** The words of a query begin words of the column. */
function hasWords(column: string): string {
  return NUMBERS.map((number) => `${column} like :word${number}`).join(' and ')
}

/** Longer than any word. */
const MATCHES_NOTHING = '0'.repeat(MAX_WORD_LENGTH + 1)

/** The word that the fewest rows of the window have; of several, the longest. None if `found` has the block already. */
function rarest(window: string, column: string, found: string): string {
  const counted = NUMBERS.map(
    (number) => `select cast(:match${number} as text) as match, case when :match${number} = '' then 1000000
      else (select count(*) from ${window} where ${column} like :word${number}) end as hits`,
  )
  return `case when (select count(*) from ${found}) < :reach then (
    select match from (${counted.join(' union all ')}) as counted order by hits, length(match) desc limit 1)
    else '${MATCHES_NOTHING}' end`
}

export function wordParameters({ engine }: Database, words: readonly string[]): Words {
  const prefix = engine === 'sqlite' ? '*' : ':*'
  const of = (word: string | undefined, number: number) => ({
    [`word${number}`]: word === undefined ? '%' : `% ${word}%`,
    [`match${number}`]: word === undefined ? '' : `${word}${prefix}`,
  })
  return Object.assign({}, ...NUMBERS.map((number) => of(words[number - 1], number)))
}

// ---- Comments, newest first

/** A word that one comment in a hundred has fills the first block. Reading 2,000 costs 2 ms. */
const NEWEST = { least: 2_000, most: 20_000 }

export const reachInComments = (reach: number): Reach => reachIn(NEWEST, reach)

const NEWEST_ROWS = 'select id, words, state, author_id from comment order by id desc limit :window'

/** `shown`: a condition on comment c. */
export function commentPage(shown: string): string {
  return `newest as materialized (
     select w.id from (${NEWEST_ROWS}) w
     where ${hasWords('w.words')} and ${shown.replaceAll('c.', 'w.')} order by w.id desc limit :reach),
   window_rows as materialized (${NEWEST_ROWS}),
   older as (
     select s.rowid as id from comment_search(${rarest('window_rows', 'words', 'newest')}) s cross join comment c
     where c.id = s.rowid and ${hasWords('c.words')} and ${shown}
       and s.rowid <= (select id from comment order by id desc limit 1 offset :window)
     order by s.rowid desc limit :reach),
   page as (
     select id from (select id from newest union all select id from older) as found
     order by id desc limit :limit offset :offset)`
}

const SHOWN_COMMENT = `c.state = 'live' and (select status from profile where id = c.author_id) = 'A'
  and ${isVisibleInList(':viewer', 'c.author_id')}`

export const searchComments = reading<Block, CommentRow>('searchComments')`
  with ${commentPage(SHOWN_COMMENT)}
  select ${commentColumns(':viewer')}
  from page join comment c on c.id = page.id join comment_count k on k.comment_id = c.id
  join outcome o on o.id = c.outcome_id join market m on m.id = o.market_id join event e on e.id = m.event_id
  order by c.id desc`

// ---- Profiles, those whose name matches first

/** Fewer, because there are far fewer profiles than tips. */
const FIRST = { least: 500, most: 5_000 }

export const reachInProfiles = (reach: number): Reach => reachIn(FIRST, reach)

const FIRST_ROWS = 'select id, status, name_words, biography_words from profile order by id limit :window'

/** `before`: the list that comes first. */
type Matching = { name: string; index: string; words: string; shown: string; before?: string }

/** A condition on profile p as one on row w of the window. */
const inWindow = (condition: string): string => condition.replaceAll('p.', 'w.')

/** The ids that match, in order: `words` compared in the window, then from the index. `shown`: a condition on profile p. */
function matching({ name, index, words, shown, before }: Matching): string {
  const own = `${name}_first`
  const found = before === undefined ? own : `(select id from ${before} union all select id from ${own}) as both_lists`
  const word = rarest('first_rows', words.replaceAll('p.', ''), found)
  return `${name}_first as materialized (
     select w.id from (${FIRST_ROWS}) w where ${inWindow(`${hasWords(words)} and ${shown}`)} order by w.id limit :reach),
   ${name} as materialized (
     select id from ${name}_first
     union all
     select id from (
       select s.rowid as id from ${index}(${word}) s cross join profile p
       where p.id = s.rowid and ${hasWords(words)} and ${shown}
         and s.rowid > (select id from profile order by id limit 1 offset :window - 1)
       order by s.rowid limit :reach) as rest)`
}

/** `found`: rank and id, in order of name and biography. `shown`: a condition on profile p. */
export function profilePage(shown: string): string {
  const byBiography = {
    name: 'by_biography',
    index: 'profile_search',
    words: '(p.name_words || p.biography_words)',
    shown: `${shown} and not (${hasWords('p.name_words')})`,
    before: 'by_name',
  }
  return `first_rows as materialized (${FIRST_ROWS}),
   ${matching({ name: 'by_name', index: 'profile_name_search', words: 'p.name_words', shown })},
   ${matching(byBiography)},
   found as (select 1 as rank, id from by_name union all select 2 as rank, id from by_biography)`
}

export const searchProfiles = reading<Block, ProfileRow>('searchProfiles')`
  with ${profilePage(`p.status = 'A' and ${isVisibleInList(':viewer', 'p.id')}`)},
  page as (select * from found order by rank, id limit :limit offset :offset)
  select ${profileColumns(':viewer')}
  from page join profile p on p.id = page.id join profile_count c on c.profile_id = p.id
  order by page.rank, p.id`
