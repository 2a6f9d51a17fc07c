// What is compressed, for whom, and that caches can tell the forms apart.

import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodingOf } from '../../src/http/answers/encodings.ts'
import { responseWriter } from '../../src/http/answers/raw-response.ts'
import { KEY, SECRET, startTestService, type TestService, useService } from '../harness/service.ts'

const service = useService()

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }

/** Not fetch, which decompresses by itself. */
function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) })
    })
    sent.once('error', reject).end()
  })
}

const DECOMPRESS = { br: brotliDecompressSync, gzip: gunzipSync }

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['BR', 'br'],
  ['*', 'br'],
  ['*;q=0', null],
  ['identity', null],
  ['deflate', null],
  ['', null],
  [undefined, null],
])('Accept-Encoding %s: %s', (accept, encoding) => {
  expect(encodingOf(accept)).toBe(encoding)
})

describe.each([
  ['the reference', '/docs'],
  ['OpenAPI', '/openapi.json'],
  ['the Postman collection', '/postman.json'],
  ['an XML schema', '/schemas/getProfile.xsd'],
  ['the operator reference', 'operator/docs'],
  ['the console', 'operator/'],
])('%s', (_name, path) => {
  const url = () => (path.startsWith('/') ? service.publicUrl + path : service.operatorUrl + path.slice(8))

  test('is compressed as the client accepts it, with a tag for each form', async () => {
    const plain = await get(url())
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const encoding of ['br', 'gzip'] as const) {
      const headers = { 'accept-encoding': encoding }
      const { bytes, headers: answered } = await get(url(), headers)
      expect(`${answered.vary}`).toMatch(/^accept-encoding/)
      if (plain.bytes.length < 1_024) continue
      expect(answered['content-encoding']).toBe(encoding)
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(DECOMPRESS[encoding](bytes).equals(plain.bytes)).toBe(true)
      expect(answered.etag).not.toBe(plain.headers.etag)
      const again = await get(url(), { ...headers, 'if-none-match': `"x", W/${answered.etag}` })
      expect([again.status, again.headers.etag, again.bytes.length]).toEqual([304, answered.etag, 0])
      expect(`${again.headers.vary}`).toMatch(/^accept-encoding/)
      expect((await get(url(), { ...headers, 'if-none-match': `${plain.headers.etag}` })).status).toBe(200)
    }
  })
})

test('a picture that the client has is not sent again, however it names it', async () => {
  const url = `${service.publicUrl}/pictures/default.png`
  const { etag } = (await get(url)).headers
  for (const known of [`${etag}`, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get(url, { 'if-none-match': known })
    expect([known, again.status, again.headers.etag, again.bytes.length]).toEqual([known, 304, etag, 0])
    expect(again.headers['cache-control']).toBe('public, max-age=86400')
  }
  expect((await get(url, { 'if-none-match': '"other"' })).status).toBe(200)
  const missing = `${service.publicUrl}/pictures/${'0'.repeat(32)}.png`
  expect((await get(missing, { 'if-none-match': '*' })).status).toBe(404)
})

describe('answers of the API', () => {
  let compressing: TestService
  beforeAll(async () => {
    compressing = await startTestService({ COMPRESS_ANSWERS: 'on' })
  })
  afterAll(() => compressing.close())
  const credentials = { 'who-apiKey': KEY, 'who-secret': SECRET, 'accept-encoding': 'gzip, br' }

  async function longList({ member, call, publicUrl }: TestService): Promise<[url: string, ticket: string]> {
    const star = await member()
    for (let count = 0; count < 12; count++) {
      const { ticket } = await member()
      expect((await call('POST', `/v1/profiles/me/followings/${star.profileId}`, { ticket })).status).toBeLessThan(300)
    }
    return [`${publicUrl}/v1/profiles/me/followers`, star.ticket]
  }

  test('over 2 KB are compressed where COMPRESS_ANSWERS allows it', async () => {
    const [url, ticket] = await longList(compressing)
    const headers = { ...credentials, 'who-ticket': ticket }
    const { 'accept-encoding': _none, ...uncompressed } = headers
    const plain = await get(url, uncompressed)
    expect(plain.bytes.length).toBeGreaterThan(2_048)
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept, accept-encoding'])
    const { status, bytes, headers: answered } = await get(url, headers)
    expect([status, answered['content-encoding'], answered.vary]).toEqual([200, 'br', 'accept, accept-encoding'])
    expect(brotliDecompressSync(bytes).equals(plain.bytes)).toBe(true)
    const short = await get(`${compressing.publicUrl}/v1/profiles/me`, headers)
    expect([short.status, short.headers['content-encoding']]).toEqual([200, undefined])
  })

  test.each([
    [true, undefined],
    [false, 'br'],
  ])('with secrets in them (%s) have the encoding %s', async (secret, encoding) => {
    const writer = responseWriter({ raw: false, compress: true })
    const body = { text: 'a'.repeat(5_000), bytes: 5_000 }
    const server = createServer((_, response) =>
      writer.sendText(response, { status: 200, representation: 'json', body, id: '1', secret }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { headers } = await get(`http://127.0.0.1:${port}/`, { 'accept-encoding': 'br' })
    expect(headers['content-encoding']).toBe(encoding)
    server.close()
  })

  test('are not by default', async () => {
    const [url, ticket] = await longList(service)
    const { bytes, headers } = await get(url, { ...credentials, 'who-ticket': ticket })
    expect(bytes.length).toBeGreaterThan(2_048)
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept'])
  })
})
