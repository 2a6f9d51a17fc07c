import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { jsonWriter } from '../../src/http/representation/json.ts'
import { zonedDateTime } from '../../src/http/representation/scalar.ts'
import { arrayOf, attribute, document, element, record, sequence } from '../../src/http/representation/shape.ts'
import { xmlWriter } from '../../src/http/representation/xml.ts'
import { anyText, documents, tips, valuesOf } from './arbitrary.ts'

const texts = document('texts', record({ attribute: attribute('text'), element: element('text') }))

type Parsed = { attributes: Record<string, string>; text: string }

/** Throws where the XML is not well-formed. */
function parse(xml: string): Parsed {
  const parsed: Parsed = { attributes: {}, text: '' }
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  let depth = 0
  parser.on('opentag', ({ attributes }) => {
    depth++
    Object.assign(parsed.attributes, attributes)
  })
  parser.on('closetag', () => depth--)
  parser.on('text', (text) => {
    // The line break after the declaration is not part of the document.
    if (depth > 0) parsed.text += text
  })
  parser.write(xml).close()
  return parsed
}

test('a time has milliseconds and an offset', () => {
  expect(zonedDateTime(Date.UTC(2026, 10, 15, 9, 30))).toBe('2026-11-15T09:30:00.000+00:00')
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      expect(zonedDateTime(date.getTime())).toBe(date.toISOString().replace('Z', '+00:00'))
    }),
  )
})

describe.each([
  ['XML', xmlWriter],
  ['JSON', jsonWriter],
])('%s', (_representation, writer) => {
  test('is measured in bytes, whatever the text', () => {
    const write = writer(texts)
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constantFrom('plain', 'é', '"', '€', '🏇')), anyText, (attribute, element) => {
        const { text, bytes } = write.measured({ attribute, element } as never)
        expect(text).toBe(write({ attribute, element } as never))
        expect(bytes).toBe(Buffer.byteLength(text))
      }),
    )
  })
})

describe('XML', () => {
  test.each(documents)('of %s is well-formed', (_name, shape) => {
    const write = xmlWriter(shape)
    fc.assert(
      fc.property(valuesOf(shape.node), (value) => void parse(write(value as never))),
      { numRuns: 50 },
    )
  })

  test('any text comes back as it was, from elements and attributes', () => {
    const write = xmlWriter(texts)
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parse(write({ attribute: text, element: text } as never))
        expect(parsed).toEqual({ attributes: { attribute: text }, text })
      }),
    )
  })

  test('has a declaration, attributes first, and contents in the order of the shape', () => {
    const shape = document('a', record({ one: element('text'), two: attribute('integer'), three: element('yesNo') }))
    const written = xmlWriter(shape)({ three: false, two: 2, one: 'é' } as never)
    expect(written).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<a two="2"><one>é</one><three>N</three></a>')
  })

  test('leaves out what is undefined', () => {
    const written = xmlWriter(tips)({ comment: [], also: undefined } as never)
    expect(written).toMatch(/<whoCommunities><\/whoCommunities>$/)
  })
})

describe('JSON', () => {
  test.each(documents)('of %s has strings for scalars', (_name, shape) => {
    const write = jsonWriter(shape)
    fc.assert(
      fc.property(valuesOf(shape.node), (value) => {
        for (const scalar of scalars(JSON.parse(write(value as never)))) expect(scalar).toBeTypeOf('string')
      }),
      { numRuns: 50 },
    )
  })

  test('any text comes back as it was, even one that XML could not hold', () => {
    const write = jsonWriter(texts)
    const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes))
    fc.assert(
      fc.property(fc.oneof(anyText, units), (text) => {
        expect(JSON.parse(write({ attribute: text, element: text } as never))).toEqual({
          texts: { attribute: text, element: text },
        })
      }),
    )
  })

  test('repeated nodes of a record are an object when one, an array when several', () => {
    const write = jsonWriter(document('r', tips.node))
    const comment = { id: 1, type: 'tip', text: 'x', createdDateTimeZoned: 0, event: { id: 2, name: 'e', outcome: {} } }
    const one = JSON.parse(write({ comment: [comment] } as never)).r.comment
    expect(one).toMatchObject({ id: '1', text: 'x', createdDateTimeZoned: '1970-01-01T00:00:00.000+00:00' })
    const two = JSON.parse(write({ comment: [comment, { ...comment, id: 3 }] } as never)).r.comment
    expect(two).toEqual([one, { ...one, id: '3' }])
  })

  test('those of a list that is an array are one whatever their number', () => {
    const shape = document('r', record({ from: element('text'), line: arrayOf(record({ id: element('integer') })) }))
    const written = (...line: object[]) => jsonWriter(shape)({ from: 'x', line } as never)
    expect(written()).toBe('{"r":{"from":"x","line":[]}}')
    expect(written({ id: 1 })).toBe('{"r":{"from":"x","line":[{"id":"1"}]}}')
    expect(written({ id: 1 }, { id: 2 })).toBe('{"r":{"from":"x","line":[{"id":"1"},{"id":"2"}]}}')
    const xml = xmlWriter(shape)({ from: 'x', line: [{ id: 1 }, { id: 2 }] } as never)
    expect(xml).toMatch(/<r><from>x<\/from><line><id>1<\/id><\/line><line><id>2<\/id><\/line><\/r>$/)
  })

  test('a sequence is an array of one-key objects, or of the items themselves', () => {
    const item = record({ id: attribute('integer') })
    const values = [{ id: 1 }, { id: 2 }] as never
    const entries = jsonWriter(document('list', sequence('item', item, 'entries')))
    expect(entries(values)).toBe('{"list":[{"item":{"id":"1"}},{"item":{"id":"2"}}]}')
    const plain = jsonWriter(document('list', sequence('item', item, 'plain')))
    expect(plain(values)).toBe('{"list":[{"id":"1"},{"id":"2"}]}')
  })
})

function scalars(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalars) : [value]
}
