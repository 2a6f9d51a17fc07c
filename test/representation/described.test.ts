import { expect, test } from 'vitest'
import {
  attribute,
  child,
  described,
  document,
  element,
  optional,
  record,
  sequence,
} from '../../src/http/representation/shape.ts'
import { xsd } from '../../src/http/representation/xsd.ts'
import { jsonSchema } from '../../src/reference/document-schema.ts'

const closing = record({ num: described(element('integer'), 'How many have a closing price.') })
const tip = record({
  id: described(attribute('integer'), 'Of the tip.'),
  settled: element('date'),
  profit: described(optional(element('signedDecimal')), 'Below 0 & above.'),
  closing: described(child(closing), 'Against the closing price, if price < closing.'),
})
const tips = document('whoProfiles', sequence('tip', tip, 'entries'))

test('the meaning of a field is in the JSON schema', () => {
  expect(jsonSchema(tips)).toMatchObject({
    properties: {
      whoProfiles: {
        items: {
          properties: {
            tip: {
              properties: {
                id: { description: 'Of the tip.' },
                settled: expect.not.objectContaining({ description: expect.anything() }),
                profit: { description: 'Below 0 & above.', pattern: '^-?[0-9]+\\.[0-9]+$' },
                closing: { type: 'object', description: 'Against the closing price, if price < closing.' },
              },
            },
          },
        },
      },
    },
  })
})

test('and in the XSD', () => {
  const text = xsd(tips)
  const documented = (words: string) => `<xs:annotation><xs:documentation>${words}</xs:documentation></xs:annotation>`
  expect(text).toMatch(
    new RegExp(`name="id" type="xs:nonNegativeInteger" use="required">\\s*${documented('Of the tip.')}`),
  )
  expect(text).toMatch(
    new RegExp(`name="profit" type="signedDecimal" minOccurs="0">\\s*${documented('Below 0 &amp; above.')}`),
  )
  expect(text).toContain(documented('Against the closing price, if price &lt; closing.'))
  expect(text).toContain('<xs:element name="settled" type="date"/>')
})
