import fc from 'fast-check'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { describe, expect, test } from 'vitest'
import { faultList, faultObject } from '../../src/http/operations/failures.ts'
import { combinedXsd } from '../../src/http/representation/combined-xsd.ts'
import { attribute, type Document, element, type RecordShape, record } from '../../src/http/representation/shape.ts'
import { xmlWriter } from '../../src/http/representation/xml.ts'
import { xsd } from '../../src/http/representation/xsd.ts'
import { documents, mutants, tips, valuesOf } from './arbitrary.ts'

/** Throws where the text is not a document of the schema. */
function validator(document: Document): (text: string) => void {
  const schema = XmlDocument.fromString(xsd(document))
  const validate = XsdValidator.fromDoc(schema)
  return (text) => {
    const parsed = XmlDocument.fromString(text)
    try {
      validate.validate(parsed)
    } finally {
      parsed.dispose()
    }
  }
}

describe.each([...documents, ['faults', faultList] as const])('the schema of %s', (_name, document) => {
  const validate = validator(document)

  test('accepts whatever the writer writes', () => {
    const write = xmlWriter(document)
    fc.assert(
      fc.property(valuesOf(document.node), (value) => validate(write(value as never))),
      { numRuns: 50 },
    )
  })

  test('refuses elements that are missing, unknown, out of order or misplaced', () => {
    const found = mutants(document.node)
    expect(found.length).toBeGreaterThan(2)
    for (const { what, node } of found.filter(({ jsonOnly }) => !jsonOnly)) {
      const write = xmlWriter({ ...document, node })
      for (const value of fc.sample(valuesOf(node, true), 3)) {
        expect(() => validate(write(value as never)), what).toThrow(XmlValidateError)
      }
    }
  })

  test('refuses another root and an empty list', () => {
    const [value] = fc.sample(valuesOf(document.node), 1)
    expect(() => validate(xmlWriter({ ...document, root: 'other' })(value as never))).toThrow(XmlValidateError)
    expect(() => validate(`<${document.root}/>`)).toThrow(XmlValidateError)
  })
})

describe('the schema of all documents', () => {
  /** That of the tests has an order of its own. */
  const served = [...documents.filter(([, document]) => document !== tips), ['faults', faultList] as const]
  const schema = (text: string) => XsdValidator.fromDoc(XmlDocument.fromString(text))
  const all = schema(combinedXsd(served.map(([, document]) => document)))

  test.each(served)('accepts %s as it is written', (_name, document) => {
    const write = xmlWriter(document)
    const validate = (value: unknown) => all.validate(XmlDocument.fromString(write(value as never)))
    fc.assert(fc.property(valuesOf(document.node), validate), { numRuns: 20 })
  })

  test('refuses unknown elements and other roots', () => {
    const other = { root: 'whoOther', node: faultList.node }
    const [value] = fc.sample(valuesOf(other.node), 1)
    expect(() => all.validate(XmlDocument.fromString(xmlWriter(other)(value as never)))).toThrow(XmlValidateError)
    expect(() => all.validate(XmlDocument.fromString('<whoFaults><other/></whoFaults>'))).toThrow(XmlValidateError)
  })

  test('requires what every document has, takes what one has, and widens what differs', () => {
    const nodes = [
      record({ id: attribute('integer'), name: element('text'), rank: element('integer') }),
      record({ id: attribute('integer'), status: element('status'), rank: element('text') }),
    ]
    const both = schema(combinedXsd(nodes.map((node) => ({ root: 'r', node }))))
    const accepts = (text: string) => both.validate(XmlDocument.fromString(text))
    expect(() => accepts('<r id="1"><name>a</name><rank>1</rank></r>')).not.toThrow()
    expect(() => accepts('<r id="1"><status>A</status><rank>first</rank></r>')).not.toThrow()
    expect(() => accepts('<r><status>A</status><rank>1</rank></r>')).toThrow(XmlValidateError)
    expect(() => accepts('<r id="1"><status>A</status></r>')).toThrow(XmlValidateError)
  })

  test('cannot be made of what contradicts itself', () => {
    const made = (...nodes: RecordShape[]) => combinedXsd(nodes.map((node) => ({ root: 'r', node })))
    const [a, b] = [element('text'), element('text')]
    expect(() => made(record({ a, b }), record({ b, a }))).toThrow('a, b have no common order')
    expect(() => made(record({ a }), record({ a: attribute('text') }))).toThrow('name it differently')
  })
})

test('faults of both JSON forms have one schema in XML', () => {
  const validate = validator(faultList)
  const write = xmlWriter(faultObject)
  fc.assert(fc.property(valuesOf(faultObject.node), (value) => validate(write(value as never))))
})

describe('scalars', () => {
  const validate = validator(tips)
  const comment = { id: 1, type: 'tip', text: '', isLiked: true, createdDateTimeZoned: 0 }
  const event = { id: 2, name: 'Ascot', outcome: { rank: 1, name: 'Red', status: 'A' } }
  const text = xmlWriter(tips)({ comment: [{ ...comment, event }] } as never)

  test('are accepted as they are written', () => {
    expect(() => validate(text)).not.toThrow()
  })

  test.each([
    ['an integer that is negative', 'id="1"', 'id="-1"'],
    ['an integer that is none', 'rank="1"', 'rank="first"'],
    ['a yes in other words', '<isLiked>Y', '<isLiked>true'],
    ['a time in Z', '.000+00:00', '.000Z'],
    ['a time without milliseconds', '00:00.000', '00:00'],
    ['a time that is none', '1970-01-01T', '1970-13-01T'],
    ['a status of two characters', '<status>A', '<status>AA'],
    ['an empty status', '<status>A', '<status>'],
  ])('%s is refused', (_what, before, after) => {
    expect(text).toContain(before)
    expect(() => validate(text.replace(before, after))).toThrow(XmlValidateError)
  })
})
