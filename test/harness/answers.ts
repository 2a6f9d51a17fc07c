// Checks answers with tools that are not our own: saxes for well-formedness, libxml2 for the XSD, ajv for JSON schemas.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { SaxesParser } from 'saxes'
import { expect } from 'vitest'
import { type FaultKind, faultTable } from '../../src/faults.ts'
import { faultDocument, faultList } from '../../src/http/operations/failures.ts'
import { type Area, areaOf } from '../../src/http/operations/operation.ts'
import { combinedXsd } from '../../src/http/representation/combined-xsd.ts'
import type { Document } from '../../src/http/representation/shape.ts'
import { xsd } from '../../src/http/representation/xsd.ts'
import { allOperations } from '../../src/operations.ts'
import { jsonSchema } from '../../src/reference/document-schema.ts'
import type { Reply } from './service.ts'

type XmlNode = { name: string; attributes: Record<string, string>; children: XmlNode[]; text: string }

export function parseXml(text: string): XmlNode {
  const root: XmlNode = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    const node = { name: tag.name, attributes: tag.attributes as Record<string, string>, children: [], text: '' }
    open.at(-1)?.children.push(node)
    open.push(node)
  })
  parser.on('text', (part) => {
    const node = open.at(-1)
    if (node) node.text += part
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(text).close()
  return root.children[0] as XmlNode
}

/** One schema for every answer, as it is served. */
const combined = XsdValidator.fromDoc(
  XmlDocument.fromString(combinedXsd([...allOperations.flatMap(({ answer }) => answer.document ?? []), faultList])),
)

const schemas = new Map<Document, { validateXml: (text: string) => void; validateJson: (value: unknown) => void }>()
const ajv = new Ajv2020({ allErrors: true, strict: false })

function validators(document: Document) {
  let found = schemas.get(document)
  if (!found) {
    const schemaDocument = XmlDocument.fromString(xsd(document))
    const validator = XsdValidator.fromDoc(schemaDocument)
    const validate = ajv.compile(jsonSchema(document))
    found = {
      validateXml(text) {
        const answer = XmlDocument.fromString(text)
        try {
          validator.validate(answer)
          combined.validate(answer)
        } finally {
          answer.dispose()
        }
      },
      validateJson(value) {
        if (!validate(value)) throw new Error(`${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`)
      },
    }
    schemas.set(document, found)
  }
  return found
}

/** The answer conforms to its shape, in the representation that its content type names. */
export function expectDocument(reply: Reply, document: Document): void {
  expect(reply.headers.get('vary')).toBe('accept')
  const type = reply.headers.get('content-type')
  if (type === 'application/json; charset=utf-8') {
    validators(document).validateJson(reply.json())
    return
  }
  expect(type).toBe('application/xml; charset=utf-8')
  expect(reply.text.startsWith('<?xml version="1.0" encoding="UTF-8"?>')).toBe(true)
  parseXml(reply.text)
  validators(document).validateXml(reply.text)
}

type ReadFault = { faultCode: string; faultString: string; faultName?: string; solution?: string }

export function readFault(reply: Reply, area: Area): ReadFault {
  expectDocument(reply, faultDocument(area))
  if (reply.headers.get('content-type')?.includes('json')) {
    const { whoFaults } = reply.json()
    return area === 'communities' ? whoFaults.fault : whoFaults[0]
  }
  const [fault] = parseXml(reply.text).children
  return Object.fromEntries(fault?.children.map((field) => [field.name, field.text]) ?? []) as ReadFault
}

/** `faultName` undefined: the fault has none. */
export function expectFault(reply: Reply, path: string, kind: FaultKind, faultName: string | undefined): ReadFault {
  const fault = readFault(reply, areaOf(path))
  const { code, status } = faultTable[kind]
  const name = faultName === undefined ? {} : { faultName }
  expect({ status: reply.status, ...fault }).toMatchObject({ status, faultCode: code, ...name })
  if (faultName === undefined) expect(fault).not.toHaveProperty('faultName')
  return fault
}
