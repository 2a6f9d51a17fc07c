import { Fault } from '../faults.ts'
import { finishAtOnce, type Work } from '../platform/runtime/slices.ts'
import { type ParsedText, parseText, tokensOf } from './parse-text.ts'
import { BUILT_IN_WORDS, INNOCENT } from './word-lists.ts'
import { compileWords, compilingWords, findWords, type MatchRule, type Span, type WordIndex } from './words.ts'

type TextVerdict = { verdict: 'fine' } | { verdict: 'ancillary' } | { verdict: 'inappropriate'; solution: string }

/**
 * The operator's own lists, in addition to the built-in ones. A name in `allowed` protects the words inside it wherever the
 * whole name is written, against the built-in words and against `blocked`; names of events and outcomes belong there.
 */
export type WordLists = { blocked: readonly string[]; allowed: readonly string[] }

/** `names` are allowed in this text in addition to those of the lists: a tip may name its own event and outcome. */
export type TextRules = (text: string, names?: readonly string[]) => TextVerdict

/** `from` and `to`: code points of the text. `word`: as it is listed, folded. `isAllowed`: it is part of an allowed name. */
export type Match = {
  readonly from: number
  readonly to: number
  readonly word: string
  readonly list: 'built-in' | 'blocked'
  readonly rule: MatchRule
  readonly isAllowed: boolean
}

export type Explanation = { readonly verdict: TextVerdict; readonly matches: readonly Match[] }

/** `explain` adds the reasons, for operators who try words. */
export type CompiledRules = { readonly check: TextRules; readonly explain: (text: string) => Explanation }

/** A phase returns the parts of a text that must be masked; `ancillary` ends the check. */
type Phase = (parsed: ParsedText) => 'ancillary' | readonly Span[]

/** Names and their beginnings, by their words in lower case; true: a complete name, false: only its beginning. */
type Names = ReadonlyMap<string, boolean>

/** `parameter`: the one at fault. */
export function refuseBadText(rules: TextRules, parameter: string, text: string, names?: readonly string[]): void {
  const verdict = rules(text, names)
  if (verdict.verdict === 'ancillary') throw new Fault('ancillary', parameter)
  if (verdict.verdict === 'inappropriate') throw new Fault('inappropriate', parameter, { solution: verdict.solution })
}

const HAS_CONTENT = /[[\p{L}\p{N}]--\p{Default_Ignorable_Code_Point}]/v
const TEAM_SEPARATOR = / (?:vs?\.?|@|-) /i
const builtIn = compileWords(BUILT_IN_WORDS)

export function textRules(lists: WordLists): TextRules {
  return compileRules(lists).check
}

export function compileRules(lists: WordLists): CompiledRules {
  return finishAtOnce(compilingRules(lists))
}

export function* compilingRules(lists: WordLists): Work<CompiledRules> {
  const names = yield* compilingNames([...INNOCENT, ...lists.allowed])
  const own = yield* compilingWords({
    standalone: lists.blocked.flatMap(withPlural),
    lengthened: [],
    inner: [],
    splittable: [],
    veiled: [],
  })
  // Without the operator's words one search is enough.
  const indexes = lists.blocked.length === 0 ? [builtIn] : [builtIn, own]
  const search = (known: Names): Phase[] => indexes.map((index) => wordPhase(index, known))
  const phases: readonly Phase[] = [ancillaryPhase, ...search(names)]
  const check: TextRules = (text, more = []) => {
    const verdict = checkPhases(text, phases)
    // The names of one text are compiled only when they can make a difference, which is rare.
    if (verdict.verdict !== 'inappropriate' || more.length === 0) return verdict
    const all = new Map(names)
    for (const [name, isComplete] of finishAtOnce(compilingNames(more)))
      all.set(name, isComplete || names.get(name) === true)
    return checkPhases(text, search(all))
  }
  return { check, explain: (text) => ({ verdict: check(text), matches: matchesIn(text, names, own) }) }
}

function matchesIn(text: string, names: Names, own: WordIndex): Match[] {
  const parsed = parseText(text)
  const protectedTo = protection(names, parsed)
  const found = (index: WordIndex, list: Match['list']) =>
    findWords(index, parsed).map(({ from, to, word, rule }) => ({
      from: parsed.at[from]!,
      to: parsed.at[to - 1]! + 1,
      word,
      list,
      rule,
      isAllowed: protectedTo[from]! >= to,
    }))
  const all = [...found(builtIn, 'built-in'), ...found(own, 'blocked')]
  // The ways to cut a text find the same word several times; the simplest comes first.
  const different = new Map(all.reverse().map((one) => [`${one.from} ${one.to} ${one.list}`, one]))
  return [...different.values()].sort((one, other) => one.from - other.from || other.to - one.to)
}

function checkPhases(text: string, phases: readonly Phase[]): TextVerdict {
  const parsed = parseText(text)
  const spans: Span[] = []
  for (const phase of phases) {
    const finding = phase(parsed)
    if (finding === 'ancillary') return { verdict: 'ancillary' }
    spans.push(...finding)
  }
  return spans.length === 0 ? { verdict: 'fine' } : { verdict: 'inappropriate', solution: mask(parsed, spans) }
}

function ancillaryPhase(parsed: ParsedText): 'ancillary' | readonly Span[] {
  return HAS_CONTENT.test(parsed.text) ? [] : 'ancillary'
}

function wordPhase(index: WordIndex, names: Names): Phase {
  return (parsed) => {
    const spans = findWords(index, parsed)
    if (spans.length === 0) return spans
    const protectedTo = protection(names, parsed)
    return spans.filter((span) => protectedTo[span.from]! < span.to)
  }
}

/** Without the plural of a short word, which is likely to be another word. */
function withPlural(word: string): string[] {
  return word.length >= 4 ? [word, `${word}s`] : [word]
}

function* compilingNames(list: readonly string[]): Work<Names> {
  const names = new Map<string, boolean>()
  for (const name of new Set(list.flatMap((entry) => [entry, ...entry.split(TEAM_SEPARATOR)]))) {
    let key = ''
    for (const { text } of tokensOf(name)) {
      if (key !== '' && !names.has(key)) names.set(key, false)
      key += key === '' ? text : ` ${text}`
    }
    if (key !== '') names.set(key, true)
    yield
  }
  return names
}

/** For every position of the folded text, how far the names reach that start there or before. */
function protection(names: Names, parsed: ParsedText): number[] {
  const to = new Array<number>(parsed.folded.length + 1).fill(0)
  for (const view of parsed.views) {
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

/** Replaces each code point of the words found by a star; what separates them stays. */
function mask({ points, folded, at, pieces }: ParsedText, spans: readonly Span[]): string {
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
  const isMasked = pieces.map((piece) => depth.slice(piece.from, piece.to).some((n) => n > 0))
  // Words joined to a masked one by stars are masked too: next to the new stars, the rest would read as a veiled word.
  const isJoined = (i: number) => /^\*+$/.test(folded.slice(pieces[i - 1]!.to, pieces[i]!.from))
  for (let i = 1; i < pieces.length; i++) isMasked[i] ||= isMasked[i - 1]! && isJoined(i)
  for (let i = pieces.length - 1; i > 0; i--) isMasked[i - 1] ||= isMasked[i]! && isJoined(i)
  for (const [i, piece] of pieces.entries()) if (isMasked[i]) hide(piece.from, piece.to)
  return masked.join('')
}
