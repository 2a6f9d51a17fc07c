import type { WordLists } from '../moderation/text.ts'
import { type JsonSchema, type OperatorOperation, object, operatorOperation, text } from './operation.ts'

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
  operatorOperation<WordLists>({
    name: 'replaceWords',
    summary: 'Replace both lists; on every process within 10 seconds',
    method: 'PUT',
    path: '/moderation/words',
    role: 'moderator',
    body: object({ blocked: words, allowed: words }),
    async handle({ words }, { body }) {
      await words.replace(body)
      return { status: 200, body: await words.read() }
    },
  }),
]
