// Cuts a text into tokens, in the form in which words are compared.

import { fold, type Interpretation, interpretations } from './characters.ts'

/** `positions` is set where the characters of the token are not adjacent ("f u c k"). */
export type Token = { text: string; from: number; to: number; forms: Interpretation[]; positions?: number[] }

/**
 * A text prepared for comparison. `folded` is in lower case Latin, and `at` gives the code point of each of its units;
 * `pieces` are its tokens, and `views` the ways to cut it into tokens.
 */
export type ParsedText = {
  text: string
  points: string[]
  folded: string
  at: number[]
  pieces: Token[]
  views: Token[][]
}

const MAX_GAP = 4

/** Runs of letters, digits and symbols that may be letters. Exclamation marks around a word are no letters. */
function findPieces(folded: string, kinds: string): Token[] {
  const pieces: Token[] = []
  for (let i = 0; i < kinds.length; i++) {
    let from = i
    while (i < kinds.length && kinds[i] !== '-') i++
    let to = i
    const isNoise = (at: number) => kinds[at] === 'S' && folded[at] !== '@' && folded[at] !== '$'
    while (from < to && isNoise(from)) from++
    while (to > from && isNoise(to - 1)) to--
    const text = folded.slice(from, to)
    if (/[ULD]/.test(kinds.slice(from, to))) pieces.push({ text, from, to, forms: interpretations(text) })
  }
  return pieces
}

/** The parts of pieces such as "BigTipster99" or "well!done". */
function splitPieces(folded: string, kinds: string, pieces: readonly Token[]): Token[] {
  const parts: Token[] = []
  for (const piece of pieces) {
    let from = piece.from
    for (let i = from + 1; i <= piece.to; i++) {
      const [before, here] = [kinds[i - 1], kinds[i]]
      const newWord = before === 'L' && here === 'U' && kinds[i + 1] === 'L'
      const newKind = (before === 'D') !== (here === 'D') || before === 'S' || here === 'S'
      if (i < piece.to && !newWord && !newKind) continue
      const text = folded.slice(from, i)
      if (before !== 'S') parts.push({ text, from, to: i, forms: interpretations(text) })
      from = i
    }
  }
  return parts
}

/** Joins runs of three or more single characters ("f u c k", "f.u.c.k") into one token. */
function joinSingles(folded: string, pieces: readonly Token[]): Token[] {
  const joined: Token[] = []
  const isSingle = (at: number) => pieces[at]?.text.length === 1
  for (let i = 0; i < pieces.length; i++) {
    const first = i
    while (isSingle(first) && isSingle(i + 1) && gapBefore(folded, pieces, i + 1) !== null) i++
    const run = pieces.slice(first, i + 1)
    joined.push(...(run.length < 3 ? run : [joinRun(run)]))
  }
  return joined
}

function joinRun(run: readonly Token[]): Token {
  const text = run.map((piece) => piece.text).join('')
  const digits = text.replace(/\D/g, '').length
  // Lists of scores and form figures are mostly digits; words spelt out are mostly letters.
  const forms = digits * 2 > text.length - digits ? [{ text, skip: 0 }] : interpretations(text)
  // "a t w a t": the article before a word spelt out is no part of it.
  if (/^[aiu]/.test(text))
    forms.push(...interpretations(text.slice(1)).map((form) => ({ ...form, skip: form.skip + 1 })))
  return { text, from: run[0]!.from, to: run.at(-1)!.to, forms, positions: run.map((piece) => piece.from) }
}

/** The text between a token and the one before it; null if it is too long for both to be one word. */
export function gapBefore(folded: string, tokens: readonly Token[], index: number): string | null {
  const [before, here] = [tokens[index - 1], tokens[index]]
  if (!before || !here || here.from - before.to > MAX_GAP) return null
  return folded.slice(before.to, here.from)
}

function foldText(text: string): { points: string[]; folded: string; kinds: string; at: number[] } {
  const points = Array.from(text)
  const at: number[] = []
  let folded = ''
  let kinds = ''
  for (let index = 0; index < points.length; index++) {
    const { look, kinds: kind } = fold(points[index]!)
    folded += look
    kinds += kind
    for (let i = 0; i < look.length; i++) at.push(index)
  }
  return { points, folded, kinds, at }
}

export function parseText(text: string): ParsedText {
  const { points, folded, kinds, at } = foldText(text)
  const pieces = findPieces(folded, kinds)
  const parts = splitPieces(folded, kinds, pieces)
  const joined = joinSingles(folded, pieces)
  const others = [parts, joined].filter((view) => view.length !== pieces.length)
  return { text, points, folded, at, pieces, views: [pieces, ...others] }
}

/** The words of a listed name or phrase, in the form the tokens of a text are compared with. */
export function tokensOf(text: string): Token[] {
  const { folded, kinds } = foldText(text)
  return findPieces(folded, kinds)
}
