import { BUILT_IN_WORDS, INNOCENT } from './word-lists.ts'
import { compileWords, findWords, type Reading, read, type Span, tokensOf, type WordIndex } from './words.ts'

export type TextVerdict =
  | { verdict: 'fine' }
  | { verdict: 'ancillary' }
  | { verdict: 'inappropriate'; solution: string }

/**
 * The operator's own lists, beside the built-in ones. A name in `allowed` protects the words inside it wherever the
 * whole name is written, against the built-in words and against `blocked`; names of events and outcomes belong there.
 */
export type WordLists = { blocked: readonly string[]; allowed: readonly string[] }

/** `names` are allowed in this text beside those of the lists: a tip may name its own event and outcome. */
export type TextRules = (text: string, names?: readonly string[]) => TextVerdict

/** A phase ends the matter by finding the text ancillary, or tells which parts of it are not fit to be shown. */
type Phase = (reading: Reading) => 'ancillary' | readonly Span[]

/** Names by their words in lower case; true where a name ends, false where it only goes on. */
type Names = ReadonlyMap<string, boolean>

const SAYS_SOMETHING = /[[\p{L}\p{N}]--\p{Default_Ignorable_Code_Point}]/v
const SIDES = / (?:vs?\.?|@|-) /i
const builtIn = compileWords(BUILT_IN_WORDS)

export function textRules(lists: WordLists): TextRules {
  const names = compileNames([...INNOCENT, ...lists.allowed])
  const own = compileWords({
    whole: lists.blocked.flatMap(ownForms),
    lengthened: [],
    inner: [],
    splittable: [],
    veiled: [],
  })
  // Without words of the operator there is nothing to look for a second time.
  const indexes = lists.blocked.length === 0 ? [builtIn] : [builtIn, own]
  const search = (known: Names): Phase[] => indexes.map((index) => words(index, known))
  const phases: readonly Phase[] = [ancillary, ...search(names)]
  return (text, more = []) => {
    const verdict = judge(text, phases)
    // Names of one text are compiled only when they can make a difference, which is seldom.
    if (verdict.verdict !== 'inappropriate' || more.length === 0) return verdict
    const all = new Map(names)
    for (const [name, whole] of compileNames(more)) all.set(name, whole || names.get(name) === true)
    return judge(text, search(all))
  }
}

function judge(text: string, phases: readonly Phase[]): TextVerdict {
  const reading = read(text)
  const spans: Span[] = []
  for (const phase of phases) {
    const finding = phase(reading)
    if (finding === 'ancillary') return { verdict: 'ancillary' }
    spans.push(...finding)
  }
  return spans.length === 0 ? { verdict: 'fine' } : { verdict: 'inappropriate', solution: mask(reading, spans) }
}

function ancillary(reading: Reading): 'ancillary' | readonly Span[] {
  return SAYS_SOMETHING.test(reading.text) ? [] : 'ancillary'
}

function words(index: WordIndex, names: Names): Phase {
  return (reading) => {
    const spans = findWords(index, reading)
    if (spans.length === 0) return spans
    const protectedTo = protection(names, reading)
    return spans.filter((span) => protectedTo[span.from]! < span.to)
  }
}

/** With its plural, unless the word is so short that another word is likely to result. */
function ownForms(word: string): string[] {
  return word.length >= 4 ? [word, `${word}s`] : [word]
}

function compileNames(list: readonly string[]): Names {
  const names = new Map<string, boolean>()
  for (const name of new Set(list.flatMap((entry) => [entry, ...entry.split(SIDES)]))) {
    let key = ''
    for (const { text } of tokensOf(name)) {
      if (key !== '' && !names.has(key)) names.set(key, false)
      key += key === '' ? text : ` ${text}`
    }
    if (key !== '') names.set(key, true)
  }
  return names
}

/** For every place of the folded text, how far the names go that start there or before. */
function protection(names: Names, reading: Reading): number[] {
  const to = new Array<number>(reading.folded.length + 1).fill(0)
  for (const view of reading.views) {
    view.forEach((first, i) => {
      let key = ''
      for (let j = i; j < view.length && (j === i || names.has(key)); j++) {
        key += j === i ? first.text : ` ${view[j]!.text}`
        const isName = names.get(key) || (key.endsWith('s') && names.get(key.slice(0, -1)))
        if (isName) to[first.from] = Math.max(to[first.from]!, view[j]!.to)
      }
    })
  }
  for (let i = 1; i < to.length; i++) to[i] = Math.max(to[i]!, to[i - 1]!)
  return to
}

/** The text with one star for every code point of the words touched; what separates them stays. */
function mask({ points, folded, at, pieces }: Reading, spans: readonly Span[]): string {
  const depth = new Array<number>(folded.length + 1).fill(0)
  const masked = [...points]
  const hide = (from: number, to: number) => {
    masked.fill('*', at[from]!, at[to - 1]! + 1)
    for (let next = at[to - 1]! + 1; /^\p{M}/u.test(points[next] ?? ''); next++) masked[next] = '*'
  }
  for (const span of spans) {
    depth[span.from]! += 1
    depth[span.to]! -= 1
    if (span.solid) hide(span.from, span.to)
  }
  for (let i = 1; i < depth.length; i++) depth[i]! += depth[i - 1]!
  const touched = pieces.map((piece) => depth.slice(piece.from, piece.to).some((n) => n > 0))
  // Words tied to a masked one by stars go with it: beside the new stars their rest would read as a veiled word.
  const tied = (i: number) => /^\*+$/.test(folded.slice(pieces[i - 1]!.to, pieces[i]!.from))
  for (let i = 1; i < pieces.length; i++) touched[i] ||= touched[i - 1]! && tied(i)
  for (let i = pieces.length - 1; i > 0; i--) touched[i - 1] ||= touched[i]! && tied(i)
  for (const [i, piece] of pieces.entries()) if (touched[i]) hide(piece.from, piece.to)
  return masked.join('')
}
