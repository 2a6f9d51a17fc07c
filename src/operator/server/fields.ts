// The notation of schemas (`s.object`, `s.string`), with the fields that several share (`s.id`, `s.time`).

import {
  fromColumn,
  type JsonSchema,
  list,
  object,
  orNull,
  type Schema,
  string,
  stringOf,
  type ValueOf,
  withDefault,
} from '../../http/representation/json-schema.ts'
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { formatMoney } from '../../platform/runtime/money.ts'

export * from '../../http/representation/json-schema.ts'

/**
 * PostgreSQL cannot store a zero character, XML forbids U+FFFE and U+FFFF, halves of surrogate pairs are not text, and no
 * name has a reason for the other control characters.
 */
const LINE = '^[^\\p{Cc}\\p{Cs}\\ufffe\\uffff]*$'
export const LINES = '^([^\\p{Cc}\\p{Cs}\\ufffe\\uffff]|[\\t\\n\\r])*$'
export const WORDS = '^\\s*[^\\s\\p{Cc}\\p{Cs}\\ufffe\\uffff]([^\\p{Cc}\\p{Cs}\\ufffe\\uffff]|[\\t\\n\\r])*$'
const ID = '^[0-9]{1,15}$'
export const CLAUSE_KEY = '^[a-z0-9-]{1,40}$'
export const ASSIGNEE = '^(person|group):[^\\p{Cc}\\p{Cs}\\ufffe\\uffff]+$'
const MONEY = '^(0|[1-9][0-9]{0,12})(\\.[0-9]{1,2})?$'
const SIGNED_MONEY = '^-?(0|[1-9][0-9]{0,9})(\\.[0-9]{1,2})?$'
const REFERENCE = '^[\\x21-\\x7e]{1,64}$'
const DEDUCTION = '^0(\\.([0-8][0-9]?|90?))?$'
const VERSION = '^[0-9]{1,9}-[0-9a-f]{16}$'
const AMOUNT = '^-?[0-9]+\\.[0-9]{2}$'
/** The same form, for points, per cent and odds. */
const FIGURE = '^-?[0-9]+[.][0-9]{2}$'

/** Shown in refusals instead of the pattern. */
export const PATTERNS_IN_WORDS: ReadonlyMap<string, string> = new Map([
  [LINE, 'must be text without control characters and others that XML forbids'],
  [LINES, 'must be text without characters that XML forbids; tabs and line ends are allowed'],
  [WORDS, 'must be text that is not blank, without characters that XML forbids; tabs and line ends are allowed'],
  [ID, 'must be an id: 1 to 15 digits'],
  [CLAUSE_KEY, 'must be a key: up to 40 small letters, digits and hyphens'],
  [ASSIGNEE, 'must be "person:" or "group:" and a name'],
  [MONEY, 'must be an amount such as "12" or "12.50"'],
  [SIGNED_MONEY, 'must be an amount such as "5.00" or "-5.00", of 10 digits at most'],
  [REFERENCE, 'must be 1 to 64 visible ASCII characters'],
  [DEDUCTION, 'must be a deduction from "0" to "0.90", with at most two decimals'],
  [VERSION, 'must be the version that the subject was shown with'],
])

/** What the reference calls text with a pattern; its guide explains each. */
export const PATTERN_TYPES: ReadonlyMap<string, string> = new Map([
  [LINE, 'text'],
  [LINES, 'text, with line ends'],
  [WORDS, 'text that is not blank'],
  [ID, 'id'],
  [CLAUSE_KEY, 'key'],
  [ASSIGNEE, 'assignee'],
  [MONEY, 'amount'],
  [SIGNED_MONEY, 'amount'],
  [AMOUNT, 'amount'],
  [REFERENCE, 'reference'],
  [DEDUCTION, 'deduction'],
  [FIGURE, 'figure'],
  [VERSION, 'version'],
])

function ofPattern(pattern: string, example: string, description?: string): Schema<string> {
  return stringOf({ pattern, examples: [example] }, undefined, description)
}

// ---- Fields of requests.

/** Numbers become strings before the check (bodies.ts). */
export function id(example = '1', description?: string): Schema<string, string, number> {
  return fromColumn(ofPattern(ID, example, description), (column: number) => `${column}`)
}

/** As `id`. */
export function money(example: string, description?: string): Schema<string> {
  return ofPattern(MONEY, example, description)
}

/** As `money`, but may be negative. */
export function signedMoney(example: string, description?: string): Schema<string> {
  return ofPattern(SIGNED_MONEY, example, description)
}

/** A name that a caller gives. */
export function reference(example: string, description?: string): Schema<string> {
  return ofPattern(REFERENCE, example, description)
}

/** A part of winnings, as `id`. */
export function deduction(example: string, description?: string): Schema<string> {
  return ofPattern(DEDUCTION, example, description)
}

export function text(shortest: number, longest: number, example?: string, description?: string): Schema<string> {
  return stringOf({ minLength: shortest, maxLength: longest, pattern: LINE }, example, description)
}

/** With tabs and line ends. */
export function lines(longest: number, example: string, description?: string): Schema<string> {
  return stringOf({ maxLength: longest, pattern: LINES }, example, description)
}

export const reason = stringOf(
  { maxLength: 1000, pattern: WORDS },
  'Requested in writing',
  'Why. It is stored in the audit trail.',
)

export const note = withDefault(
  stringOf({ maxLength: 1000, pattern: LINES }, 'Seen and fine', 'Stored with the decision.'),
  '',
)

export const version = stringOf(
  { pattern: VERSION },
  '0-6f1c0c0f2a9d3b57',
  'The version that the subject was shown with. If the subject has changed since, the decision is refused with 409, ' +
    'and `current` and `meanwhile` show how. Without it, the decision is about the subject as it is now.',
)

// ---- Fields of answers.

export const EXAMPLE_TIME = '2026-03-14T15:09:26.535Z'

/** A column has milliseconds since 1970. */
export function time(description?: string): Schema<string, string, number> {
  return fromColumn(stringOf({ format: 'date-time', examples: [EXAMPLE_TIME] }, undefined, description), isoTime)
}

/** Always with its pence or cents. A column has whole pence or cents. */
export function amount(example = '0.00', description?: string): Schema<string, string, string | bigint> {
  return fromColumn(ofPattern(AMOUNT, example, description), (column: string | bigint) => formatMoney(BigInt(column)))
}

/** Points, per cent or odds, with two decimals; never money. */
export function figure(example: string, description?: string): Schema<string> {
  return ofPattern(FIGURE, example, description)
}

const cursor = orNull(string(), 'Send it as `cursor` for the next page. null: this page is the last.', null)

export function page<Value, Sent>(items: Schema<Value, Sent, unknown>) {
  return object({ items: list(items), cursor })
}

/** `searchedUntil`: what it means where it is not null (platform/database/filtered-list.ts). */
export function searchedPage<Value, Sent>(items: Schema<Value, Sent>, searchedUntil: string) {
  return object({
    ...page(items).properties,
    searchedUntil: orNull(time(), searchedUntil, null),
  })
}

export type Page<Item> = ValueOf<ReturnType<typeof page<Item, Item>>>

/** The headers of an operation that takes a key. */
export const keyHeaders = {
  'Idempotency-Key': stringOf(
    { pattern: REFERENCE },
    undefined,
    'The same key and body again are answered with the first result, and nothing is done twice.',
  ),
}

/** Path parameters whose name ends in "id" are ids. */
export function pathSchema(path: string): Record<string, JsonSchema> {
  const parameters = [...path.matchAll(/\/([\w-]+)\/\{(\w+)\}/g)].map(([, collection = '', name = '']) => {
    const description = `The ${/key$/i.test(name) ? 'key' : 'id'} of the ${collection.replace(/s$/, '').replace('-', ' ')}.`
    return [name, isId(name) ? id('1', description) : stringOf({ pattern: LINE }, undefined, description)] as const
  })
  return Object.fromEntries(parameters)
}

/** "/moderation/profiles/{id}" → "profile" */
export function subjectKind(path: string): string | null {
  return /\/([\w-]+)s\/\{\w+\}/.exec(path)?.[1] ?? null
}

export function isId(name: string): boolean {
  return /id$/i.test(name) && name !== 'paymentId'
}
