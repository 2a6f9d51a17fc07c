// The built-in words, from assets/text-rules/words.json. Its lists are lines of text, so that a reviewer can read and amend them
// as prose.

import { readAsset } from '../platform/runtime/assets.ts'

/** Words are separated by white space, names and phrases by commas. */
type StoredWords = {
  /** Strong and medium words of British and American English; mild ones (bloody, git, crap, bugger) are left alone. */
  readonly verbs: readonly string[]
  readonly nouns: readonly string[]
  /** Nouns a letter away from names and ordinary words (raped and rapped, Jap and Jaap). */
  readonly nounsAsWritten: readonly string[]
  readonly exact: readonly string[]
  readonly phrases: readonly string[]
  readonly inner: readonly string[]
  readonly splittable: readonly string[]
  readonly veiled: readonly string[]
  readonly innocentWords: readonly string[]
  readonly innocentNames: readonly string[]
}

export type WordData = {
  /** Found as words of their own; several words make a phrase. */
  standalone: readonly string[]
  /** The same, found with a letter written twice ("biitch") too. Three times is mere emphasis in any word. */
  lengthened: readonly string[]
  /** Found inside longer words too, so there must be next to no innocent word around them. */
  inner: readonly string[]
  /** Found even where white space cuts the word in two ("fu cking"), so the halves must not be words of their own. */
  splittable: readonly string[]
  /** Words whose hidden letters are at the end, as they are usually written. */
  veiled: readonly string[]
}

function inflect(verb: string): string[] {
  const stem = verb.replace(/e$/, '')
  const endings = ['ed', 'er', 'ers', 'in', 'ing', 'ings', 'y']
  return [verb, `${verb}s`, `${verb}es`, ...endings.flatMap((end) => [stem + end, stem + stem.slice(-1) + end])]
}

function plurals(noun: string): string[] {
  const ending = /[sxzho]$/.test(noun) ? ['es'] : []
  const slang = noun.length >= 5 ? ['z'] : []
  return [noun, `${noun.replace(/y$/, 'ie')}s`, ...['s', ...ending, ...slang].map((end) => noun + end)]
}

const words = (lines: readonly string[]) => lines.flatMap((line) => line.split(' '))
const phrases = (lines: readonly string[]) => lines.flatMap((line) => line.split(', '))

const STORED = readAsset<StoredWords>('text-rules/words.json')

export const BUILT_IN_WORDS: WordData = {
  lengthened: [...words(STORED.verbs).flatMap(inflect), ...words(STORED.nouns).flatMap(plurals)],
  standalone: [
    ...words(STORED.nounsAsWritten).flatMap(plurals),
    ...words(STORED.exact),
    ...phrases(STORED.phrases).flatMap(plurals),
  ],
  inner: words(STORED.inner),
  splittable: words(STORED.splittable),
  veiled: words(STORED.veiled),
}

/** Names and sayings that hold a word of the lists above. A longer name protects only the words inside it. */
export const INNOCENT: readonly string[] = [...words(STORED.innocentWords), ...phrases(STORED.innocentNames)]
