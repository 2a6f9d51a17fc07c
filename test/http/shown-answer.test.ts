import { expect, test } from 'vitest'
import { shownAnswerOf } from '../../src/http/operations/shown-answer.ts'
import { jsonWriter } from '../../src/http/representation/json.ts'
import { document, element, record, sequence } from '../../src/http/representation/shape.ts'
import { xmlWriter } from '../../src/http/representation/xml.ts'

const tips = document('tips', sequence('tip', record({ id: element('integer'), text: element('text') }), 'plain'))
const shown = shownAnswerOf(tips, { xml: xmlWriter(tips), json: jsonWriter(tips) })
const tipsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id, text: 'My own words' }))

test('a text that is in no list is left out, numbers are shown', () => {
  expect(shown(tipsOf(1), 'json')).toBe('{"tips":[{"id":"0","text":"…"}]}')
  expect(shown(tipsOf(1), 'xml')).toMatch(/<tips><tip><id>0<\/id><text>…<\/text><\/tip><\/tips>$/)
})

test('of a long answer the beginning is shown', () => {
  const text = shown(tipsOf(1_000), 'json')
  expect([text.length, text.endsWith('…'), text.includes('words')]).toEqual([4_000, true, false])
})
