// Answers that Fastify and Node would give themselves must be answers of the contract.

import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type NoParameters, writing } from '../../src/platform/database/database.ts'
import type { Gateway } from '../../src/wallets/gateways/gateway.ts'
import { expectFault, parseXml } from '../harness/answers.ts'
import { raisePasswordCost } from '../harness/password-cost.ts'
import { startTestService, useService } from '../harness/service.ts'
import { newDepositor } from '../harness/wallets.ts'

const service = useService()

/** Sends raw bytes and reads until the server has answered or closed. */
function raw(bytes: string, url = service.publicUrl): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes, 'latin1'))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
      const head = answer.indexOf('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(answer)?.[1]
      if (head !== -1 && answer.length >= head + 4 + Number(length ?? 0)) socket.end()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('paths and methods', () => {
  test.each([
    ['/v1/profiles/1/nothing', 'profiles'],
    ['/v1/communities/nothing/at/all', 'communities'],
    ['/v1/wallets/nothing/at/all', 'wallets'],
    ['/v1/sessions/nothing', 'sessions'],
    ['/nothing', 'profiles'],
    ['/v1', 'profiles'],
  ])('%s: no such path, in the shape of %s', async (path) => {
    for (const accept of ['application/json', 'application/xml']) {
      expectFault(await service.call('GET', path, { accept }), path, 'noSuchPath', undefined)
    }
  })

  test.each([
    ['POST', '/v1/profiles/me', 'GET, HEAD, PUT'],
    ['DELETE', '/v1/profiles/7', 'GET, HEAD'],
    ['GET', '/v1/profiles/7/flag', 'PUT'],
    ['GET', '/v1/profiles//flag', 'PUT'],
    ['PUT', '/v1/profiles/me/followings/7', 'DELETE, POST'],
    ['GET', '/v1/profiles/me/followers/7', 'DELETE, POST'],
    ['PATCH', '/v1/profiles', 'GET, HEAD'],
    ['PATCH', '/v1/profiles/', 'GET, HEAD'],
    ['PATCH', '/v1/profiles/me/', 'GET, HEAD, PUT'],
    ['DELETE', '/v1/communities/comments', 'GET, HEAD, PUT'],
    ['GET', '/v1/communities/comments/me/outcomes', 'POST'],
    ['PATCH', '/v1/profiles/me/followings', 'GET, HEAD'],
    ['GET', '/v1/sessions/tickets', 'POST'],
    ['PATCH', '/v1/sessions/tickets/x', 'DELETE, HEAD'],
    ['OPTIONS', '/v1/profiles/followers/mostFollowed', 'GET, HEAD'],
    ['PROPFIND', '/v1/profiles/7', 'GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['DELETE', '/pictures/default.png', 'GET, HEAD'],
    ['QUERY', '/v1/profiles/7', 'GET, HEAD'],
    ['GET', '/v1/notifications/sandbox', 'POST'],
  ])('%s %s: not served, Allow: %s', async (method, path, allow) => {
    const reply = await service.call(method, path)
    expectFault(reply, path, 'methodNotServed', undefined)
    expect(reply.headers.get('allow')).toBe(allow)
  })

  test.each(['junk', '', ';', 'a/b; x="', 'application/json'])(
    'a body of type "%s" changes nothing where there is no operation',
    async (type) => {
      const body = `Host: x\r\ncontent-type: ${type}\r\ncontent-length: 1\r\n\r\n{`
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']) {
        expect(await raw(`${method} /nothing HTTP/1.1\r\n${body}`)).toMatch(/^HTTP\/1.1 404 /)
        expect(await raw(`${method} /docs HTTP/1.1\r\n${body}`)).toMatch(/^HTTP\/1.1 405 /)
      }
      expect(await raw(`POST /v1/notifications/sandbox HTTP/1.1\r\n${body}`)).toMatch(/^HTTP\/1.1 401 /)
    },
  )

  test.each(['*v1/profiles/3', 'xv1/profiles/3', '*', '*docs', 'ftp://x/v1/profiles/3', 'v1/profiles/3'])(
    'the request target "%s" is refused',
    async (target) => {
      const { profileId } = await service.member()
      const head = `Host: x\r\nwho-apiKey: test-key\r\nwho-secret: test-secret\r\n\r\n`
      const answer = await raw(`GET ${target.replace('3', `${profileId}`)} HTTP/1.1\r\n${head}`)
      expect(answer).toMatch(/^HTTP\/1.1 40[04] /)
    },
  )

  test('HEAD answers as GET would, without a body', async () => {
    const { ticket } = await service.customer()
    const reply = await service.call('HEAD', '/v1/profiles/me', { ticket })
    expect([reply.status, reply.text]).toEqual([200, ''])
    expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(100)
  })
})

describe('a slash at the end', () => {
  test('is ignored where no id is expected', async () => {
    const { ticket, profileId } = await service.member()
    const own = (path: string, method = 'GET') => service.call(method, path, { ticket })
    for (const path of ['/v1/profiles/me/', `/v1/profiles/${profileId}/`, '/v1/profiles/me/?communities=Y']) {
      expect([path, (await own(path)).text]).toEqual([path, expect.stringContaining(`<profile id="${profileId}">`)])
    }
    for (const path of [
      '/v1/profiles/me/followings/',
      '/v1/profiles/me/followers/',
      `/v1/profiles/${profileId}/followers/`,
      '/v1/profiles/followers/mostFollowed/',
      '/v1/communities/comments/outcomes/top/',
      '/v1/communities/comments/profiles/me/?status=A',
    ]) {
      expect([path, (await own(path)).status]).toEqual([path, 204])
    }
    expectFault(await own(`/v1/profiles/${profileId}/flag/`, 'PUT'), '/v1/profiles', 'flagSelf', 'id')
    expectFault(await own('/v1/wallets/me/methods/'), '/v1/wallets', 'noMethods', undefined)
    expectFault(await own('/v1/wallets/me/', 'POST'), '/v1/wallets', 'walletMissing', 'transactionType')
    expectFault(await own('/v1/sessions/tickets/', 'POST'), '/v1/sessions', 'credentialsMissing', 'username')
  })

  test.each([
    ['GET', '/v1/profiles/', 'id'],
    ['POST', '/v1/profiles/me/followings/', 'id'],
    ['GET', '/v1/communities/comments/', 'id'],
    ['GET', '/v1/communities/comments/profiles/', 'profileId'],
    ['POST', '/v1/communities/comments/me/outcomes/', 'outcomeId'],
    ['DELETE', '/v1/sessions/tickets/', 'ticket'],
  ])('is the missing id where one is expected: %s %s', async (method, path, name) => {
    const { ticket } = await service.customer()
    expectFault(await service.call(method, path, { ticket }), path, 'missing', name)
  })

  test('is not ignored twice', async () => {
    expectFault(await service.call('GET', '/v1/profiles/me//'), '/v1/profiles', 'noSuchPath', undefined)
  })
})

describe('ids', () => {
  test.each(['/v1/profiles', '/v1/profiles/', '/v1/profiles//followers', '/v1/profiles//followings'])(
    'GET %s: the id is missing',
    async (path) => {
      expectFault(await service.call('GET', path), path, 'missing', 'id')
    },
  )

  test.each([
    ['PUT', '/v1/profiles//flag'],
    ['POST', '/v1/profiles/me/followings/'],
    ['POST', '/v1/profiles/me/followings'],
    ['POST', '/v1/profiles/me/followers'],
    ['DELETE', '/v1/profiles/me/followings'],
    ['DELETE', '/v1/profiles/me/followers/'],
  ])('%s %s: the id is missing', async (method, path) => {
    const { ticket } = await service.customer()
    expectFault(await service.call(method, path, { ticket }), path, 'missing', 'id')
  })

  test.each(['abc', '-1', '1.5', '+1', '1e3', '0x10', '%20', '1%00', '%ff', '%zz', '%', '１', 'x'.repeat(5000)])(
    '"%s" is not valid',
    async (id) => {
      expectFault(await service.call('GET', `/v1/profiles/${id}`), '/v1/profiles', 'invalid', 'id')
    },
  )

  test.each(['0', '999999999', '9007199254740993', '9'.repeat(400)])('"%s" is a valid id of nothing', async (id) => {
    expectFault(await service.call('GET', `/v1/profiles/${id}`), '/v1/profiles', 'noProfile', 'id')
  })

  test('leading zeros are accepted', async () => {
    const { profileId } = await service.member()
    const reply = await service.call('GET', `/v1/profiles/000${profileId}`)
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining(`id="${profileId}"`)])
  })
})

describe('bodies', () => {
  test.each([
    ['application/json', ''],
    ['application/json', '{"broken'],
    ['application/xml', '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>'],
    ['application/x-www-form-urlencoded', 'a=%zz&&=&b'],
    ['no/such+type; x="', 'anything'],
    ['', 'anything'],
  ])('one of type %s that the operation does not use is ignored', async (type, body) => {
    const [fan, star] = [await service.customer(), await service.member()]
    const headers = type === '' ? {} : { 'content-type': type }
    const options = { ticket: fan.ticket, headers, body }
    const path = `/v1/profiles/me/followings/${star.profileId}`
    expect((await service.call('POST', path, options)).status).toBe(204)
    expect((await service.call('DELETE', path, options)).status).toBe(200)
  })

  test('up to 64 KiB is ignored, more is refused, announced or not', async () => {
    const [fan, star] = [await service.customer(), await service.member()]
    const path = `/v1/profiles/me/followings/${star.profileId}`
    const send = (body: Buffer) => service.call('POST', path, { ticket: fan.ticket, body })
    expect((await send(Buffer.alloc(65_536))).status).toBe(204)
    expectFault(await send(Buffer.alloc(65_537)), path, 'tooLarge', undefined)
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nwho-apiKey: test-key\r\nwho-secret: test-secret\r\nwho-ticket: ${fan.ticket}\r\n`
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`
    expect(await raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 204/)
    expect(await raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}1\r\nx\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 413 [\s\S]*<faultCode>30450</,
    )
  })

  test.each([
    ['POST', '/v1/sessions/tickets', 'application/x-www-form-urlencoded'],
    ['PUT', '/v1/profiles/me/picture', 'image/png'],
    ['POST', '/v1/notifications/sandbox', 'application/json'],
  ])('a truncated one is not reported as an error of the service: %s %s', async (method, path, type) => {
    const own = await startTestService()
    try {
      const { ticket } = await own.customer()
      const head = `who-apiKey: test-key\r\nwho-secret: test-secret\r\nwho-ticket: ${ticket}\r\ncontent-type: ${type}\r\n`
      for (const leave of ['end', 'destroy'] as const) {
        const socket = connect(Number(new URL(own.publicUrl).port), '127.0.0.1', () => {
          socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${head}content-length: 5\r\n\r\nab`)
          setTimeout(() => socket[leave](), 50)
        })
        await new Promise((resolve) => socket.resume().once('close', resolve))
      }
      const lines = () => own.logged().match(/"status":400/g)?.length
      await expect.poll(lines).toBe(2)
      expect(own.logged()).not.toMatch(/"level":[456]0/)
    } finally {
      await own.close()
    }
  })

  test('credentials are checked before the size', async () => {
    const reply = await service.call('POST', '/v1/profiles/me/followings/1', { key: null, body: Buffer.alloc(200_000) })
    expectFault(reply, '/v1/profiles', 'apiKeyMissing', '')
  })
})

describe('bytes that are no request', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
    ['too large headers', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['a too long path', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
  ])('%s is refused with an XML fault', async (_what, bytes, status) => {
    const [head = '', body = ''] = (await raw(bytes)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(parseXml(body).children[0]?.children[0]).toMatchObject({ name: 'faultCode', text: '10071' })
  })
})

describe('limits', () => {
  test('too many requests of one application answer 429 with Retry-After, others continue', async () => {
    const limited = await startTestService({ RATE_LIMIT_PER_SECOND: '0', RATE_LIMIT_PER_MINUTE: '5' })
    try {
      const statuses: number[] = []
      for (let count = 0; count < 7; count++) {
        statuses.push((await limited.call('GET', '/v1/profiles/followers/mostFollowed')).status)
      }
      expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429])
      const refused = await limited.call('GET', '/v1/profiles/1', { accept: 'application/json' })
      expectFault(refused, '/v1/profiles', 'tooManyRequests', undefined)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const other = await limited.context.applications.create({ name: 'Other', perSecond: null, perMinute: 100 })
      const reply = await limited.call('GET', '/v1/profiles/1', { key: other.apiKey, secret: other.secret })
      expect(reply.status).toBe(404)
      limited.clock.advance(60_000)
      expect((await limited.call('GET', '/v1/profiles/1')).status).toBe(404)
    } finally {
      await limited.close()
    }
  })

  test('more concurrent requests than the limit answer 503 with Retry-After', async () => {
    const small = await startTestService({ MAX_IN_FLIGHT: '1' })
    try {
      raisePasswordCost()
      await small.customer({ username: 'slow', password: 'slow-one' })
      const logins = Array.from({ length: 5 }, () =>
        small.call('POST', '/v1/sessions/tickets?username=slow&password=slow-one'),
      )
      const replies = await Promise.all(logins)
      const refused = replies.filter((reply) => reply.status === 503)
      expect(replies.filter((reply) => reply.status === 201).length).toBeGreaterThan(0)
      expect(refused.length).toBeGreaterThan(0)
      for (const reply of refused) {
        expectFault(reply, '/v1/sessions', 'unavailable', undefined)
        expect(reply.headers.get('retry-after')).toBe('1')
      }
    } finally {
      await small.close()
    }
  })
})

describe('connections', () => {
  const head = 'Host: x\r\nwho-apiKey: test-key\r\nwho-secret: test-secret\r\n'

  /** Whether the service accepts no new connections. */
  const isRefused = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(false))
      socket.once('error', () => resolve(true)).once('connect', () => socket.destroy())
    })

  const listeners = [
    ['an operation', '/v1/profiles/1', () => service.publicUrl],
    ['a path that is none', '/nothing', () => service.publicUrl],
    ["the operator's side", '/health/live', () => service.operatorUrl],
  ] as const
  test.each(listeners)('of %s state their idle timeout, but not when the client closes', async (_what, path, url) => {
    const kept = await raw(`GET ${path} HTTP/1.1\r\n${head}\r\n`, url())
    expect(kept).toMatch(/^connection: keep-alive$/im)
    expect(kept).toMatch(/^keep-alive: timeout=72$/im)
    const closed = await raw(`GET ${path} HTTP/1.1\r\n${head}connection: close\r\n\r\n`, url())
    expect(closed).toMatch(/^connection: close$/im)
    expect(closed).not.toMatch(/^keep-alive:/im)
  })

  test.each(['/v1/profiles/1', '/nothing'])('are answered and closed while the service stops: %s', async (path) => {
    const decision = Promise.withResolvers<void>()
    const gateway = (port: Gateway): Gateway => ({
      ...port,
      authorise: (...given) => decision.promise.then(() => port.authorise(...given)),
    })
    const own = await startTestService({}, undefined, { gateway })
    const { ticket, method, id } = await newDepositor(own)
    const port = Number(new URL(own.publicUrl).port)
    const socket = connect(port, '127.0.0.1')
    const answers: string[] = []
    socket.on('data', (data) => answers.push(`${data}`))
    const ended = new Promise((resolve) => socket.once('close', resolve))
    const pay = `/v1/wallets/me?transactionType=deposit&amount=10.00&id=${method}&cv2=123`
    socket.write(`POST ${pay} HTTP/1.1\r\n${head}who-ticket: ${ticket}\r\ncontent-length: 0\r\n\r\n`)
    while ((await own.operator('GET', `/operator/v1/deposits?customerId=${id}`)).body.items.length === 0) {}
    const closing = own.close()
    await expect.poll(() => isRefused(port)).toBe(true)
    await new Promise<unknown>((resolve) => socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`, resolve))
    // In the turn of the event loop in between, the service reads the request.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    decision.resolve()
    await Promise.all([closing, ended])
    const [paid = '', read = ''] = answers.join('').split(/(?=HTTP\/1\.1 404)/)
    expect(paid).toContain('<paymentId>')
    expect(read).toMatch(/^connection: close$/im)
    expect(read).not.toMatch(/^keep-alive:/im)
  })
})

test('every answer has a request id of its own, the same as in the log', async () => {
  const replies = await Promise.all([service.call('GET', '/v1/profiles/1'), service.call('GET', '/nothing')])
  const ids = replies.map((reply) => reply.headers.get('x-request-id'))
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) expect(service.logged()).toContain(`"id":"${id}"`)
})

test('an internal error is 500 on both listeners, with a request id that is in the log', async () => {
  const own = await startTestService()
  try {
    const hide = (table: string) =>
      own.context.database.run(
        writing<NoParameters, never>(`hide ${table}`, `alter table ${table} rename to no_${table}`),
        {},
      )
    await hide('profile')
    await hide('operator_token')
    const read = await own.call('GET', '/v1/profiles/1')
    expectFault(read, '/v1/profiles', 'unexpected', undefined)
    const listed = await own.operator('GET', '/operator/v1/tokens')
    expect(listed.status).toBe(500)
    const ids = [read, listed].map((reply) => reply.headers.get('x-request-id') as string)
    expect(listed.body.detail).toContain(ids[1])
    for (const id of ids) expect(own.logged()).toMatch(new RegExp(`"level":50,.*"id":"${id}".*"err":`))
  } finally {
    await own.close()
  }
})
