import { expect, test } from 'vitest'
import * as s from '../../src/operator/server/fields.ts'
import { shown } from '../../src/operator/server/shown.ts'

const payment = s.object(
  {
    id: s.id('5'),
    cardId: s.orNull(s.id('7')),
    amount: s.amount('12.50'),
    state: s.oneOf(['HELD', 'DONE']),
    isLate: s.boolean(),
    createdAt: s.time(),
    endedAt: s.orNull(s.time()),
    tries: s.count(),
    title: s.string(),
  },
  { erasedAt: s.time() },
)
const showPayment = shown(payment)

const row = {
  ...{ id: 5, card_id: 7, amount: '1250', state: 'HELD' as const, is_late: 1, tries: 2 },
  ...{ created_at: 0, ended_at: 1000, erased_at: null, secret: 'x' },
}
const answer = {
  ...{ id: '5', cardId: '7', amount: '12.50', state: 'HELD', isLate: true },
  ...{ createdAt: '1970-01-01T00:00:00.000Z', endedAt: '1970-01-01T00:00:01.000Z', tries: 2, title: 'Rent' },
}

test('fields are taken from their columns as their schema says, the rest as it is given, in the order of the schema', () => {
  const one = showPayment(row, { title: 'Rent' })
  expect(one).toEqual(answer)
  expect(Object.keys(JSON.parse(JSON.stringify(one)))).toEqual(Object.keys(payment.properties).slice(0, -1))
})

test('null stays null, and an optional field is there where its column is not null', () => {
  const erased = { ...row, card_id: null, ended_at: null, is_late: 0, amount: -5n, erased_at: 0 }
  const nulls = { ...answer, cardId: null, endedAt: null, isLate: false, amount: '-0.05' }
  expect(showPayment(erased, { title: 'Rent' })).toEqual({ ...nulls, erasedAt: '1970-01-01T00:00:00.000Z' })
})

test('what is given goes before what the row has, also null, and its column is not converted', () => {
  const unread = { ...row, amount: 'nothing' }
  expect(showPayment(unread, { title: 'Rent', endedAt: null, amount: '0.00' })).toMatchObject({
    ...{ endedAt: null, amount: '0.00' },
  })
})

test('the compiler demands what the row does not have, or has in another type', () => {
  // @ts-expect-error: there is no title.
  expect(showPayment(row, {}).title).toBeUndefined()
  // @ts-expect-error: as before.
  expect(showPayment(row).title).toBeUndefined()
  // @ts-expect-error: a time is a number in a row.
  expect(() => showPayment({ ...row, created_at: 'today' }, { title: 'Rent' })).toThrow(RangeError)
  // @ts-expect-error: isLate cannot be null.
  expect(showPayment({ ...row, is_late: null as number | null }, { title: 'Rent' }).isLate).toBe(false)
  // @ts-expect-error: the schema has no secret.
  expect(showPayment(row, { title: 'Rent', secret: 'x' })).not.toHaveProperty('secret')
  expect(showPayment({ ...row, title: 'Rent' })).toEqual(answer)
})
