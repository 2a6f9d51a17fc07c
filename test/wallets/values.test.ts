import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { formatMoney, parseMoney } from '../../src/platform/runtime/money.ts'
import { isCardExpired } from '../../src/wallets/cards/cards.ts'
import { type Cv2, parseCv2 } from '../../src/wallets/gateways/cv2.ts'

test('money is parsed and formatted exactly', () => {
  const good: [string, bigint][] = [
    ['0', 0n],
    ['10', 1000n],
    ['10.5', 1050n],
    ['10.05', 1005n],
    ['007.10', 710n],
    ['90071992547409929.99', 9007199254740992999n],
  ]
  for (const [text, units] of good) expect(parseMoney(text)).toBe(units)
  for (const text of ['', '.5', '5.', '1.234', '-1', '+1', '1e3', '0x10', ' 1', '1 ', '1,5', 'NaN', '１']) {
    expect(parseMoney(text)).toBeUndefined()
  }
  for (const text of ['0.00', '0.05', '12.50', '90071992547409929.99']) {
    expect(formatMoney(parseMoney(text) as bigint)).toBe(text)
  }
  expect(formatMoney(-5n)).toBe('-0.05')
})

test('a cv2 is masked however it is printed', () => {
  const cv2 = parseCv2('8642') as Cv2
  const printed = [
    `${cv2}`,
    JSON.stringify({ cv2 }),
    inspect(cv2),
    inspect({ cv2 }, { depth: 9, showHidden: true }),
    String(cv2),
  ]
  expect(printed.join()).not.toContain('8642')
  expect(cv2.reveal()).toBe('8642')
  for (const bad of ['', '12', '12345', '12a', '１２３', '12\n']) expect(parseCv2(bad)).toBeUndefined()
})

test('a card is valid until the end of its month', () => {
  expect(isCardExpired('02/28', Date.UTC(2028, 1, 29, 23, 59, 59, 999))).toBe(false)
  expect(isCardExpired('02/28', Date.UTC(2028, 2, 1))).toBe(true)
  expect(isCardExpired('12/27', Date.UTC(2027, 11, 31, 23, 59))).toBe(false)
  expect(isCardExpired('12/27', Date.UTC(2028, 0, 1))).toBe(true)
})
