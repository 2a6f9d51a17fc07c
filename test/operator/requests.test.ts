import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { operatorOperations } from '../../src/operator/operations.ts'
import { OPERATOR_TOKEN, useService } from '../harness/service.ts'

const service = useService()
const PATH = '/operator/v1/applications'

async function send(method: string, path: string, options: { body?: string; type?: string; token?: null } = {}) {
  const headers: Record<string, string> = {}
  if (options.token !== null) headers.authorization = `Bearer ${OPERATOR_TOKEN}`
  if (options.type !== undefined) headers['content-type'] = options.type
  const body = options.body === undefined ? {} : { body: Buffer.from(options.body) }
  const response = await fetch(service.operatorUrl + path, { method, headers, ...body })
  const text = await response.text()
  const problem = response.headers.get('content-type') === 'application/problem+json; charset=utf-8'
  return {
    status: response.status,
    headers: response.headers,
    text,
    problem: problem && text !== '' ? JSON.parse(text) : null,
  }
}

const json = (body: string) => send('POST', PATH, { body, type: 'application/json' })

test.each(['{', '{"name":}', 'name=x', '{"name":"a"} x', '[', '{"__proto__":{"admin":true},"name":"a"}'])(
  'the body %s is malformed JSON: 400',
  async (body) => {
    const reply = await json(body)
    expect(reply.status).toBe(400)
    expect(reply.problem).toMatchObject({ title: 'Bad request', status: 400, detail: expect.stringContaining('JSON') })
  },
)

test('the refusal of a malformed body does not quote it', async () => {
  const reply = await json('{"name":"hunter2"hunter2}')
  expect([reply.status, reply.text.includes('hunter2')]).toEqual([400, false])
})

test.each(['null', '[]', '"text"', '5', 'true'])('the body %s is JSON but not an object: 422', async (body) => {
  const reply = await json(body)
  expect([reply.status, reply.problem?.errors]).toEqual([422, [{ pointer: '', detail: 'must be object' }]])
})

test('a missing body counts as an empty object: missing fields are named', async () => {
  for (const reply of [await send('POST', PATH), await send('POST', PATH, { body: '', type: 'application/json' })]) {
    expect([reply.status, reply.problem?.errors]).toEqual([422, [{ pointer: '/name', detail: 'is required' }]])
  }
})

test('a content type without a body is ignored', async () => {
  const created = JSON.parse((await json('{"name":"x"}')).text)
  const reply = await send('DELETE', `${PATH}/${created.apiKey}`, { type: 'application/json' })
  expect(reply.status).toBe(204)
})

test.each([
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'application/x-ndjson',
  '',
  ';',
])('a body of type "%s" is refused: 415', async (type) => {
  const reply = await send('POST', PATH, { body: '{"name":"x"}', type })
  expect(reply.status).toBe(415)
  expect(reply.problem).toMatchObject({ status: 415, detail: expect.stringContaining('application/json') })
})

test.each(['text/plain', 'application/xml', 'application/x-ndjson'])(
  'a missing body of type "%s" counts as an empty object',
  async (type) => {
    expect((await send('POST', PATH, { body: '', type })).problem?.errors[0].pointer).toBe('/name')
    expect((await send('PUT', '/operator/v1/customers/999', { body: '', type })).status).toBeLessThan(300)
  },
)

test.each(['[', '{"a":', '{"name":[{"a":'])(
  'a body nested too deeply (%s…) is refused without being parsed',
  async (opening) => {
    const nested = opening.repeat(50_000)
    const closing = [...nested]
      .reverse()
      .map((one) => ({ '[': ']', '{': '}' })[one] ?? '')
      .join('')
    const reply = await json(`${nested}1${closing}`)
    expect([reply.status, reply.problem?.detail]).toEqual([422, expect.stringContaining('64 levels')])
    const line = `{"put":"customer","id":"998","username":${nested}1${closing}}\n`
    const feed = await send('POST', '/operator/v1/feed', { body: line, type: 'application/x-ndjson' })
    expect([feed.status, JSON.parse(feed.text).refused]).toEqual([200, 1])
  },
)

test('a NUL character is refused in every field', async () => {
  for (const { method, path, query } of operatorOperations) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
    for (const name of names) {
      const place = path.replace(`{${name}}`, '%00').replace(/\{\w+\}/g, '1')
      const reply = await send(method, `/operator/v1${place}`, {
        ...(method === 'GET' ? {} : { body: '{}' }),
        type: 'application/json',
      })
      expect([place, reply.status, reply.problem?.errors[0].pointer]).toEqual([place, 422, `path/${name}`])
    }
    for (const name of Object.keys(query?.properties ?? {})) {
      const place = `${path.replace(/\{\w+\}/g, '1')}?${name}=%00`
      const reply = await send(method, `/operator/v1${place}`)
      expect([place, reply.status]).toEqual([place, 422])
    }
  }
})

test('a truncated body is not reported as an error of the service', async () => {
  const { port } = new URL(service.operatorUrl)
  for (const [path, type] of [
    [PATH, 'application/json'],
    ['/operator/v1/feed', 'application/x-ndjson'],
  ]) {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nauthorization: Bearer ${OPERATOR_TOKEN}\r\ncontent-type: ${type}\r\ncontent-length: 9\r\n\r\n{`,
      )
      setTimeout(() => socket.destroy(), 50)
    })
    await new Promise((resolve) => socket.once('close', resolve))
  }
  await expect
    .poll(() => service.logged().match(/"operation":"(createApplication|feed)".*"status":400/g)?.length)
    .toBeGreaterThan(1)
  expect(service.logged()).not.toContain('request failed')
})

test.each(['*operator/v1/applications', 'xoperator/v1/applications'])(
  'the request target "%s" is refused',
  async (target) => {
    expect(
      await raw(
        `GET ${target} HTTP/1.1\r\nHost: x\r\nauthorization: Bearer ${OPERATOR_TOKEN}\r\nconnection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 40[04] /)
  },
)

test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8'])(
  'a body of type "%s" is accepted',
  async (type) => {
    expect((await send('POST', PATH, { body: '{"name":"x"}', type })).status).toBe(201)
  },
)

test('a body of more than 1 MiB is refused: 413', async () => {
  const frame = '{"name":""}'.length
  const over = await json(`{"name":"${'x'.repeat(1024 * 1024 - frame + 1)}"}`)
  expect(over.status).toBe(413)
  expect(over.problem).toMatchObject({ status: 413, detail: expect.stringContaining('1 MiB') })
  const just = await json(`{"name":"${'x'.repeat(1024 * 1024 - frame)}"}`)
  expect([just.status, just.problem?.errors[0].pointer]).toEqual([422, '/name'])
})

test('all errors of a body are reported together, up to a hundred', async () => {
  const reply = await json('{"rateLimit":{"perSecond":-1,"perMinute":"5","perHour":1},"extra":1}')
  expect(reply.problem?.errors).toEqual(
    expect.arrayContaining([
      { pointer: '/name', detail: 'is required' },
      { pointer: '/extra', detail: expect.stringContaining('not known') },
      { pointer: '/rateLimit/perHour', detail: expect.stringContaining('not known') },
      { pointer: '/rateLimit/perSecond', detail: 'must be >= 0' },
      { pointer: '/rateLimit/perMinute', detail: 'must be integer' },
    ]),
  )
  expect(reply.problem?.errors).toHaveLength(5)
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`a/~${index}`, 1]))
  const refused = await json(JSON.stringify(many))
  expect(refused.problem?.errors).toHaveLength(100)
  expect(refused.problem?.errors[1].pointer).toBe('/a~1~00')
})

test.each(['/index.html', '/operator', '/operator/v1', '/operator/v2/applications', `${PATH}/a/b`, '/v1/profiles/1'])(
  'the path %s does not exist: 404',
  async (path) => {
    const reply = await send('GET', path, { token: null })
    expect(reply.status).toBe(404)
    expect(reply.problem).toMatchObject({ title: 'Not found', detail: expect.stringContaining('openapi.json') })
  },
)

test.each([
  ['PUT', PATH, 'GET, HEAD, POST'],
  ['OPTIONS', PATH, 'GET, HEAD, POST'],
  ['GET', `${PATH}/some-key`, 'DELETE'],
  ['PATCH', '/operator/v1/customers/1', 'GET, HEAD, PUT'],
  ['POST', '/operator/v1/customers/1/personal-data', 'DELETE, GET, HEAD'],
  ['POST', '/operator/v1/moderation/queue?kind=profile', 'GET, HEAD'],
  ['POST', '/operator/openapi.json', 'GET, HEAD'],
  ['DELETE', '/metrics', 'GET, HEAD'],
  ['QUERY', PATH, 'GET, HEAD, POST'],
])('%s %s is not allowed: 405 with an Allow header', async (method, path, allowed) => {
  const reply = await send(method, path)
  expect([reply.status, reply.headers.get('allow')]).toEqual([405, allowed])
  expect(reply.problem).toMatchObject({ title: 'Method not allowed', detail: expect.stringContaining(allowed) })
})

test('a path with invalid percent-encoding is refused for its id', async () => {
  const reply = await send('GET', '/operator/v1/customers/%ff')
  expect([reply.status, reply.problem?.errors[0].pointer]).toEqual([422, 'path/id'])
})

test('HEAD answers as GET does, without the body', async () => {
  const reply = await send('HEAD', PATH)
  expect([reply.status, reply.text]).toEqual([200, ''])
  expect((await send('HEAD', PATH, { token: null })).status).toBe(401)
})

test('malformed or too large HTTP requests are refused with a problem document', async () => {
  expect(await raw('nonsense\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 Bad Request\r\ncontent-type: application\/problem\+json/i,
  )
  const oversized = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`
  expect(await raw(oversized)).toMatch(/^HTTP\/1.1 431 [\s\S]*"status":431/)
})

function raw(text: string): Promise<string> {
  const { port } = new URL(service.operatorUrl)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

test('health and metrics need no token', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics', '/operator/openapi.json']) {
    expect([path, (await send('GET', path, { token: null })).status]).toEqual([path, 200])
  }
})
