import type { WordLists } from '../moderation/text.ts'
import { type JsonSchema, type OperatorOperation, object, operatorOperation, text } from './frame/operation.ts'
import { conflict, notValid } from './frame/problem.ts'

const words: JsonSchema = { type: 'array', maxItems: 10_000, items: text(1, 100), default: [] }

export const wordOperations: OperatorOperation[] = [
  operatorOperation({
    name: 'readWords',
    summary: 'The operator’s own blocked and allowed words, beside the built-in list',
    method: 'GET',
    path: '/moderation/words',
    role: 'moderator',
    handle: async ({ words }) => ({ status: 200, body: await words.read() }),
  }),
  operatorOperation<WordLists & { version?: number }>({
    name: 'replaceWords',
    summary:
      'Replace both lists; on every process within 10 seconds. With the `version` that was read: refused with 409 if somebody else replaced them since',
    method: 'PUT',
    path: '/moderation/words',
    role: 'moderator',
    body: object({ blocked: words, allowed: words, version: { type: 'integer', minimum: 0 } }),
    async handle({ words, database }, { body }) {
      refuseContradictions(body)
      if (!(await words.replace(body, database)))
        throw conflict('Somebody else has saved the words since you read them.')
      return { status: 200, body: await words.read() }
    },
  }),
]

/** An allowed word wins, so that one in both lists would look blocked and not be. */
function refuseContradictions({ blocked, allowed }: WordLists): void {
  const known = new Set(blocked.map(compared))
  const both = allowed.filter((word) => known.has(compared(word)))
  if (both.length === 0) return
  const named =
    both
      .slice(0, 5)
      .map((word) => word.trim())
      .join(', ') + (both.length > 5 ? ` and ${both.length - 5} more` : '')
  throw notValid([{ pointer: '/allowed', detail: `must not hold what is blocked too: ${named}` }])
}

function compared(word: string): string {
  return word.normalize('NFKC').trim().toLowerCase()
}
