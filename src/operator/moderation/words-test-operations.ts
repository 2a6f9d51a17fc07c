import { communityOperations } from '../../communities/operations.ts'
import { type FaultKind, faultTable } from '../../faults.ts'
import type { Operation } from '../../http/operation.ts'
import { LINE_END, type Parameter } from '../../http/parameters.ts'
import { profileOperations } from '../../profiles/operations.ts'
import type { OperatorWords } from '../../text-rules/operator-words.ts'
import type { Explanation } from '../../text-rules/text.ts'
import { operatorOperation } from '../server/operation.ts'
import { type WordsTest, type WordsTestBody, wordsTest, wordsTestBody } from './words-test-schemas.ts'

/** What a text is checked as: the parameter that it is sent in. */
const PARAMETERS = {
  name: parameterOf(profileOperations, 'updateMyProfile', 'name'),
  biography: parameterOf(profileOperations, 'updateMyProfile', 'biography'),
  tip: parameterOf(communityOperations, 'createCommentOnOutcomeId', 'text'),
}

export const wordsTestOperations = [
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
