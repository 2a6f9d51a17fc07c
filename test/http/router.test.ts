import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newRouter } from '../../src/http/router.ts'

function routerOf(...paths: string[]) {
  const router = newRouter<string>()
  for (const path of paths) router.add('GET', path, path)
  return (url: string, method = 'GET') => router.find(method, url)
}

const find = routerOf('/v1/profiles/{id}', '/v1/profiles/me', '/v1/profiles/{id}/flag', '/v1/a/{one}/b/{two}')

test.each([
  ['/v1/profiles/7', '/v1/profiles/{id}', { id: '7' }],
  ['/v1/profiles/7?id=8&x=/y', '/v1/profiles/{id}', { id: '7' }],
  ['/v1/profiles/', '/v1/profiles/{id}', { id: '' }],
  ['/v1/profiles//flag', '/v1/profiles/{id}/flag', { id: '' }],
  ['/v1/profiles/me', '/v1/profiles/me', {}],
  // Where the literal part matches no path, the variable one is tried.
  ['/v1/profiles/me/flag', '/v1/profiles/{id}/flag', { id: 'me' }],
  ['/v1/a/1/b/2', '/v1/a/{one}/b/{two}', { one: '1', two: '2' }],
  ['/v1/%70rofiles/%37', '/v1/profiles/{id}', { id: '7' }],
  ['/v1/profiles/a%2Fb', '/v1/profiles/{id}', { id: 'a/b' }],
  ['/v1/profiles/%zz%', '/v1/profiles/{id}', { id: '\ufffdzz\ufffd' }],
  ['/v1/profiles/__proto__', '/v1/profiles/{id}', { id: '__proto__' }],
  ['/v1/profiles/a%2Fflag', '/v1/profiles/{id}', { id: 'a/flag' }],
  ['/v1/profiles/mee', '/v1/profiles/{id}', { id: 'mee' }],
  ['/v1/profiles/m', '/v1/profiles/{id}', { id: 'm' }],
  ['/v1/profiles/me/', '/v1/profiles/me', {}],
  ['/v1/profiles/7/', '/v1/profiles/{id}', { id: '7' }],
  ['/v1/profiles/7/flag/?x=/', '/v1/profiles/{id}/flag', { id: '7' }],
  ['http://example.test/v1/profiles/7', '/v1/profiles/{id}', { id: '7' }],
])('%s finds its route', (url, target, variables) => {
  expect(find(url)).toEqual({ target, route: target, variables })
})

test.each(['/', '', '*', '/v1', '/v1/profiles', '/v1/profiles/7//', '/v1/profiles/7/flag/x', '/v1/a/1/c/2', '//v1/a'])(
  'no route matches "%s"',
  (url) => {
    expect(find(url)).toBeNull()
    expect(find(`${url}?a=b`)).toBeNull()
  },
)

test('a route matches only its own method', () => {
  expect(find('/v1/profiles/7', 'PUT')).toBeNull()
})

test('a route cannot be added twice', () => {
  expect(() => routerOf('/a/{x}', '/a/{y}')).toThrow('served twice')
})

test('an id is passed on as it was sent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (id) => {
      expect(find(`/v1/profiles/${encodeURIComponent(id)}/flag`)?.variables).toEqual({ id })
    }),
  )
})
