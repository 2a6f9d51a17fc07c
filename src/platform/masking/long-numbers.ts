// Numbers as long as that of a card, however they are written: with signs between the digits, percent-encoded once or twice, as
// escapes of JSON or of XML, in digits of other scripts. They are left out of what is stored of a request or of an answer.

const LEFT_OUT = '…'
/** Fewer digits than any number of a card. Without a look at the check digit, because a mistyped number is left out as well. */
const SHORTEST = 13
/** Signs between two digits of one number. */
const MOST_SIGNS = 3

/** The same text with each long number replaced by "…". Linear in the length of the text. */
export function withoutLongNumbers(text: string): string {
  if (!mayHaveLongNumber(text)) return text
  let rest = text
  for (const decodings of [0, 1, 2]) rest = withoutNumbersRead(rest, decodings)
  return rest
}

/** Counts ASCII digits, of which each encoded digit has one too, and all that is not ASCII. */
function mayHaveLongNumber(text: string): boolean {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x7f || (code >= 0x30 && code <= 0x39)) count++
  }
  return count >= SHORTEST
}

/** `decodings`: how often the text is taken to be encoded. */
function withoutNumbersRead(text: string, decodings: number): string {
  let shown = ''
  let copied = 0
  let [start, end, digits, signs] = [0, 0, 0, 0]
  const leaveOut = (): void => {
    if (digits >= SHORTEST) {
      shown += text.slice(copied, start) + LEFT_OUT
      copied = end
    }
    digits = 0
    signs = 0
  }
  for (let at = 0; at < text.length; ) {
    const { char, length } = readAt(text, at, decodings)
    if (DIGIT.test(char)) {
      if (digits === 0) start = at
      digits++
      signs = 0
      end = at + length
    } else if (digits > 0 && (LETTER.test(char) || ++signs > MOST_SIGNS)) leaveOut()
    at += length
  }
  leaveOut()
  return copied === 0 ? text : shown + text.slice(copied)
}

const DIGIT = /^\p{N}/u
const LETTER = /^\p{L}/u

type Read = { char: string; length: number }

function readAt(text: string, at: number, decodings: number): Read {
  if (decodings > 0) {
    const first = text[at]
    const read =
      first === '%' ? readPercent(text, at, decodings) : first === '\\' || first === '&' ? readEscape(text, at) : null
    if (read !== null) return read
  }
  const char = String.fromCodePoint(text.codePointAt(at) as number)
  return { char, length: char.length }
}

const BYTES_OF = [
  [0xf0, 4],
  [0xe0, 3],
  [0xc0, 2],
] as const

/** A character in UTF-8, each of its bytes percent-encoded. */
function readPercent(text: string, at: number, decodings: number): Read | null {
  const first = readByte(text, at, decodings)
  if (first === null) return null
  const count = BYTES_OF.find(([least]) => first.byte >= least)?.[1] ?? 1
  const bytes = [first.byte]
  let length = first.length
  while (bytes.length < count) {
    const next = readByte(text, at + length, decodings)
    if (next === null || (next.byte & 0xc0) !== 0x80) break
    bytes.push(next.byte)
    length += next.length
  }
  return { char: Buffer.from(bytes).toString(), length }
}

const ENCODED_BYTE = /%([\da-f]{2})/iy
const TWICE_ENCODED_BYTE = /%25([\da-f]{2})/iy

function readByte(text: string, at: number, decodings: number): { byte: number; length: number } | null {
  const found = (decodings > 1 ? matchAt(TWICE_ENCODED_BYTE, text, at) : null) ?? matchAt(ENCODED_BYTE, text, at)
  return found === null ? null : { byte: Number.parseInt(found[1] as string, 16), length: found[0].length }
}

const ESCAPE = /\\u\{?([\da-f]{4})\}?|\\x([\da-f]{2})|\\[^ux]|&#x([\da-f]{1,6});|&#(\d{1,7});|&[a-z]{2,8};/iy

/** Reads an escape of JSON or of XML; one without a character's number counts as a sign. */
function readEscape(text: string, at: number): Read | null {
  const found = matchAt(ESCAPE, text, at)
  if (found === null) return null
  const [whole, unicode, byte, hexadecimal, decimal] = found
  const hex = unicode ?? byte ?? hexadecimal
  const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? 0x20)
  return { char: code <= 0x10ffff ? String.fromCodePoint(code) : ' ', length: whole.length }
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}
