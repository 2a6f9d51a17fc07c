import {
  count,
  integer,
  list,
  named,
  object,
  string,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { text } from '../server/fields.ts'

const words = (example: string) => withDefault(list(text(1, 100, { examples: [example] }), { maxItems: 10_000 }), [])

export const wordsBody = object(
  {},
  {
    blocked: words('zyzzyva'),
    allowed: words('Scunthorpe'),
    version: integer(0, Number.MAX_SAFE_INTEGER, {
      description: 'The version that was read. If somebody has replaced the words since, the call is refused with 409.',
      examples: [0],
    }),
  },
)

export const wordLists = named(
  'Words',
  object({
    version: count({ description: 'Counts the replacements.', examples: [1] }),
    blocked: list(string({ examples: ['zyzzyva'] })),
    allowed: list(string({ examples: ['Scunthorpe'] })),
  }),
)
export type Words = ValueOf<typeof wordLists>
