// Which pages of other origins may call the public API from a browser.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { KEY, SECRET, startTestService, type TestService, useService } from '../harness/service.ts'

const CREDENTIALS = { 'who-apiKey': KEY, 'who-secret': SECRET }
const PAGE = 'https://app.example.com'

const sandbox = useService()

function preflight({ publicUrl }: { publicUrl: string }, path: string, origin: string): Promise<Response> {
  const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'who-apikey' }
  return fetch(publicUrl + path, { method: 'OPTIONS', headers })
}

const allowed = (response: Response) => response.headers.get('access-control-allow-origin')

describe('the sandbox', () => {
  test.each(['http://localhost:3000', 'http://127.0.0.1:5173', 'https://localhost', 'http://[::1]:8000'])(
    'lets a page of %s call it',
    async (origin) => {
      const answer = await preflight(sandbox, '/v1/profiles/me/followings/1', origin)
      expect([answer.status, allowed(answer)]).toEqual([204, origin])
      expect(answer.headers.get('access-control-allow-methods')).toBe('DELETE, POST')
      expect(answer.headers.get('access-control-allow-headers')).toMatch(/who-apikey.*who-ticket/)
      const read = await fetch(`${sandbox.publicUrl}/v1/profiles/1`, { headers: { ...CREDENTIALS, origin } })
      expect([read.status, allowed(read), read.headers.get('vary')]).toEqual([404, origin, 'accept, origin'])
      for (const name of ['x-request-id', 'retry-after', 'x-hint', 'idempotent-replayed']) {
        expect(read.headers.get('access-control-expose-headers')).toContain(name)
      }
      expect(read.headers.has('access-control-allow-credentials')).toBe(false)
    },
  )

  test.each(['http://localhost.example.com', 'https://example.com', 'null', 'http://localhost:3000/x', 'localhost'])(
    'but no page of %s',
    async (origin) => {
      const answer = await preflight(sandbox, '/v1/profiles/me/followings/1', origin)
      expect([answer.status, allowed(answer)]).toEqual([405, null])
      const read = await fetch(`${sandbox.publicUrl}/v1/profiles/1`, { headers: { ...CREDENTIALS, origin } })
      expect([read.status, allowed(read)]).toEqual([404, null])
    },
  )

  test('answers no preflight of a path that does not exist, or on the operator listener', async () => {
    const origin = 'http://localhost:3000'
    expect((await preflight(sandbox, '/v1/nothing', origin)).status).toBe(404)
    const operator = await preflight({ publicUrl: sandbox.operatorUrl }, '/operator/v1/me', origin)
    expect([operator.status, allowed(operator)]).toEqual([405, null])
  })

  test('lets caches tell apart what they were asked by pages', async () => {
    const { headers } = await fetch(`${sandbox.publicUrl}/pictures/default.png`)
    expect(headers.get('vary')).toBe('origin')
  })
})

describe('CORS_ORIGINS', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ CORS_ORIGINS: `${PAGE}, https://other.example.com` })
  })
  afterAll(() => service.close())

  test('lets the pages of these origins call the API, streams included, and no others', async () => {
    const { ticket } = await service.member()
    const headers = { ...CREDENTIALS, 'who-ticket': ticket, origin: PAGE }
    for (const path of ['/v1/profiles/me', '/v1/stream', '/openapi.json', '/nothing']) {
      const abort = new AbortController()
      const answer = await fetch(service.publicUrl + path, { headers, signal: abort.signal })
      expect([path, allowed(answer)]).toEqual([path, PAGE])
      abort.abort()
    }
    expect((await preflight(service, '/v1/profiles/me', 'https://other.example.com')).status).toBe(204)
    expect((await preflight(service, '/v1/profiles/me', 'http://localhost:3000')).status).toBe(405)
  })

  test('can be off in the sandbox', () => {
    expect(readConfig({ CORS_ORIGINS: 'off' }).corsOrigins).toEqual([])
    expect(readConfig({}).corsOrigins).toBe('localhost')
  })

  test.each(['*', 'app.example.com', 'https://app.example.com/', 'https://a.example.com,', 'null'])(
    'takes no %s',
    (raw) => {
      expect(() => readConfig({ CORS_ORIGINS: raw })).toThrow(/CORS_ORIGINS.*write origins such as/)
    },
  )
})
