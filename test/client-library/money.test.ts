import { expect, test } from 'vitest'
import { money } from '../../clients/typescript/src/index.ts'

test('an amount has at least two decimals', () => {
  expect([money('5'), money(5), money('12.5'), money('-0.1'), money('0.125')]).toEqual([
    '5.00',
    '5.00',
    '12.50',
    '-0.10',
    '0.125',
  ])
})

test('sums are exact', () => {
  expect(money.add('0.10', '0.20')).toBe('0.30')
  expect(money.add('90071992547409.93', '0.01', '-90071992547409.90')).toBe('0.04')
  expect(money.add('1.005', '-2')).toBe('-0.995')
  expect(money.add('1', '-1.00')).toBe('0.00')
  expect(money.add()).toBe('0.00')
})

test('amounts are compared by their value', () => {
  const sorted = ['10.00', '9.5', '-3', '9.50', '-20.01'].sort(money.compare)
  expect(sorted).toEqual(['-20.01', '-3', '9.5', '9.50', '10.00'])
  expect(money.compare('9.5', '9.50')).toBe(0)
})

test('amounts are shown as customers read them', () => {
  expect(money.format('1234.5', 'GBP', 'en-GB')).toBe('£1,234.50')
  expect(money.format('90071992547409.93', 'EUR', 'en-IE')).toBe('€90,071,992,547,409.93')
})

test.each(['', 'ten', '1e3', '1,5', ' 1', 'NaN', '.5', '1.'])('%j is no amount', (text) => {
  expect(() => money(text)).toThrow(new TypeError(`${text} is not an amount: write it like 12.50`))
})
