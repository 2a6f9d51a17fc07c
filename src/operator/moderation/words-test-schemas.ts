import {
  boolean,
  count,
  list,
  named,
  object,
  oneOf,
  orNull,
  type SentOf,
  string,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { lines, text } from '../server/fields.ts'

const words = (example: string) => list(text(1, 100, { examples: [example] }), { maxItems: 10_000 })

export const wordsTestBody = object(
  {
    text: lines(2000, { examples: ['What a zyzzyva'] }),
    as: oneOf(['name', 'biography', 'tip'], { description: 'What it would be sent as.', examples: ['tip'] }),
  },
  { blocked: words('zyzzyva'), allowed: words('Scunthorpe') },
)
export type WordsTestBody = SentOf<typeof wordsTestBody>

export const wordsTest = named(
  'WordsTest',
  object({
    verdict: oneOf(['fine', 'invalid', 'ancillary', 'inappropriate'], {
      description: '`invalid`: too long, or with too many lines; `ancillary`: without letters and digits.',
      examples: ['fine'],
    }),
    fault: orNull(
      object({
        code: string({ examples: ['30432'] }),
        name: string({ examples: ['text'] }),
        meaning: string({ examples: ['The text has inappropriate content'] }),
      }),
      { description: 'What the public API would answer; null: it would accept the text.' },
    ),
    text: string({ description: 'As it would be stored: trimmed and normalised.', examples: ['What a zyzzyva'] }),
    solution: orNull(string(), {
      description: 'The masked text that the public API would suggest.',
      examples: ['What a *******'],
    }),
    matches: list(
      object({
        from: count({ description: 'In characters (code points) of `text`.', examples: [7] }),
        to: count({ description: 'The character after the last one.', examples: [14] }),
        word: string({ description: 'As it is compared: in lower case, without accents.', examples: ['zyzzyva'] }),
        list: oneOf(['built-in', 'blocked'], { examples: ['blocked'] }),
        rule: oneOf(['word', 'inside', 'phrase', 'cut', 'hidden'], {
          description:
            'How it was found: on its own, inside a longer word, as a phrase, cut in pieces, or with letters struck out.',
          examples: ['word'],
        }),
        isAllowed: boolean({
          description: 'It is part of an allowed word, and no reason to refuse.',
          examples: [false],
        }),
      }),
    ),
  }),
)
export type WordsTest = ValueOf<typeof wordsTest>
