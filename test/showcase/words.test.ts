import { expect, test } from 'vitest'
import { clockText, counted, exactTime, startText, timeUntil } from '../../showcase/src/words.ts'
import { dayText, fromNow } from '../../web/relative-time.ts'
import { cardNotice } from '../../web/words/cards.ts'

const NOW = new Date(2026, 10, 18, 12).getTime()
const after = (milliseconds: number) => new Date(NOW + milliseconds)
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

test('times are written as Intl writes them in British English', () => {
  const as = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options)
  for (let month = 0; month < 12; month++) {
    const time = new Date(2026, month, month + 1, month * 2, 5, 9)
    expect([exactTime(time), clockText(time), startText(time), dayText(time, NOW), dayText(time, 0)]).toEqual([
      as({ dateStyle: 'medium', timeStyle: 'medium' }).format(time),
      as({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).format(time),
      as({ weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(time).replace(',', ''),
      as({ day: 'numeric', month: 'short' }).format(time),
      as({ day: 'numeric', month: 'short', year: 'numeric' }).format(time),
    ])
  }
})

test.each([
  [-10_000, 'just now'],
  [-MINUTE, '1 min ago'],
  [5 * MINUTE, 'in 5 min'],
  [-2 * HOUR, '2 hr ago'],
  [HOUR, 'in 1 hr'],
  [-DAY, 'yesterday'],
  [DAY, 'tomorrow'],
  [-6 * DAY, '6 days ago'],
  [3 * DAY, 'in 3 days'],
  [-8 * DAY, '10 Nov'],
])('%i ms from now is %s', (difference, text) => {
  expect(fromNow(after(difference), NOW)).toBe(text)
})

test('a countdown has seconds within the hour, and the day or the date when it is further', () => {
  const texts = [0, 65_000, HOUR * 3.5, DAY * 2, DAY * 9].map((left) => timeUntil(after(left), NOW))
  expect(texts).toEqual([undefined, 'in 1:05', 'in 3 hr', 'Fri 12:00', '27 Nov, 12:00'])
})

test('counts of thousands have a comma', () => {
  expect([counted(1, 'tip'), counted(999, 'tip'), counted(12_345, 'tip')]).toEqual(['1 tip', '999 tips', '12,345 tips'])
})

test.each([
  ['added', 'Card ending 1142 was added to your account. If this was not you, tell us.'],
  ['changed', 'Card ending 1142 was changed. If this was not you, tell us.'],
  ['removed', 'Card ending 1142 was removed from your account. If this was not you, tell us.'],
])('a card that was %s', (action, text) => {
  expect(cardNotice('1142', action)).toBe(text)
})
