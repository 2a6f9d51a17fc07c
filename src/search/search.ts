import { toComments } from '../communities/comment.ts'
import type { CommunitiesContext } from '../communities/context.ts'
import type { Comment } from '../communities/shapes.ts'
import { searchWords } from '../platform/runtime/search-words.ts'
import { viewerOf } from '../profiles/profile.ts'
import { toProfile } from '../profiles/profile-view.ts'
import type { Profile } from '../profiles/shapes.ts'
import { MAX_WORDS, reachInComments, reachInProfiles, searchComments, searchProfiles, wordParameters } from './store.ts'

/** Fewer letters and digits would match too much. */
const MIN_CHARACTERS = 2

/** The words of a query, one to MAX_WORDS. */
export type SearchQuery = readonly string[]

/** undefined: there is too little to search for, or too much. */
export function parseQuery(text: string): SearchQuery | undefined {
  const words = searchWords(text)
  const characters = [...words.join('')].length
  return characters >= MIN_CHARACTERS && words.length <= MAX_WORDS ? words : undefined
}

type Search = { words: SearchQuery; customerId: number | null; limit: number; offset: number }

/** null: the block is empty. */
export async function findComments(
  context: CommunitiesContext,
  search: Search,
  details: boolean,
): Promise<{ comment: Comment[] } | null> {
  const rows = await context.database.query(searchComments, {
    ...(await blockOf(context, search)),
    ...reachInComments(search.offset + search.limit),
  })
  if (rows.length === 0) return null
  return { comment: await toComments(context, rows, { requester: search.customerId !== null, details }) }
}

/** null: the block is empty. */
export async function findProfiles(
  context: CommunitiesContext,
  search: Search,
  communities: boolean,
): Promise<Profile[] | null> {
  const rows = await context.database.query(searchProfiles, {
    ...(await blockOf(context, search)),
    ...reachInProfiles(search.offset + search.limit),
  })
  const view = { requester: search.customerId !== null, communities }
  return rows.length === 0 ? null : rows.map((row) => toProfile(context.config, row, view))
}

async function blockOf(context: CommunitiesContext, { words, customerId, limit, offset }: Search) {
  const viewer = await viewerOf(context, customerId)
  return { ...wordParameters(context.database, words), viewer, limit, offset }
}
