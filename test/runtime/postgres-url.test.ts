import { describe, expect, test } from 'vitest'
import { serversOf, splitUrls } from '../../src/platform/runtime/postgres-url.ts'

describe('the servers of a URL', () => {
  test('are one or several, each with its own port', () => {
    expect(serversOf('postgres://u:p@one/x')).toEqual({ urls: ['postgres://u:p@one/x'], mustTakeWrites: false })
    expect(serversOf('postgresql://u:p%40x@a:1,b,[::1]:3/x?sslmode=require')).toEqual({
      urls: [
        'postgresql://u:p%40x@a:1/x?sslmode=require',
        'postgresql://u:p%40x@b/x?sslmode=require',
        'postgresql://u:p%40x@[::1]:3/x?sslmode=require',
      ],
      mustTakeWrites: false,
    })
    expect(serversOf('postgres:///x?host=/run/postgresql').urls).toEqual(['postgres:///x?host=/run/postgresql'])
  })

  test.each([
    ['postgres://a,b/x?target_session_attrs=read-write', '', true],
    ['postgres://a,b/x?target_session_attrs=primary&sslmode=require', '?sslmode=require', true],
    ['postgres://a,b/x?sslmode=require&target_session_attrs=any', '?sslmode=require', false],
    ['postgres://a,b/x?a=1&target_session_attrs=read-write&b=2', '?a=1&b=2', true],
  ])('of %s are two, and the attribute is no part of theirs', (url, query, mustTakeWrites) => {
    expect(serversOf(url)).toEqual({ urls: [`postgres://a/x${query}`, `postgres://b/x${query}`], mustTakeWrites })
  })

  test.each([
    ['mysql://a/x', /begins with postgres/],
    ['postgres://u:secret@a,/x', /several hosts/],
    ['postgres://u:secret@a,,b/x', /several hosts/],
    ['postgres://u:secret@a:port/x', /several hosts/],
    ['postgres://u:secret@a/x?target_session_attrs=standby', /one of any, read-write, primary/],
  ])('%s is refused in words that repeat no secret', (url, words) => {
    expect(() => serversOf(url)).toThrow(words)
    expect(() => serversOf(url)).not.toThrow(/secret/)
  })

  test('a list of URLs is split between them, not between hosts', () => {
    expect(splitUrls('postgres://a,b/x, postgresql://c/x,mysql://d')).toEqual([
      'postgres://a,b/x',
      'postgresql://c/x',
      'mysql://d',
    ])
  })
})
