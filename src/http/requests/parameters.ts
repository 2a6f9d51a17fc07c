// Parameters are data: where they come from, what an absent one means, what is valid. They are read in two passes (ruling R1):
// first all required ones must be present, then all must be valid.

import { Fault, type FaultKind } from '../../faults.ts'

type Source = 'path' | 'query' | 'header' | 'query or header' | 'query or form'

export type Parameter<T = unknown> = {
  readonly from: Source
  readonly meaning: string
  /** Never shown to operators, among the last requests of an application. */
  readonly secret?: true
  readonly required?: true
  /** Not part of the contract: ignored with EXTENSIONS=off. */
  readonly extension?: true
  /** The value when it is not sent, or blank. */
  readonly absent: T
  /** A blank one is a value, which may be invalid. */
  readonly blank?: 'value'
  /** With another value in the form than in the query it is not valid (ruling R12); otherwise the query wins. */
  readonly mustAgree?: true
  /** Whether its text may have several lines; otherwise a line end is invalid, as any control character is. */
  readonly lines?: true
  /** undefined: not valid. */
  readonly parse: (raw: string) => T | undefined
  /** The faultName, where it is not the parameter's own name. */
  readonly faultName?: string
  readonly missingFault?: FaultKind
  readonly invalidFault?: FaultKind
  /** For one given twice or not well-formed, where that is another fault than a value that is not valid. */
  readonly malformedFault?: FaultKind
  readonly schema: { readonly [keyword: string]: unknown }
}

export type Parameters = { readonly [name: string]: Parameter }
export type ParameterValues<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never
}

/** Given twice, not UTF-8, or with a character that no parameter may have. */
export const MALFORMED: unique symbol = Symbol('malformed')
export type Raw = string | typeof MALFORMED | undefined

type Named = readonly (readonly [string, Parameter])[]

/** The first pass, over the texts that `rawOf` finds in the request: throws for a required parameter that is missing. */
export function readRaw<R>(
  parameters: Named,
  request: R,
  rawOf: (request: R, name: string, parameter: Parameter) => Raw,
): Raw[] {
  const raws = new Array<Raw>(parameters.length)
  for (let index = 0; index < parameters.length; index++) {
    const [name, parameter] = parameters[index] as readonly [string, Parameter]
    const value = rawOf(request, name, parameter)
    if (parameter.required && (value === undefined || value === '')) {
      throw new Fault(parameter.missingFault ?? 'missing', parameter.faultName ?? name)
    }
    raws[index] = value
  }
  return raws
}

/** The second pass: throws for a value that is not valid. */
export function parseRaw(parameters: Named, raws: Raw[]): unknown[] {
  const values = new Array<unknown>(parameters.length)
  for (let index = 0; index < parameters.length; index++) {
    const [name, parameter] = parameters[index] as readonly [string, Parameter]
    values[index] = parseOne(name, parameter, raws[index])
  }
  return values
}

function parseOne(name: string, parameter: Parameter, raw: Raw): unknown {
  if (raw === undefined || (raw === '' && parameter.blank !== 'value')) return parameter.absent
  const { invalidFault = 'invalid', malformedFault = invalidFault } = parameter
  if (raw === MALFORMED || (!parameter.lines && LINE_END.test(raw))) {
    throw new Fault(malformedFault, parameter.faultName ?? name)
  }
  const value = parameter.parse(raw)
  if (value === undefined) throw new Fault(invalidFault, parameter.faultName ?? name)
  return value
}

/** Control characters, and the two others that XML 1.0 forbids. */
const FORBIDDEN = /[\p{Cc}\ufffe\uffff]/u
/** The same in a text of several lines. */
const FORBIDDEN_IN_LINES = /[[\p{Cc}\ufffe\uffff]--[\n\r]]/v
export const LINE_END = /[\n\r]/

/** The pairs of a query string or a form: UTF-8, percent-encoded or raw, in which case each character is a byte. */
export function parsePairs(text: string): Map<string, string | typeof MALFORMED> {
  const pairs = new Map<string, string | typeof MALFORMED>()
  if (text === '') return pairs
  for (const part of text.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decodedText(equals === -1 ? part : part.slice(0, equals))
    if (typeof name !== 'string') continue
    pairs.set(name, pairs.has(name) ? MALFORMED : decodedText(equals === -1 ? '' : part.slice(equals + 1)))
  }
  return pairs
}

export function decodedText(text: string): string | typeof MALFORMED {
  try {
    const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
    if (isPrintable(spaced) && !spaced.includes('%')) return spaced
    const value = decodeURIComponent(spaced.replace(/[\x80-\xff]/g, percentEncoded))
    return FORBIDDEN_IN_LINES.test(value) ? MALFORMED : value
  } catch {
    return MALFORMED
  }
}

function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16)}`
}

export function textOrMalformed(text: string): string | typeof MALFORMED {
  return isPrintable(text) || !FORBIDDEN.test(text) ? text : MALFORMED
}

/** Printable ASCII only; faster than a regular expression. */
function isPrintable(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Node decodes headers as Latin-1; ours are UTF-8. */
export function headerText(values: readonly string[] | undefined): Raw {
  if (values === undefined) return undefined
  if (values.length > 1) return MALFORMED
  try {
    return textOrMalformed(utf8.decode(Buffer.from(values[0] as string, 'latin1')))
  } catch {
    return MALFORMED
  }
}

// ---- Parameters that several areas share.

const SURROGATE = /[\ud800-\udfff]/

/** Counts code points, not units of UTF-16. */
function characterCount(text: string): number {
  return SURROGATE.test(text) ? [...text].length : text.length
}

const MAX_LINE_FEEDS = 10

/** Unassigned and private-use characters: every reader sees them as something else, or not at all. */
const WITHOUT_MEANING = /[\p{Cn}\p{Co}]/u

/**
 * A text as it is stored: trimmed, in NFC, its lines ended by LF. undefined: too short, too long, too many lines, or with a
 * character that has no meaning.
 */
export function normalisedText(raw: string, { least, most }: { least: number; most: number }): string | undefined {
  const text = trimBlanks(raw.replace(/\r\n?/g, '\n').normalize('NFC'))
  if (WITHOUT_MEANING.test(text)) return undefined
  const length = characterCount(text)
  return length >= least && length <= most && text.split('\n').length <= MAX_LINE_FEEDS + 1 ? text : undefined
}

/** Characters that show nothing and are not white space: zero-width ones, Hangul fillers, Braille without dots. */
const EMPTY_CHARACTERS = new Set('\u00ad\u115f\u1160\u180e\u200b\u200c\u2060\u2800\u3164\uffa0')

/** A loop, because a regular expression for the end takes quadratic time. */
function trimBlanks(text: string): string {
  const isBlank = (at: number) => EMPTY_CHARACTERS.has(text.charAt(at)) || text.charAt(at).trim() === ''
  let [start, end] = [0, text.length]
  while (start < end && isBlank(start)) start++
  while (end > start && isBlank(end - 1)) end--
  return text.slice(start, end)
}

/** Stands for a well-formed id that is larger than any in use: nothing has it. */
export const UNKNOWN_ID = -1

export function parseDigits(raw: string): number | undefined {
  if (!/^[0-9]+$/.test(raw)) return undefined
  const id = Number(raw)
  return Number.isSafeInteger(id) ? id : UNKNOWN_ID
}

export function pathId(meaning: string, faultName?: string): Parameter<number> {
  return {
    from: 'path',
    meaning,
    required: true,
    absent: UNKNOWN_ID,
    parse: parseDigits,
    ...(faultName === undefined ? {} : { faultName }),
    schema: { type: 'string', pattern: '^[0-9]+$' },
  }
}

export function queryInteger(
  meaning: string,
  range: { absent: number; least: number; most: number },
  faultName: string,
): Parameter<number> {
  return {
    from: 'query',
    meaning,
    absent: range.absent,
    blank: 'value',
    parse(raw) {
      const value = parseDigits(raw)
      return value !== undefined && value >= range.least && value <= range.most ? value : undefined
    },
    faultName,
    schema: { type: 'integer', minimum: range.least, maximum: range.most, default: range.absent },
  }
}

/** Far beyond any list; a larger block number is as empty as this one. */
const LAST_BLOCK = 1_000_000_000

export const blockParameters = {
  blockSize: queryInteger('items per block', { absent: 20, least: 1, most: 100 }, 'blockSize|blockNum'),
  blockNum: {
    from: 'query',
    meaning: 'which block, from 0',
    absent: 0,
    blank: 'value',
    parse(raw) {
      const value = parseDigits(raw)
      return value === undefined || (value >= 0 && value <= LAST_BLOCK) ? value : LAST_BLOCK
    },
    faultName: 'blockSize|blockNum',
    schema: { type: 'integer', minimum: 0, default: 0 },
  } satisfies Parameter<number>,
}

/** N when it is absent. */
export function queryYesNo(meaning: string): Parameter<boolean> {
  return {
    from: 'query',
    meaning,
    absent: false,
    parse: (raw) => (raw === 'Y' ? true : raw === 'N' ? false : undefined),
    schema: { type: 'string', enum: ['Y', 'N', ''], default: 'N' },
  }
}

/** Digits, such as an id, that may be left out. */
export function queryDigits<T extends number | null>(meaning: string, absent: T): Parameter<number | T> {
  return {
    from: 'query',
    meaning,
    absent,
    parse: parseDigits,
    schema: { type: 'string', pattern: '^[0-9]*$' },
  }
}

export function queryChoice<T extends string>(meaning: string, allowed: readonly T[], absent: T): Parameter<T> {
  return {
    from: 'query',
    meaning,
    absent,
    parse: (raw) => allowed.find((value) => value === raw),
    schema: { type: 'string', enum: ['', ...allowed], default: absent },
  }
}
