// How the built console is served, whatever is in it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveConsole } from '../../src/operator/server/console.ts'
import { serveShowcase } from '../../src/sandbox/routes/showcase.ts'
import { serverWithRecords } from '../harness/server-with-records.ts'

const folder = mkdtempSync(join(tmpdir(), 'paddock-console-'))
let app: FastifyInstance

function serverOf(built: string): FastifyInstance {
  const server = serverWithRecords()
  serveConsole(server, built)
  return server
}

beforeAll(() => {
  mkdirSync(join(folder, 'dist', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'dist', 'index.html'), '<!doctype html><title>Built</title>')
  writeFileSync(join(folder, 'dist', '.stamp'), 'private')
  writeFileSync(join(folder, 'dist', 'assets', 'index-abc.js'), 'let built')
  writeFileSync(join(folder, 'secret.js'), 'secret')
  app = serverOf(join(folder, 'dist'))
})

afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

describe('the console’s files', () => {
  test('the page is revalidated on each request, its hashed assets are cached for ever', async () => {
    const page = await app.inject('/')
    expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ])
    const script = await app.inject('/assets/index-abc.js')
    expect([script.body, script.headers['content-type']]).toEqual(['let built', 'text/javascript; charset=utf-8'])
    expect(script.headers['cache-control']).toContain('immutable')
  })

  test('the page allows nothing inline, no other origins, no type sniffing and no frames', async () => {
    const { headers } = await app.inject('/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test('what a browser has cached is not sent again', async () => {
    const { etag } = (await app.inject('/')).headers
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await app.inject({ url: '/', headers: { 'if-none-match': String(known) } })
      expect([reply.statusCode, reply.body]).toEqual([304, ''])
    }
    expect((await app.inject({ url: '/', headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200)
  })

  test.each([
    '/.stamp',
    '/../secret.js',
    '/assets/../../secret.js',
    '/assets/%2e%2e/%2e%2e/secret.js',
    '/assets/..%2f..%2fsecret.js',
    '/assets/',
    '//secret.js',
  ])('%s is not found', async (url) => {
    const reply = await app.inject(url)
    expect([reply.statusCode, reply.body.includes('secret.js') || !reply.body.includes('secret')]).toEqual([404, true])
  })

  test('without a built console the page says how to build it', async () => {
    const bare = serverOf(join(folder, 'nothing-here'))
    const reply = await bare.inject('/')
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(reply.body).toContain('npm run build:web')
    await bare.close()
  })
})

test('the application for customers has its page and files below /app', async () => {
  const server = serverWithRecords()
  serveShowcase(server, join(folder, 'dist'))
  const page = await server.inject('/app/')
  expect([page.statusCode, page.body, page.headers['cache-control']]).toEqual([
    200,
    '<!doctype html><title>Built</title>',
    'no-cache',
  ])
  const script = await server.inject('/app/assets/index-abc.js')
  expect([script.statusCode, script.headers['cache-control']]).toEqual([200, expect.stringContaining('immutable')])
  for (const path of ['/', '/assets/index-abc.js', '/app/../secret.js', '/app/.stamp']) {
    expect([path, (await server.inject(path)).statusCode]).toEqual([path, 404])
  }
  await server.close()
})
