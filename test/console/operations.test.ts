// How the console calls the operator API: by names, with the types of the service's rows. The compiler checks the lines
// that expect an error; `npm run types` is a part of `npm test`.

import { describe, expect, test } from 'vitest'
import type { AnswerOf, Arguments } from '../../console/src/api/operations.ts'
import { requestOf, routeOf } from '../../console/src/api/operations.ts'
import { operatorOperations } from '../../src/operator/operations.ts'

describe('a call by its name', () => {
  test('has the method and the path of the operation’s row', () => {
    for (const { name, method, path } of operatorOperations.filter(
      (row) => routeOf(row.name as 'readMe') !== undefined,
    ))
      expect(routeOf(name as 'readMe')).toBe(`${method} ${path}`)
    expect(requestOf('readMe')).toEqual({ method: 'GET', address: '/me' })
  })

  test('has its parameters in the path, encoded, and what its query has in the address', () => {
    expect(requestOf('endSession', { id: '2', session: 'a/b' }).address).toBe('/customers/2/sessions/a%2Fb')
    const query = { show: undefined, state: '', limit: 25, featured: true, text: 'a & b' }
    expect(requestOf('listTips', { query }).address).toBe('/comments?limit=25&featured=true&text=a+%26+b')
  })

  test('takes what the row takes, and answers what it answers', () => {
    type Expects<Expected, Given extends Expected> = Given
    type Checked = [
      Expects<string, AnswerOf<'createToken'>['token']>,
      Expects<undefined, AnswerOf<'revokeToken'>>,
      Expects<Blob, AnswerOf<'exportDeposits'>>,
      Expects<Arguments<'listTokens'>, []>,
      Expects<Arguments<'getCustomer'>, [{ id: string }]>,
      Expects<Arguments<'searchAll'>, [{ query: { q: string; limit: 5 } }]>,
      // @ts-expect-error: no such field
      AnswerOf<'createToken'>['secret'],
      // @ts-expect-error: the console calls no such operation
      AnswerOf<'GET /tokens'>,
      // @ts-expect-error: without the id of the path
      Expects<Arguments<'getCustomer'>, []>,
      // @ts-expect-error: a query that lacks what is required
      Expects<Arguments<'searchAll'>, [{ query: { limit: 5 } }]>,
      // @ts-expect-error: no such status
      Expects<Arguments<'setCustomerStatus'>, [{ id: string; body: { status: 'gone'; reason: string } }]>,
    ]
    const checked: Checked | undefined = undefined
    expect(checked).toBeUndefined()
  })
})
