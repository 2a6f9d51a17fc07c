// Text that others sent, as it may be stored and shown: without secrets and card numbers, and not longer than a limit. What is
// left out is marked with "…".

const LEFT_OUT = '…'

/** 13 digits or more, however they are grouped. */
const DIGITS = /\d(?:[ -]?\d){12,}/g
const CARD_LENGTHS = [13, 14, 15, 16, 17, 18, 19]

const SECRET_NAME =
  /pass(?:word|wd|phrase)?|secret|token|ticket|cv[2cv]\d?|csc|pin|pan|card-?_?number|authorization|signature|api-?_?key|cookie|session/i

/** A name, as in `"password": "…"`, `password=…`, `<password>…` and `Password: …`. */
const NAME = /(?<![\w-])([\w-]{1,200})["']?\s{0,3}[:=>]\s{0,3}/g
/** A quoted value to its end, another to the end of its line or field. */
const VALUE = /"(?:[^"\\]|\\.)*"?|[^"<>&,;\n}]+/y

/** Secrets that can be told by how they begin. */
const KNOWN_SECRET = /\b(?:whsec_|Bearer )[\w+/=.~-]{4,4000}/g

/** `text` may be the beginning of a longer one: give twice `maxLength`, so that no secret is cut where it is not recognised. */
export function maskedText(text: string, maxLength: number): string {
  const masked = withoutNamedSecrets(text)
    .replace(KNOWN_SECRET, LEFT_OUT)
    .replace(DIGITS, (digits) => (hasCardNumber(digits.replace(/\D/g, '')) ? LEFT_OUT : digits))
  const printable = masked.replace(/\p{Cc}/gu, (one) =>
    one === '\n' || one === '\t' ? one : one === '\r' ? '' : '\ufffd',
  )
  // PostgreSQL takes no half of a character.
  if (printable.length <= maxLength) return printable.toWellFormed()
  return (printable.slice(0, maxLength - 1) + LEFT_OUT).toWellFormed()
}

/** A value that follows a name may itself be a name and a value: only what is left out is skipped. */
function withoutNamedSecrets(text: string): string {
  let masked = ''
  let end = 0
  for (const found of text.matchAll(NAME)) {
    const from = found.index + found[0].length
    if (found.index < end || !isSecretName(found[1] as string)) continue
    VALUE.lastIndex = from
    const value = VALUE.exec(text)?.[0] ?? ''
    if (value === '') continue
    masked += text.slice(end, from) + (value.startsWith('"') ? `"${LEFT_OUT}"` : LEFT_OUT)
    end = from + value.length
  }
  return masked + text.slice(end)
}

/** Whether the value of a header or field with this name is shown. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Anywhere in it, because other digits may stand before or after. What is longer than a card number with its CV2 is left out anyway. */
function hasCardNumber(digits: string): boolean {
  if (digits.length > 23) return true
  return CARD_LENGTHS.some((length) => {
    for (let from = 0; from + length <= digits.length; from++)
      if (isCardNumber(digits.slice(from, from + length))) return true
    return false
  })
}

/** By its check digit (Luhn): one number in ten passes, so some other numbers are masked too. */
function isCardNumber(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits.at(-1 - index))
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
