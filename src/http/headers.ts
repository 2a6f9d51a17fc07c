// The headers of a request, as Node gives them. Node puts each name into small letters and looks it up anew in each request:
// 1.3 µs for five headers. Clients send the same names in the same order each time. For a list of names that comes often
// a function is made that takes only the values: 0.1 µs, and reading one of them is faster too.

import { IncomingMessage } from 'node:http'
import { compileRowFactory } from '../runtime/compile-row-factory.ts'

type Headers = NodeJS.Dict<string | string[]>

const nodes = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers') as { get(): Headers }
const KEPT = Symbol('headers')

/** For `createServer`. */
export class Request extends IncomingMessage {
  declare [KEPT]?: Headers
}

Object.defineProperty(Request.prototype, 'headers', {
  get(this: Request) {
    this[KEPT] ??= madeOf(this.rawHeaders) ?? nodes.get.call(this)
    return this[KEPT]
  },
  set(this: Request, headers) {
    this[KEPT] = headers
  },
})

/** `names` as they were written. */
type List = { readonly names: readonly string[]; times: number; make: ((raw: readonly string[]) => Headers) | null }

// What strangers may make us keep, and when it is worth a function.
const MOST_LISTS = 1_000
const MOST_NAMES = 40
const LONGEST_NAME = 40
const OFTEN = 100

const lists = new Map<number, List>()

/** null: Node is to make them. */
function madeOf(raw: readonly string[]): Headers | null {
  const key = keyOf(raw)
  const list = lists.get(key)
  if (list === undefined || !isOf(list, raw)) remember(key, raw)
  else if (list.make !== null) return list.make(raw)
  else if (++list.times === OFTEN) list.make = makerOf(list.names)
  return null
}

/** Of what costs least to look at. Lists with the same key take each other's place. */
function keyOf(raw: readonly string[]): number {
  let key = 0
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string
    key = (key * 31 + name.length * 128 + name.charCodeAt(0)) | 0
  }
  return key
}

function isOf({ names }: List, raw: readonly string[]): boolean {
  if (2 * names.length !== raw.length) return false
  for (let index = 0; index < names.length; index++) if (names[index] !== raw[2 * index]) return false
  return true
}

function remember(key: number, raw: readonly string[]): void {
  const names = raw.filter((_, at) => at % 2 === 0)
  if (names.length > MOST_NAMES || names.some((name) => name.length > LONGEST_NAME)) return
  if (lists.size >= MOST_LISTS) lists.clear()
  lists.set(key, { names, times: 0, make: null })
}

/** null where a name stands twice or is a special one: Node knows which are joined, how, and which are not. */
function makerOf(written: readonly string[]): List['make'] {
  const names = written.map((name) => name.toLowerCase())
  const areSimple = names.every((name) => /^[a-z][a-z0-9-]*$/.test(name) && !(name in {}) && name !== 'set-cookie')
  if (!areSimple || new Set(names).size < names.length) return null
  return compileRowFactory(names, (index) => `values[${2 * index + 1}]`) as (raw: readonly string[]) => Headers
}
