// How the console calls the operator API: by names, with the types of the service's rows. The compiler checks the lines
// that expect an error; `npm run types` is a part of `npm test`.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AnswerOf, Arguments } from '../../console/src/api/operations.ts'
import { requestOf } from '../../console/src/api/operations.ts'
import { operatorOperations } from '../../src/operator/operations.ts'

const CONSOLE = new URL('../../console/src/', import.meta.url)
const FILE = 'api/routes.ts'

/** The operations that the console names, with the routes of their rows. */
function routesFile(): string {
  const sources = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
  const texts = sources.filter((name) => name !== FILE).map((name) => readFileSync(new URL(name, CONSOLE), 'utf8'))
  const named = new Set(texts.flatMap((text) => [...text.matchAll(/['"](\w+)['"]/g)].map(([, word]) => word)))
  const lines = operatorOperations
    .filter(({ name }) => named.has(name))
    .map(({ name, method, path }) => `  ${name}: '${method} ${path}',\n`)
  return `// Written by test/console/operations.test.ts with UPDATE_ROUTES=1.

/** Method and path of each operation that the console names. */
export const ROUTES = {\n${lines.toSorted().join('')}} as const\n`
}

describe('a call by its name', () => {
  test('has the method and the path of the operation’s row', () => {
    const expected = routesFile()
    if (process.env.UPDATE_ROUTES) writeFileSync(new URL(FILE, CONSOLE), expected)
    expect(readFileSync(new URL(FILE, CONSOLE), 'utf8')).toBe(expected)
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
