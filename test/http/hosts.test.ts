// What a client writes as host or target leads nowhere else.

import { expect, test } from 'vitest'
import { openConnection } from '../harness/raw-connection.ts'
import { OPERATOR_TOKEN, useService } from '../harness/service.ts'

const service = useService({ TRUST_PROXY: '127.0.0.1' })

async function answerTo(url: string, target: string, headers: string): Promise<string> {
  const connection = await openConnection(url)
  connection.send(`GET ${target} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`)
  return connection.closed()
}

test.each([
  'Host: evil.example\r\n',
  'Host: x\r\nx-forwarded-host: evil.example\r\n',
  'Host: x\r\nforwarded: host=evil.example\r\n',
])('no answer names a host that a client sends: %j', async (headers) => {
  for (const [url, paths] of [
    [service.publicUrl, ['/', '/docs', '/openapi.json', '/postman.json']],
    [service.operatorUrl, ['/', '/docs', '/sign-in']],
  ] as const) {
    for (const path of paths) expect(await answerTo(url, path, headers)).not.toContain('evil')
  }
})

test.each([
  '/operator/v1/me',
  '//operator/v1/me',
  '/v1/../operator/v1/me',
  '/v1/%2e%2e/operator/v1/me',
  'http://127.0.0.1/operator/v1/me',
  '/metrics',
  '/health/ready',
  '/sign-in',
])('the public listener has nothing of the operator’s at %s', async (target) => {
  const headers = `Host: x\r\nauthorization: Bearer ${OPERATOR_TOKEN}\r\nx-original-url: /operator/v1/me\r\n`
  expect(await answerTo(service.publicUrl, target, headers)).toMatch(/^HTTP\/1.1 40[04] /)
})
