// Any string in any place gives an answer of the contract, never a 5xx.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { faultTable } from '../../src/faults.ts'
import { areaOf, type Operation } from '../../src/http/operations/operation.ts'
import { allOperations } from '../../src/operations.ts'
import { expectDocument, readFault } from '../harness/answers.ts'
import { propertyRuns } from '../harness/property-runs.ts'
import { type Reply, useService } from '../harness/service.ts'

const service = useService()
const KNOWN = new Set(Object.values(faultTable).map((row) => `${row.status} ${row.code}`))
let ticket = ''

beforeAll(async () => {
  ticket = (await service.member()).ticket
})

/** Texts that are hard on parsers: percent signs, controls, quotes, other scripts, digits, the contract's own words. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1',
    'Y',
    'N',
    'me',
    '%',
    '%00',
    '%ff',
    '\u0000',
    '\ud800',
    '"<&>\'',
    '../..',
    'null',
    '9'.repeat(30),
  ),
)
/** Sometimes encoded as it should be, sometimes not at all. */
const placed = fc.tuple(text, fc.boolean()).map(([value, encode]) => {
  const wellFormed = value.toWellFormed()
  return encode ? encodeURIComponent(wellFormed) : wellFormed.replace(/[^!-~]|[#?/\\]/g, '%')
})

/** Clients resolve these before they send the path, which is then another one. */
const isDots = (segment: string) => /^(\.|%2e){1,2}$/i.test(segment)

function expectContract(operation: Operation, reply: Reply): void {
  expect(reply.status).toBeLessThan(500)
  if (reply.status === 204 || operation.method === 'HEAD') return
  if (reply.status === operation.answer.status && operation.answer.document && !reply.text.includes('whoFaults')) {
    expectDocument(reply, operation.answer.document)
    return
  }
  if (reply.status === 200 && operation.answer.stream !== undefined) {
    expect(reply.text).toMatch(/^event: (ready|reset)$/m)
    return
  }
  const fault = readFault(reply, areaOf(operation.path))
  expect(KNOWN).toContain(`${reply.status} ${fault.faultCode}`)
}

test.each(allOperations.map((operation) => [operation.name, operation] as const))(
  '%s answers any parameters with what its row documents',
  async (_name, operation) => {
    const queryNames = Object.entries(operation.parameters)
      .filter(([, parameter]) => parameter.from !== 'path')
      .map(([name]) => name)
    await fc.assert(
      fc.asyncProperty(
        placed.filter((segment) => !isDots(segment)),
        fc.array(fc.tuple(fc.constantFrom(...queryNames, 'other'), placed), { maxLength: 4 }),
        fc.constantFrom('application/xml', 'application/json'),
        async (segment, query, accept) => {
          const path = operation.path.replace(/\{\w+\}/, () => segment)
          const pairs = query.map(([name, value]) => `${name}=${value}`).join('&')
          const reply = await service.call(operation.method, `${path}?${pairs}`, { ticket, accept })
          expectContract(operation, reply)
        },
      ),
      { numRuns: propertyRuns(15) },
    )
  },
)
