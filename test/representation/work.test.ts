// Measures the work of writing an answer without a clock: each value is read once, in place, and only text is allocated, in no more
// pieces than the shape has fields. For every document in both representations.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonWriter } from '../../src/http/representation/json.ts'
import type { Node } from '../../src/http/representation/shape.ts'
import { xmlWriter } from '../../src/http/representation/xml.ts'
import { documents, valuesOf } from './arbitrary.ts'

const WRITERS = { XML: xmlWriter, JSON: jsonWriter }
const SAMPLES = { numRuns: 20, seed: 1 }

/** Records how often a writer read each field of a value, and what else it did with it. */
type Watched = { value: unknown; reads: Map<string, number>; other: string[] }

function watched(value: unknown): Watched {
  const reads = new Map<string, number>()
  const other: string[] = []
  const at = (path: string, name: PropertyKey) => `${path}/${String(name)}`
  const wrap = (inner: unknown, path: string): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner
    const noted =
      (what: string) =>
      (...[target, name]: [object, PropertyKey?]) => {
        other.push(`${what} ${name === undefined ? path : at(path, name)}`)
        return Reflect[what as 'has'](target, name as PropertyKey)
      }
    return new Proxy(inner, {
      get(target, name) {
        const isField = Array.isArray(target) ? /^\d+$/.test(String(name)) : typeof name === 'string'
        if (isField) reads.set(at(path, name), (reads.get(at(path, name)) ?? 0) + 1)
        // Array methods would allocate another array; reading the length is free.
        else if (name !== 'length') other.push(`get ${at(path, name)}`)
        return wrap(Reflect.get(target, name), at(path, name))
      },
      ownKeys: noted('ownKeys') as never,
      has: noted('has') as never,
      getOwnPropertyDescriptor: noted('getOwnPropertyDescriptor') as never,
      getPrototypeOf: noted('getPrototypeOf') as never,
    })
  }
  return { value: wrap(value, ''), reads, other }
}

/** Each field of the shape in `value`, absent ones too, as they are read to find that out. */
function fieldsIn(node: Node, value: unknown, path = ''): string[] {
  if (node.is === 'sequence') return itemsIn(node.of, value as unknown[], path)
  return Object.entries(node.fields).flatMap(([name, field]) => {
    const inner = (value as { [name: string]: unknown })[name]
    const here = `${path}/${name}`
    if (inner === undefined || !('node' in field)) return [here]
    return [here, ...(field.place === 'node' ? fieldsIn : itemsIn)(field.node, inner as never, here)]
  })
}

function itemsIn(node: Node, values: unknown[], path: string): string[] {
  return values.flatMap((value, index) => [`${path}/${index}`, ...fieldsIn(node, value, `${path}/${index}`)])
}

/** Source code that allocates something other than text: an object, an array, a function, a method call. */
function makings(source: string): string[] {
  const bare = source
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/value\[(""|0|index)\]/g, 'field')
    // Removes the comma after an absent first field: text from text.
    .replaceAll('.replace(/^,/, "")', '')
  const blocks = bare.replace(/\) \{/g, ') begin').replace(/^function \w+\(value\) begin/gm, '')
  return [...blocks.matchAll(/[{[]|=>|`|\bfunction\b|\bnew\b|\.(?!length\b)\w+/g)].map(([found]) => found)
}

function joins(source: string): number {
  return source.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/ \+ | \+= /g)?.length ?? 0
}

function size(node: Node): { fields: number; nodes: number } {
  const inside =
    node.is === 'sequence' ? [node.of] : Object.values(node.fields).flatMap((f) => ('node' in f ? [f.node] : []))
  const sizes = inside.map(size)
  return {
    fields:
      (node.is === 'record' ? Object.keys(node.fields).length : 1) + sizes.reduce((sum, one) => sum + one.fields, 0),
    nodes: 1 + sizes.reduce((sum, one) => sum + one.nodes, 0),
  }
}

describe.each(Object.entries(WRITERS))('%s', (_representation, writer) => {
  test.each(documents)('of %s reads each field once and does nothing else with it', (_name, shape) => {
    const write = writer(shape)
    fc.assert(
      fc.property(valuesOf(shape.node), (value) => {
        const { value: seen, reads, other } = watched(value)
        expect(write(seen as never)).toBe(write(value as never))
        expect(other).toEqual([])
        expect([...reads].filter(([, times]) => times !== 1)).toEqual([])
        expect([...reads.keys()].sort()).toEqual(fieldsIn(shape.node, value).sort())
      }),
      SAMPLES,
    )
  })

  test.each(documents)('of %s allocates only text, in few pieces', (_name, shape) => {
    const { source } = writer(shape)
    const { fields, nodes } = size(shape.node)
    expect(makings(source)).toEqual([])
    // For each field its fixed text, its value and what follows; around each node its ends, and the comma before the next.
    expect(joins(source)).toBeLessThanOrEqual(3 * fields + 3 * nodes)
    expect(joins(source)).toBeGreaterThan(0)
  })
})

describe('the test itself', () => {
  const value = { list: [{ id: 1 }, { id: 2 }], text: 'x' }

  test.each([
    ['a serializer', JSON.stringify],
    ['a copy', ({ ...copy }: typeof value) => copy.text],
    ['a list made of a list', ({ list }: typeof value) => list.map(({ id }) => `${id}`).join()],
    ['an iterator', ({ list: [first] }: typeof value) => `${first?.id}`],
  ])('finds %s', (_what, write) => {
    const { value: seen, other } = watched(value)
    ;(write as (seen: unknown) => unknown)(seen)
    expect(other).not.toEqual([])
  })

  test('finds a second read', () => {
    const { value: seen, reads } = watched(value)
    const write = (read: typeof value) => (read.text === '' ? '' : read.text)
    write(seen as typeof value)
    expect(reads.get('/text')).toBe(2)
  })

  test.each(['[value["a"]].join("")', '({ a: 1 })', '(() => 1)()', '`a`', 'new Array(1)', 'value["a"].map(f)'])(
    'finds the allocation in: %s',
    (code) => {
      expect(makings(`function write0(value) { let x; return "[{" + ${code} }`)).not.toEqual([])
    },
  )
})
