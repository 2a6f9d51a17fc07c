// What a name looks like: names with the same look are the same name (ruling R11). Reserved names are compared by it too.

import { interpretations, latinLookOf } from './characters.ts'

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u
/** U+2800 is Braille without dots. */
const BLANK = /[\p{White_Space}\u2800]/u
const DASH = /[\p{Pd}\u2212]/u

/**
 * In lower case, with Latin letters for those of other scripts that look like them, one space for several blanks, one kind
 * of dash, and without what is invisible. Accents count: José is not Jose.
 */
export function nameLook(name: string): string {
  let look = ''
  for (const part of name.normalize('NFKD')) {
    if (INVISIBLE.test(part)) continue
    if (BLANK.test(part)) look += look === '' || look.endsWith(' ') ? '' : ' '
    else look += DASH.test(part) ? '-' : latinLookOf(part)
  }
  return look.trimEnd().normalize('NFC')
}

/**
 * Whether the name consists of reserved ones alone, whatever stands between or beside their letters: "Moderator", "Paddock_Support 2"
 * and "M0derator", but not "Support your team".
 */
export function isReserved(look: string, reserved: readonly string[]): boolean {
  const parts = reserved.map((name) => lettersOf(nameLook(name))).filter((letters) => letters !== '')
  const forms = interpretations(look.replace(/[\p{P}\s]/gu, ''))
  return forms.some(({ text }) => isMadeOf(lettersOf(text), parts))
}

function lettersOf(look: string): string {
  return look.normalize('NFD').replace(/\P{L}/gu, '')
}

function isMadeOf(text: string, parts: readonly string[]): boolean {
  const ends = new Set([0])
  for (const end of ends) {
    for (const part of parts) if (text.startsWith(part, end)) ends.add(end + part.length)
  }
  return text !== '' && ends.has(text.length)
}
