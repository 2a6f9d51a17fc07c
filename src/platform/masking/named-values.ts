// Where a value ends that follows a name, in JSON, XML, a form or a line. A text that breaks off ends it too.

type Found = {
  readonly name: string
  /** What stands between name and value: a quote, perhaps escaped, and the sign. */
  readonly after: string
}

/** The position after the value that begins at `from`. Linear in its length. */
export function valueEnd(text: string, from: number, { name, after }: Found): number {
  const opening = text[from] ?? ''
  if (opening === '{' || opening === '[') return bracketsEnd(text, from)
  if (after.endsWith('>')) return opening === '<' ? elementEnd(text, from, name) : until(text, from, '<')
  const quote = matchAt(QUOTE, text, from)
  if (quote !== undefined) return quotedEnd(text, from, quote)
  // A header goes to the end of its line: its value may have any signs.
  return after === ':' && !isWithinLine(text, from) ? until(text, from, '\n') : matchEnd(PLAIN, text, from)
}

const QUOTE = /\\{0,3}["']/y
const PLAIN = /[^"<>&,;\n}\]]*/y

/** Whether the line has a bracket before: a name and a value of an object. */
function isWithinLine(text: string, from: number): boolean {
  const start = text.lastIndexOf('\n', from) + 1
  return /[{[,;]/.test(text.slice(Math.max(start, from - 300), from))
}

function until(text: string, from: number, sign: string): number {
  const found = text.indexOf(sign, from)
  return found === -1 ? text.length : found
}

/** A quote that is escaped as the first one is ends it. */
function quotedEnd(text: string, from: number, quote: string): number {
  if (quote.length > 1) {
    const end = text.indexOf(quote, from + quote.length)
    return end === -1 ? text.length : end + quote.length
  }
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at + 1
  }
  return text.length
}

/** With all that is nested in it. Brackets in strings count for nothing. */
function bracketsEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const sign = text[at] as string
    if (sign === '"') at = quotedEnd(text, at, '"') - 1
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
  }
  return text.length
}

function elementEnd(text: string, from: number, name: string): number {
  // Nothing in it, or nothing but its end.
  if (text.startsWith(`</${name}`, from)) return from
  return until(text, from, `</${name}`)
}

function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at
  return expression.exec(text)?.[0]
}

const matchEnd = (expression: RegExp, text: string, at: number): number =>
  at + (matchAt(expression, text, at) ?? '').length
