// Headers that every answer has, on both listeners.

import { expect, test } from 'vitest'
import { useService } from '../harness/service.ts'

const service = useService()

test('no answer may be taken for another type than its own', async () => {
  const { ticket } = await service.member()
  const keys = { 'who-apiKey': 'test-key', 'who-secret': 'test-secret', 'who-ticket': ticket }
  const authorization = `Bearer ${service.operatorToken.token}`
  const requests: [url: string, status: number, headers: Record<string, string>][] = [
    [`${service.publicUrl}/v1/profiles/me`, 200, keys],
    [`${service.publicUrl}/v1/profiles/me`, 406, { ...keys, accept: 'text/html' }],
    [`${service.publicUrl}/v1/profiles/me`, 400, {}],
    [`${service.publicUrl}/v1/stream`, 200, keys],
    [`${service.publicUrl}/nothing`, 404, {}],
    [`${service.publicUrl}/docs`, 200, {}],
    [`${service.publicUrl}/openapi.json`, 200, {}],
    [`${service.publicUrl}/pictures/default.png`, 200, {}],
    [`${service.operatorUrl}/operator/v1/me`, 200, { authorization }],
    [`${service.operatorUrl}/operator/v1/me`, 401, {}],
    [`${service.operatorUrl}/operator/v1/stream`, 200, { authorization }],
    [`${service.operatorUrl}/nothing`, 404, {}],
    [`${service.operatorUrl}/metrics`, 200, {}],
    [`${service.operatorUrl}/`, 200, {}],
  ]
  for (const [url, status, headers] of requests) {
    const abort = new AbortController()
    const response = await fetch(url, { headers, signal: abort.signal })
    expect([url, response.status, response.headers.get('x-content-type-options')]).toEqual([url, status, 'nosniff'])
    abort.abort()
  }
})
