// The path and query of a request, and its form, as operators may see them: of the parameters that the operation declares only those
// whose value matches what they declare. "…" stands for everything else: it may be a secret, the number of a card in a wrong field,
// or a text that outlives the erasure of its author's data here.

import { withoutLongNumbers } from '../../platform/masking/long-numbers.ts'
import { decodedText, type Parameter } from '../requests/parameters.ts'
import type { Operation } from './operation.ts'
import { servedPaths } from './operation-paths.ts'

const MAX_LENGTH = 500
const LEFT_OUT = '…'

type Shown = { readonly [name: string]: (value: string) => boolean }

export function shownTargetOf(operation: Operation): (url: string) => string {
  const { path, parameters } = operation
  const templates = servedPaths([operation]).map((served) => served.path.split('/'))
  const inPath = shownOf(parameters, (from) => from === 'path')
  const inQuery = shownOf(parameters, (from) => from.startsWith('query'))
  return (url) => {
    const start = url.indexOf('?')
    const segments = (start === -1 ? url : url.slice(0, start)).split('/')
    const template = templates.find((one) => isServedAt(one, segments))
    const shownPath =
      template?.map((part, index) => shownSegment(part, segments[index] ?? '', inPath)).join('/') ?? path
    return bounded(shownPath + (start === -1 ? '' : `?${shownPairs(url.slice(start + 1), inQuery)}`))
  }
}

/** The same for a form, in which an operation may take parameters. `isCut`: its last parameter may be the beginning of one. */
export function shownFormOf({ parameters }: Operation): (form: string, isCut?: boolean) => string {
  const inForm = shownOf(parameters, (from) => from === 'query or form')
  return (form, isCut = false) => {
    if (!isCut) return bounded(shownPairs(form, inForm))
    const whole = form.slice(0, form.lastIndexOf('&') + 1)
    return bounded(`${shownPairs(whole, inForm)}&${LEFT_OUT}`)
  }
}

function shownOf(parameters: Operation['parameters'], isFrom: (from: Parameter['from']) => boolean): Shown {
  const rows = Object.entries(parameters as Record<string, Parameter>).filter(
    ([, { from, secret }]) => isFrom(from) && !secret,
  )
  return Object.assign(
    Object.create(null),
    Object.fromEntries(rows.map(([name, parameter]) => [name, isHarmlessFor(parameter)])),
  )
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
}
/** A parameter that takes this takes any text. */
const ANY_TEXT = 'Any words, of 1 or more'

/** Whether a value is what the parameter declares. Any value of a parameter that declares nothing may be a text of somebody. */
function isHarmlessFor({ schema, parse }: Parameter): (value: string) => boolean {
  const { type, pattern, format } = schema as { type?: string; pattern?: string; format?: string }
  const choices = Array.isArray(schema.enum) ? new Set(schema.enum.map(String)) : null
  if (choices !== null) return (value) => choices.has(value)
  // Also one that is out of range: it is what a developer looks for.
  if (type === 'integer') return (value) => /^-?\d{1,12}$/.test(value)
  const ofFormat = FORMATS[format ?? '']
  if (ofFormat !== undefined) return (value) => ofFormat.test(value)
  if (pattern === undefined || parse(ANY_TEXT) !== undefined) return () => false
  return (value) => value === '' || (parse(value) !== undefined && withoutLongNumbers(value) === value)
}

const isParameter = (part: string): boolean => part.startsWith('{')

function isServedAt(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => isParameter(part) || part === segments[index])
  )
}

/** A secret is shown by its name. */
function shownSegment(part: string, segment: string, shown: Shown): string {
  if (!isParameter(part)) return part
  const isHarmless = shown[part.slice(1, -1)]
  return isHarmless === undefined ? part : isHarmless(segment) ? segment : LEFT_OUT
}

/** The values as they were sent, percent-encoded. */
function shownPairs(text: string, shown: Shown): string {
  const parts = text.split('&').filter((part) => part !== '')
  const kept = parts.flatMap((part) => {
    const equals = part.indexOf('=')
    const name = decodedText(equals === -1 ? part : part.slice(0, equals))
    const isHarmless = typeof name === 'string' ? shown[name] : undefined
    if (typeof name !== 'string' || isHarmless === undefined) return []
    const sent = equals === -1 ? '' : part.slice(equals + 1)
    const value = decodedText(sent)
    return [`${name}=${typeof value === 'string' && isHarmless(value) ? sent : LEFT_OUT}`]
  })
  return (kept.length === parts.length ? kept : [...kept, LEFT_OUT]).join('&')
}

function bounded(shown: string): string {
  const text = withoutLongNumbers(shown)
  return text.length <= MAX_LENGTH ? text : text.slice(0, MAX_LENGTH - 1) + LEFT_OUT
}
