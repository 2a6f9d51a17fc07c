// What characters look like, and what a word written with digits, symbols or look-alikes may mean.

import { readAsset } from '../platform/runtime/assets.ts'

type StoredCharacters = {
  /** The letters that a character can stand for, likeliest first. Digits count only in tokens that are no number. */
  readonly leet: { readonly [character: string]: [string, string] }
  /**
   * Pairs: a letter that no decomposition turns into Latin, and the Latin letter that it is mistaken for. Cyrillic у and
   * Greek υ are missing on purpose: each stands for two letters and is in `leet`.
   */
  readonly lookalikes: readonly string[]
  /** Letters after a number that make it an ordinal, a time, a distance, a weight or an amount. */
  readonly units: string
}

const STORED = readAsset<StoredCharacters>('text-rules/characters.json')
const LEET = new Map(Object.entries(STORED.leet))
const UNITS = new Set(STORED.units.split(' '))

function letterBlock(first: number): [string, string][] {
  return Array.from({ length: 26 }, (_, i) => [String.fromCodePoint(first + i), String.fromCharCode(97 + i)])
}

/** Look-alikes of Latin letters, by the character as written or in lower case. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ...STORED.lookalikes
    .flatMap((line) => line.split(' '))
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1).toLowerCase()]),
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  // White on black circled and squared letters and the letters flags are made of have no decomposition either.
  ...letterBlock(0x1f150),
  ...letterBlock(0x1f170),
  ...letterBlock(0x1f1e6),
])

const DROPPED = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u
const LETTER = /\p{L}/u
const DIGIT = /\p{N}/u

/** Longer decompositions are whole formulas in one character; nobody spells words with them. */
const MAX_DECOMPOSITION_LENGTH = 4

/** A character that is decomposed already, in lower case, as the Latin letters that it looks like. */
export function latinLookOf(part: string): string {
  const lower = part.toLowerCase()
  return LOOKALIKES.get(part) ?? LOOKALIKES.get(lower) ?? lower
}

/** A code point in lower case, as the Latin letters that it looks like; empty if it is invisible by itself. */
function lookOf(point: string): string {
  if (point < '\x80') return point.toLowerCase()
  const decomposed = point.normalize('NFKD')
  let look = ''
  for (const part of decomposed.length > MAX_DECOMPOSITION_LENGTH ? point : decomposed) {
    if (!DROPPED.test(part)) look += latinLookOf(part)
  }
  if (look === '' || LETTER.test(point) || DIGIT.test(point)) return look
  // Only symbols that show a single letter count: ™ and the like must not lengthen the word before them.
  const letters = Array.from(look).filter((part) => LETTER.test(part))
  return letters.length === 1 ? letters.join('') : point
}

function kindOf(part: string, point: string): string {
  if (LETTER.test(part)) return point === point.toLowerCase() ? 'L' : 'U'
  if (DIGIT.test(part)) return 'D'
  return LEET.has(part) ? 'S' : '-'
}

/**
 * The look of a code point and, for each unit of that, its kind:
 * U capital, L other letter, D digit, S symbol that may stand for a letter, - anything else.
 */
type FoldedPoint = { look: string; kinds: string }

function computeFold(point: string): FoldedPoint {
  const look = lookOf(point)
  return { look, kinds: Array.from(look, (part) => kindOf(part, point).repeat(part.length)).join('') }
}

const ASCII = Array.from({ length: 128 }, (_, code) => computeFold(String.fromCharCode(code)))

export function fold(point: string): FoldedPoint {
  return ASCII[point.codePointAt(0)!] ?? computeFold(point)
}

/** Whether digits may stand for letters here: never in numbers, ordinals, distances ("11", "1st", "7lb", "b365"). */
function mayHideLetters(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  if (digits === 0) return true
  const letters = text.replace(/\P{L}/gu, '').length
  return letters >= 2 && letters * 2 >= digits && !UNITS.has(text.replace(/^\d+/, ''))
}

function decode(text: string, which: 0 | 1): string {
  let out = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = LEET.get(text.charAt(at))?.[which]
    if (letter === undefined) continue
    out += text.slice(from, at) + letter
    from = at + 1
  }
  return from === 0 ? text : out + text.slice(from)
}

/** What a token may mean; `skip` is how many of its first characters were left out. */
export type Interpretation = { text: string; skip: number }

const NUMBER = /^\d+$/

function isDisguised(text: string): boolean {
  for (const point of text) if (LEET.has(point)) return true
  return false
}

/** The likeliest first: digits and symbols decoded, with and without those at the ends. */
export function interpretations(text: string): Interpretation[] {
  if (!isDisguised(text) || NUMBER.test(text)) return [{ text, skip: 0 }]
  let start = 0
  let end = text.length
  const isEdge = (at: number) => /[\d@$]/.test(text.charAt(at))
  while (start < end && isEdge(start)) start++
  while (end > start && isEdge(end - 1)) end--
  const found = new Map<string, number>()
  for (const [from, to] of [[0, text.length] as const, [start, end] as const]) {
    const part = text.slice(from, to)
    for (const decoded of mayHideLetters(part) ? [decode(part, 0), decode(part, 1), part] : [part]) {
      if (!found.has(decoded)) found.set(decoded, from)
    }
  }
  return Array.from(found, ([decoded, skip]) => ({ text: decoded, skip }))
}
