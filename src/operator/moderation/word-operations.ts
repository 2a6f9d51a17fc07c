import type { WordLists } from '../../text-rules/text.ts'
import { operatorOperation } from '../server/operation.ts'
import { conflict, notValid } from '../server/problem.ts'
import { wordLists, wordsBody } from './word-schemas.ts'

export const wordOperations = [
  operatorOperation({
    name: 'readWords',
    summary: 'Read the operator’s own blocked and allowed words',
    description: 'They are used in addition to the built-in list.',
    route: 'GET /moderation/words',
    role: 'moderator',
    answer: { 200: wordLists },
    handle: ({ words }) => words.read(),
  }),
  operatorOperation({
    name: 'replaceWords',
    summary: 'Replace the blocked and the allowed words',
    description: 'Every process uses them within 10 seconds.',
    route: 'PUT /moderation/words',
    role: 'moderator',
    audit: 'replaced the word lists',
    body: wordsBody,
    answer: { 200: wordLists },
    problems: {
      409: 'Somebody else has replaced the words since the `version` that was sent.',
      422: 'A word is both blocked and allowed.',
    },
    example: {
      body: { blocked: ['zyzzyva'], allowed: ['Scunthorpe'] },
      answer: { blocked: ['zyzzyva'], allowed: ['Scunthorpe'] },
    },
    async handle({ words, database }, { body }) {
      refuseContradictions(body)
      if (!(await words.replace(body, database)))
        throw conflict('Somebody else has saved the words since you read them: read them again.')
      return words.read()
    },
  }),
]

/** An allowed word wins, so a word in both lists would look blocked without being so. */
function refuseContradictions({ blocked, allowed }: WordLists): void {
  const known = new Set(blocked.map(comparable))
  const both = allowed.filter((word) => known.has(comparable(word)))
  if (both.length === 0) return
  const named =
    both
      .slice(0, 5)
      .map((word) => word.trim())
      .join(', ') + (both.length > 5 ? ` and ${both.length - 5} more` : '')
  throw notValid([{ pointer: '/allowed', detail: `must not contain blocked words: ${named}` }])
}

function comparable(word: string): string {
  return word.normalize('NFKC').trim().toLowerCase()
}
