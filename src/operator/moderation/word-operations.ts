import { communityOperations } from '../../communities/operations.ts'
import { type FaultKind, faultTable } from '../../faults.ts'
import type { Operation } from '../../http/operations/operation.ts'
import { LINE_END, type Parameter } from '../../http/requests/parameters.ts'
import { profileOperations } from '../../profiles/operations.ts'
import type { OperatorWords } from '../../text-rules/operator-words.ts'
import type { Explanation, WordLists } from '../../text-rules/text.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { conflict, notValid } from '../server/problem.ts'

const words = (example: string) => s.list(s.text(1, 100, example), { maxItems: 10_000 })

export const wordsBody = s.allOptional({
  blocked: s.withDefault(words('zyzzyva'), []),
  allowed: s.withDefault(words('Scunthorpe'), []),
  version: s.integer(
    0,
    Number.MAX_SAFE_INTEGER,
    0,
    'The version that was read. If another person has replaced the words since, the call is refused with 409.',
  ),
})

export const wordLists = s.namedObject('Words', {
  version: s.count(1, 'Counts the replacements.'),
  blocked: s.list(s.string('zyzzyva')),
  allowed: s.list(s.string('Scunthorpe')),
})
export type Words = s.ValueOf<typeof wordLists>

export const wordsTestBody = s.object(
  {
    text: s.lines(2000, 'What a zyzzyva'),
    as: s.oneOf(['name', 'biography', 'tip'], 'tip', 'What it would be sent as.'),
  },
  { blocked: words('zyzzyva'), allowed: words('Scunthorpe') },
)
export type WordsTestBody = s.SentOf<typeof wordsTestBody>

export const wordsTest = s.namedObject('WordsTest', {
  verdict: s.oneOf(
    ['fine', 'invalid', 'ancillary', 'inappropriate'],
    'fine',
    '`invalid`: too long, or with too many lines; `ancillary`: without letters and digits.',
  ),
  fault: s.orNull(
    s.object({
      code: s.string('30432'),
      name: s.string('text'),
      meaning: s.string('The text has inappropriate content'),
    }),
    'What the public API would answer; null: it would accept the text.',
  ),
  text: s.string('What a zyzzyva', 'As it would be stored: trimmed and normalised.'),
  solution: s.orNull(s.string(), 'The masked text that the public API would suggest.', 'What a *******'),
  matches: s.list(
    s.object({
      from: s.count(7, 'In characters (code points) of `text`.'),
      to: s.count(14, 'The character after the last one.'),
      word: s.string('zyzzyva', 'As it is compared: in lower case, without accents.'),
      list: s.oneOf(['built-in', 'blocked'], 'blocked'),
      rule: s.oneOf(
        ['word', 'inside', 'phrase', 'cut', 'hidden'],
        'word',
        'How it was found: on its own, inside a longer word, as a phrase, cut in pieces, or with letters struck out.',
      ),
      isAllowed: s.boolean(false, 'It is part of an allowed word, and no reason to refuse.'),
    }),
  ),
})
export type WordsTest = s.ValueOf<typeof wordsTest>

/** What a text is checked as: the parameter that it is sent in. */
const PARAMETERS = {
  name: parameterOf(profileOperations, 'updateMyProfile', 'name'),
  biography: parameterOf(profileOperations, 'updateMyProfile', 'biography'),
  tip: parameterOf(communityOperations, 'createCommentOnOutcomeId', 'text'),
}

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
      409: 'Another person has replaced the words since the `version` that was sent.',
      422: 'A word is both blocked and allowed.',
    },
    example: {
      body: { blocked: ['zyzzyva'], allowed: ['Scunthorpe'] },
      answer: { blocked: ['zyzzyva'], allowed: ['Scunthorpe'] },
    },
    async handle({ words, database }, { body }) {
      refuseContradictions(body)
      if (!(await words.replace(body, database)))
        throw conflict('Another person has saved the words since you read them: read them again.')
      return words.read()
    },
  }),
  operatorOperation({
    name: 'testWords',
    summary: 'Try a text against the rules',
    description:
      'What the public API would answer to the text, and why: each word found, its list and the rule. With `blocked` or `allowed` in ' +
      'place of the stored list, so that a word can be tried before it is saved. Nothing is stored. A tip may also name its own ' +
      'event and outcome, which this call does not know.',
    route: 'POST /moderation/words/test',
    role: 'moderator',
    background: true,
    body: wordsTestBody,
    answer: { 200: wordsTest },
    example: {
      body: { text: 'What a zyzzyva', as: 'tip', blocked: ['zyzzyva'] },
      answer: { verdict: 'inappropriate', text: 'What a zyzzyva', solution: 'What a *******' },
    },
    handle: ({ words }, { body }) => testText(words, body),
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

async function testText(words: OperatorWords, { text, as, ...lists }: WordsTestBody): Promise<WordsTest> {
  const [parameter, name] = PARAMETERS[as]
  const checked = !parameter.lines && LINE_END.test(text) ? undefined : parameter.parse(text)
  if (typeof checked !== 'string') {
    return { verdict: 'invalid', fault: faultOf('invalid', name), text, solution: null, matches: [] }
  }
  const { verdict, matches } = await explain(words, checked, lists)
  return {
    verdict: verdict.verdict,
    fault: verdict.verdict === 'fine' ? null : faultOf(verdict.verdict, name),
    text: checked,
    solution: verdict.verdict === 'inappropriate' ? verdict.solution : null,
    matches: [...matches],
  }
}

/** Blank texts are not checked by the API either. */
async function explain(
  words: OperatorWords,
  text: string,
  { blocked, allowed }: Pick<WordsTestBody, 'blocked' | 'allowed'>,
): Promise<Explanation> {
  if (text === '') return { verdict: { verdict: 'fine' }, matches: [] }
  if (blocked === undefined && allowed === undefined) return words.explain(text)
  const saved = await words.read()
  return words.explainWith({ blocked: blocked ?? saved.blocked, allowed: allowed ?? saved.allowed }, text)
}

function faultOf(kind: FaultKind, name: string): WordsTest['fault'] {
  const { code, text: meaning } = faultTable[kind]
  return { code, name, meaning }
}

function parameterOf(rows: readonly Operation[], operation: string, name: string): readonly [Parameter, string] {
  const parameter = rows.find((row) => row.name === operation)?.parameters[name]
  if (parameter === undefined) throw new Error(`${operation} has no parameter ${name}`)
  return [parameter, parameter.faultName ?? name]
}
