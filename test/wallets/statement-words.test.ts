import { expect, test } from 'vitest'
import { firstDay, pounds, signedPounds } from '../../showcase/src/statement-words.ts'
import { SYSTEM_ACCOUNTS, TRANSFERS } from '../../src/wallets/account/ledger-store.ts'
import { typeOf } from '../../src/wallets/account/statement.ts'
import { accountText, lineText, lineTitle } from '../../web/words/ledger.ts'

const lines = Object.entries(TRANSFERS).filter(([, sides]) => Object.values(sides).includes('customer'))

test.each(lines)('a line of kind %s has words for its customer, and for operators', (kind) => {
  expect(lineTitle(typeOf(kind))).toMatch(/^[A-Z][a-z]/)
  expect(lineText(typeOf(kind))).toMatch(/^[A-Z][a-z]/)
})

test.each(['customer', 'debt', ...SYSTEM_ACCOUNTS])('the account %s has words for operators', (kind) => {
  expect(accountText(kind)).toMatch(/^[A-Z][a-z]/)
})

test('amounts have a true minus sign', () => {
  expect([signedPounds('20.00'), signedPounds('-5.00')]).toEqual(['+£20.00', '−£5.00'])
  expect([pounds('20.00'), pounds('-5.00')]).toEqual(['£20.00', '−£5.00'])
})

test('periods begin on UTC days; three months are what the service answers without one', () => {
  const now = new Date('2028-02-29T23:59:00Z')
  expect([firstDay('month', now), firstDay('quarter', now), firstDay('year', now)]).toEqual([
    '2028-02-01',
    undefined,
    '2027-03-01',
  ])
})
