// The path and query of a request as operators may see them: only parameters that the operation declares and that are neither
// secret nor free text, which outlives the erasure of its author's data here ("name=…"). What is left out is marked with "…":
// its name could be a secret as well. So is every long number, wherever it stands: it may be that of a card in a wrong field.

import type { Operation } from './operation.ts'
import type { Parameter } from './parameters.ts'

const MAX_LENGTH = 500
const LEFT_OUT = '…'
/**
 * As long as the number of a card, in groups and percent-encoded too. Unlike masked-text.ts without a look at the check digit: a
 * mistyped number is left out as well, and here no long number is missed.
 */
const LONG_NUMBER = /(?:(?:\d|%3\d)(?:[ +-]|%20)?){13,}/g

export function shownTargetOf({ path, parameters }: Operation): (url: string) => string {
  const rows = Object.entries(parameters)
  const ofQuery = rows.filter(([, { from, secret }]) => from.startsWith('query') && !secret)
  const masked = new Set(ofQuery.filter(([, parameter]) => isFreeText(parameter)).map(([name]) => name))
  const hidesPath = rows.some(([, { from, secret }]) => from === 'path' && secret)
  const shown = new Set(ofQuery.map(([name]) => name).filter((name) => !masked.has(name)))
  return (sent) => {
    const url = sent.replace(LONG_NUMBER, LEFT_OUT)
    const start = url.indexOf('?')
    if (!hidesPath && url.length <= MAX_LENGTH && (start === -1 || isShown(url, start + 1, shown))) return url
    const own = start === -1 ? url : url.slice(0, start)
    const target =
      (hidesPath ? path : own) + (start === -1 ? '' : `?${shownQuery(url.slice(start + 1), { shown, masked })}`)
    return target.length <= MAX_LENGTH ? target : copyOf(target.slice(0, MAX_LENGTH - 1) + LEFT_OUT)
  }
}

/** The same for a form, in which an operation may take parameters. */
export function shownFormOf({ parameters }: Operation): (form: string) => string {
  const ofForm = Object.entries(parameters).filter(([, { from, secret }]) => from === 'query or form' && !secret)
  const masked = new Set(ofForm.filter(([, parameter]) => isFreeText(parameter)).map(([name]) => name))
  const shown = new Set(ofForm.map(([name]) => name).filter((name) => !masked.has(name)))
  return (form) => {
    const text = shownQuery(form.replace(LONG_NUMBER, LEFT_OUT), { shown, masked })
    return text.length <= MAX_LENGTH ? text : text.slice(0, MAX_LENGTH - 1) + LEFT_OUT
  }
}

/** Whether all parameters from `start` on may be shown. Allocates little, because in most requests they may. */
function isShown(url: string, start: number, shown: ReadonlySet<string>): boolean {
  for (let from = start; from <= url.length; ) {
    const and = url.indexOf('&', from)
    const to = and === -1 ? url.length : and
    const equals = url.indexOf('=', from)
    if (!shown.has(url.slice(from, equals === -1 || equals > to ? to : equals))) return false
    from = to + 1
  }
  return true
}

/** Any text is valid, up to its length. */
function isFreeText({ schema }: Parameter): boolean {
  return schema.type === 'string' && schema.enum === undefined && schema.pattern === undefined
}

type Names = { shown: ReadonlySet<string>; masked: ReadonlySet<string> }

/** As it was sent, percent-encoded. */
function shownQuery(query: string, { shown, masked }: Names): string {
  const parts = query.split('&').filter((part) => part !== '')
  const kept = parts.flatMap((part) => {
    const name = nameIn(part)
    if (masked.has(name)) return [`${name}=${LEFT_OUT}`]
    return shown.has(name) ? [part] : []
  })
  return (kept.length === parts.length ? kept : [...kept, LEFT_OUT]).join('&')
}

function nameIn(part: string): string {
  const equals = part.indexOf('=')
  const name = equals === -1 ? part : part.slice(0, equals)
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return ''
  }
}

/** A part of a string keeps the whole string in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString()
}
