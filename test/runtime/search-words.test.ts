import { expect, test } from 'vitest'
import { searchWords, storedWords } from '../../src/platform/runtime/search-words.ts'

test.each([
  ['Travels well', ['travels', 'well']],
  ['  each-way!! Each WAY ', ['each', 'way']],
  ['Bjørn Müller, café', ['bjørn', 'muller', 'cafe']],
  ['cafe\u0301 \ufb01nal', ['cafe', 'final']],
  ['İstanbul ÅNGSTRÖM', ['istanbul', 'angstrom']],
  ['ΟΔΟΣ οδός', ['οδοσ']],
  ['９9 ①', ['99', '1']],
  ['11/10 £25.50', ['11', '10', '25', '50']],
  ['東京 競馬', ['東京', '競馬']],
  ['👍 !!! _', []],
  ['𝒳'.repeat(50), ['x'.repeat(40)]],
  ['𐐨'.repeat(50), ['𐐨'.repeat(40)]],
  ['', []],
])('the words of %j', (text, words) => {
  expect(searchWords(text)).toEqual(words)
  expect(storedWords(text)).toBe(words.length === 0 ? '' : ` ${words.join(' ')}`)
})

test('words are their own words', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const words = searchWords(String.fromCodePoint(code))
    if (words.length > 0) expect(searchWords(words.join(' '))).toEqual(words)
  }
})
