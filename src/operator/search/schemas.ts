import {
  integer,
  list,
  named,
  object,
  oneOf,
  orNull,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { text } from '../server/fields.ts'

export const SEARCH_KINDS = ['customer', 'profile', 'comment', 'deposit'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

const kind = oneOf(SEARCH_KINDS, { examples: ['profile'] })

export const searchQuery = object(
  { q: text(1, 100, { description: 'What to search for.', examples: ['bob'] }) },
  {
    kind: oneOf(SEARCH_KINDS, { description: 'Only these.' }),
    cursor: string({ maxLength: 100, description: 'The cursor of a group; send its `kind` too.' }),
    limit: withDefault(integer(1, 50, { description: 'How many items each group has.', examples: [10] }), 10),
  },
)

const result = named(
  'SearchResult',
  object({
    kind,
    id: string({ description: 'As in the path of its own call.', examples: ['2'] }),
    title: string({ examples: ['Bob Both Teams'] }),
    detail: string({ examples: ['Active profile of customer 2'] }),
  }),
)
export type SearchResult = ValueOf<typeof result>

const group = object({
  kind,
  items: list(result),
  cursor: orNull(string(), {
    description: 'Send it as `cursor`, with `kind`, for more. null: these are all that are found.',
    examples: [null],
  }),
})

export const searchResults = object({
  groups: list(group, { description: 'One for each kind that the caller may read, without those that have no item.' }),
})
