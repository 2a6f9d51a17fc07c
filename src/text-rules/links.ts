// Whether a text has a link: what a reader could open or type into a browser. Compatible characters (NFKC) and invisible ones are
// resolved first, so that full-width dots and zero-width spaces hide none.

import { readAsset } from '../platform/runtime/assets.ts'

/** The root zone, without the names in Punycode, which all begin with xn--. */
const TOP_LEVEL_DOMAINS = new Set(
  readAsset<readonly string[]>('text-rules/top-level-domains.json').flatMap((line) => line.split(' ')),
)

/**
 * Top-level domains that are also words which begin sentences: "backed it.No chance" lacks a blank and is no link. They count
 * with a small letter, or with a path.
 */
const SENTENCE_STARTERS = new Set(
  `am as at be best bet by do fan fit fun game games go goal here how in is it live look lol man me moi my next no now of off one
   play red rest safe save show so sports still team tips to today top us watch we win winners work you zero`.split(
    /\s+/,
  ),
)

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** U+3002: browsers read it as a dot. */
const DOTS = /。/g
const ADDRESS = /\bhttps?:\/\/|\bwww\./i
const NUMERIC = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)/
/** Labels with a dot between them, and a path, if there is one. */
const NAMES =
  /(?<![\p{L}\p{N}.-])((?:[\p{L}\p{N}_-]{1,63}\.){1,10})([\p{L}\p{N}-]{2,63})(?![\p{L}\p{N}_-])(:\d|\/[^\s/])?/gu

export function hasLink(text: string): boolean {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '').replace(DOTS, '.')
  if (ADDRESS.test(plain) || NUMERIC.test(plain)) return true
  for (const [, labels = '', last = '', path] of plain.matchAll(NAMES)) {
    if (/\p{L}/u.test(last) && (path !== undefined || isDomain(labels, last))) return true
  }
  return false
}

function isDomain(labels: string, last: string): boolean {
  const name = last.toLowerCase()
  if (name.startsWith('xn--')) return true
  if (!TOP_LEVEL_DOMAINS.has(name)) return false
  const beginsSentence = /^\p{Lu}\p{Ll}*$/u.test(last) && SENTENCE_STARTERS.has(name)
  // "2.5 units at 9.am": a number before a dot is no name, unless letters follow it.
  return !beginsSentence && /\p{L}/u.test(labels)
}
