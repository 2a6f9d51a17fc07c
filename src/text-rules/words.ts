import { finishAtOnce, type Work } from '../platform/runtime/slices.ts'
import { gapBefore, type ParsedText, type Token, tokensOf } from './parse-text.ts'
import { pairKey, type Squeezed, squeeze } from './squeeze.ts'
import type { WordData } from './word-lists.ts'

/** How a word was found: on its own, inside a longer one, over several tokens, cut in pieces, or with letters struck out. */
export type MatchRule = 'word' | 'inside' | 'phrase' | 'cut' | 'hidden'

/** A range of the folded text; `solid` ones are masked with the punctuation inside them. `word`: as it is listed, folded. */
export type Span = { from: number; to: number; word: string; rule: MatchRule; solid?: boolean }

/** Counts the work of a search, in characters and candidates looked at. */
type Tally = { steps: number }

const LETTER = /\p{L}/u
const SPACED = /[\s'’`]/
const PHRASE_GAP = /^(?:[\s\-_'’]{0,2}|\S)$/
const HIDING_GAP = /^[*_#%]{1,4}$/
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const MAX_PHRASE_LENGTH = 40
const MAX_HIDDEN = 24

type Entry = Squeezed & { text: string; splittable: boolean; lengthened: boolean }

export type WordIndex = {
  /** All words and phrases, by the key of `squeeze`. */
  byKey: Map<string, Entry[]>
  /** These keys in order: a search across tokens ends where none begins with what it has. */
  keys: readonly string[]
  /** By `pairKey` of the first two characters: it is looked up for every character of a text. */
  inner: Map<number, Entry[]>
  hidden: Map<string, Entry[]>
  veiled: ReadonlySet<string>
}

/** Whether `word` has the runs of the entry from `offset` on. People lengthen letters ("fuuuck"). */
function runsMatch(word: Squeezed, offset: number, entry: Entry, inside: boolean): boolean {
  for (let k = 0; k < entry.key.length; k++) {
    const run = word.starts[offset + k + 1]! - word.starts[offset + k]!
    const wanted = entry.starts[k + 1]! - entry.starts[k]!
    const lengthened = run >= 3 || entry.lengthened
    const atEdge = inside && (k === 0 || k === entry.key.length - 1)
    if (run < wanted || (run > wanted && !lengthened && !atEdge)) return false
  }
  return true
}

const hiddenKey = (text: string) => `${text.charAt(0)}${text.charAt(text.length - 1)}${text.length}`

type Traits = { lengthened: boolean; splittable: boolean; inside: boolean }

export function compileWords(data: WordData): WordIndex {
  return finishAtOnce(compilingWords(data))
}

/** Lists of operators have up to 10,000 words. */
export function* compilingWords(data: WordData): Work<WordIndex> {
  const [byKey, inner, hidden] = [new Map<string, Entry[]>(), new Map<number, Entry[]>(), new Map<string, Entry[]>()]
  const known = new Set<string>()
  const put = <K>(map: Map<K, Entry[]>, key: K, entry: Entry) => {
    const entries = map.get(key)
    if (entries === undefined) map.set(key, [entry])
    else entries.push(entry)
  }
  const add = (word: string, traits: Traits) => {
    const pieces = tokensOf(word)
    for (const texts of [pieces.map((piece) => piece.forms[0]!.text), pieces.map((piece) => piece.text)]) {
      const text = texts.join(' ')
      if (text === '' || known.has(text)) continue
      known.add(text)
      const entry = { ...squeeze(text), text, ...traits }
      put(byKey, entry.key, entry)
      if (traits.inside && entry.key.length > 1) put(inner, pairKey(entry.key, 0), entry)
      if (pieces.length === 1 && text.length >= 3) put(hidden, hiddenKey(text), entry)
    }
  }
  for (const [word, traits] of wordsOf(data)) yield void add(word, traits)
  const keys = [...byKey.keys()].sort()
  return { byKey, keys, inner, hidden, veiled: new Set(data.veiled) }
}

function* wordsOf(data: WordData): Generator<[string, Traits]> {
  const splittable = new Set(data.splittable)
  const inside = new Set(data.inner)
  for (const word of [...data.splittable, ...data.inner, ...data.lengthened])
    yield [word, { lengthened: true, splittable: splittable.has(word), inside: inside.has(word) }]
  // In scripts without spaces, a listed word may be part of a longer run of letters.
  for (const word of data.standalone)
    yield [word, { lengthened: false, splittable: false, inside: UNSPACED_SCRIPT.test(word) }]
}

/** Whether a longer key begins so. */
function isBeginning({ keys }: WordIndex, text: string): boolean {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (keys[middle]! <= text) low = middle + 1
    else high = middle
  }
  return keys[low]?.startsWith(text) === true
}

type Search = { index: WordIndex; tally: Tally; spans: Span[] }

/** All occurrences of the index's words in the text. The work is linear in the length of the text. */
export function findWords(index: WordIndex, parsed: ParsedText, tally: Tally = { steps: 0 }): Span[] {
  const search = { index, tally, spans: [] }
  for (const view of parsed.views) {
    for (const token of view) findInToken(search, token)
    findAcross(search, parsed.folded, view, view === parsed.pieces)
  }
  findHidden(search, parsed)
  return search.spans
}

function wordOf({ index, tally }: Search, word: Squeezed, accepts: (entry: Entry) => boolean): Entry | undefined {
  const entries = index.byKey.get(word.key)
  tally.steps += word.length
  if (entries === undefined) return undefined
  tally.steps += entries.length
  return entries.find((entry) => runsMatch(word, 0, entry, false) && accepts(entry))
}

function findInToken(search: Search, token: Token): void {
  const place = (at: number) => token.positions?.[at] ?? token.from + at
  for (const { text, skip } of token.forms) {
    const word = squeeze(text)
    const found = (from: number, to: number, { text: listed }: Entry, rule: MatchRule) =>
      search.spans.push({ from: place(skip + from), to: place(skip + to - 1) + 1, word: listed, rule })
    // Three separate characters with digits among them are more likely a score than a word spelt out.
    const likely = token.positions === undefined || text === token.text.slice(skip)
    const whole = wordOf(search, word, (entry) => likely || entry.text.length >= 4)
    if (whole !== undefined) found(0, text.length, whole, token.positions === undefined ? 'word' : 'cut')
    for (let k = 0; k < word.key.length - 1; k++) {
      const entries = search.index.inner.get(pairKey(word.key, k))
      if (entries === undefined) continue
      for (const entry of entries) {
        search.tally.steps += 1
        if (!word.key.startsWith(entry.key, k) || !runsMatch(word, k, entry, true)) continue
        found(word.starts[k]!, word.starts[k + entry.key.length]!, entry, 'inside')
      }
    }
  }
}

/** Phrases, and words cut in pieces: by punctuation any word of four letters, by white space only the listed ones. */
function findAcross(search: Search, folded: string, view: readonly Token[], cut: boolean): void {
  for (const [i, first] of view.entries()) {
    let phrase = first.forms[0]!.text
    let joined = cut && LETTER.test(first.text) ? phrase : ''
    let tight = true
    for (let j = i + 1; j < view.length; j++) {
      const next = view[j]
      const gap = gapBefore(folded, view, j)
      phrase = prefixOrEmpty(search, `${phrase} `)
      joined = prefixOrEmpty(search, joined)
      if (gap === null || !next || next.text.length > MAX_PHRASE_LENGTH || (phrase === '' && joined === '')) break
      const text = next.forms[0]!.text
      const span = { from: first.from, to: next.to }
      tight &&= !SPACED.test(gap)
      phrase = phrase !== '' && PHRASE_GAP.test(gap) ? phrase + text : ''
      const listed = phrase === '' ? undefined : wordOf(search, squeeze(phrase), () => true)
      if (listed !== undefined) search.spans.push({ ...span, word: listed.text, rule: 'phrase' })
      joined = joined !== '' && LETTER.test(text) ? joined + text : ''
      const accepts = (entry: Entry) => entry.splittable || (tight && entry.text.length >= 4)
      const cutWord = joined === '' ? undefined : wordOf(search, squeeze(joined), accepts)
      if (cutWord !== undefined) search.spans.push({ ...span, word: cutWord.text, rule: 'cut' })
    }
  }
}

/** The text itself if a listed word or phrase begins with it, else ''. */
function prefixOrEmpty({ index, tally }: Search, text: string): string {
  const { key } = squeeze(text)
  tally.steps += text.length
  // Letters lengthened that much over several tokens spell no word; following them would only cost time.
  return text.length <= key.length * 3 + 3 && isBeginning(index, key) ? text : ''
}

/** Words with letters struck out: "f**k" by the signs in use for it, "f-ck" by any other sign if it hides the vowel. */
function findHidden(search: Search, { folded, pieces }: ParsedText): void {
  for (let i = 0; i < pieces.length; i++) {
    const from = pieces[i]!.from
    let text = pieces[i]!.forms[0]!.text
    let shortest = 3
    let gap = gapBefore(folded, pieces, i + 1)
    for (; gap !== null && HIDING_GAP.test(gap); gap = gapBefore(folded, pieces, i + 1)) {
      i++
      if (!gap.startsWith('*')) shortest = 4
      if (text.length <= MAX_HIDDEN) text += '*'.repeat(gap.length) + pieces[i]!.forms[0]!.text
    }
    const { from: last, to, forms } = pieces[i]!
    const hide = (start: number, end: number, word: string | undefined) =>
      word !== undefined && search.spans.push({ from: start, to: end, word, rule: 'hidden', solid: true })
    hide(
      from,
      to,
      hiddenWord(search, text, shortest, () => true),
    )
    const stars = folded[to] === '*' ? /^\**/.exec(folded.slice(to, to + MAX_HIDDEN))![0] : ''
    if (search.index.veiled.has(text + stars)) hide(from, to + stars.length, text + stars)
    const next = pieces[i + 1]
    if (gap?.length !== 1 || /\s/.test(gap) || !next) continue
    const cut = forms[0]!.text.length
    const vowelOnly = ({ text: word }: Entry) =>
      /[aeiou]/.test(word.charAt(cut)) && (word.length >= 6 || /^[^aeiou]+[aeiou][^aeiou]+$/.test(word))
    hide(last, next.to, hiddenWord(search, `${forms[0]!.text}*${next.forms[0]!.text}`, 4, vowelOnly))
  }
}

function hiddenWord(
  { index, tally }: Search,
  text: string,
  shortest: number,
  accepts: (entry: Entry) => boolean,
): string | undefined {
  if (!text.includes('*')) return undefined
  const { length } = text
  const shown = text.replaceAll('*', '').length
  if (length < shortest || length > MAX_HIDDEN || shown === length || shown * 3 < length) return undefined
  const entries = index.hidden.get(hiddenKey(text)) ?? []
  tally.steps += length * entries.length
  const matches = (word: string) => text.split('').every((unit, at) => unit === '*' || unit === word[at])
  return entries.find((entry) => matches(entry.text) && accepts(entry))?.text
}
