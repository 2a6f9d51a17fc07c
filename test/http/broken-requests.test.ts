// Bytes that are not HTTP are refused after all earlier requests, with a request id that is in the log, in the requested
// representation.

import { describe, expect, test } from 'vitest'
import { parseXml } from '../harness/answers.ts'
import { credentials, openConnection } from '../harness/raw-connection.ts'
import { useService } from '../harness/service.ts'
import { newDepositor } from '../harness/wallets.ts'

const service = useService({ REQUEST_HEAD_TIMEOUT_MS: '500', RESPONSE_TIMEOUT_MS: '2000' })

/** Everything that the service answers to these bytes. */
async function answersTo(bytes: string, url = service.publicUrl): Promise<string> {
  const connection = await openConnection(url)
  connection.send(bytes)
  const answers = await connection.ended()
  connection.destroy()
  return answers
}

const statuses = (answers: string) => [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status))

describe('a pending answer is not overtaken', () => {
  const BROKEN = {
    'by bytes that are not HTTP': 'JUNK\r\n\r\n',
    'by a broken header': 'GET / HTTP/1.1\r\nbad header\r\n\r\n',
    'by a head that is too large': `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    'by a head that is late': 'GET / HTTP/1.1\r\n',
    'by CONNECT': 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  }
  test.each(Object.keys(BROKEN) as (keyof typeof BROKEN)[])('on its connection %s', async (what) => {
    const { ticket, method } = await newDepositor(service, { token: 'sandbox:slow-1200' })
    const pay = `/v1/wallets/me?transactionType=deposit&amount=10.00&id=${method}&cv2=123`
    const deposit = `POST ${pay} HTTP/1.1\r\n${credentials()}who-ticket: ${ticket}\r\ncontent-length: 0\r\n\r\n`
    const answers = await answersTo(deposit + BROKEN[what])
    expect(answers).toMatch(/^HTTP\/1.1 200 [^<]*<\?xml[^?]*\?>\s*<whoWallets><paymentId>/)
    expect(statuses(answers)).toEqual([200, what === 'by CONNECT' ? 405 : statuses(answers)[1]])
    expect(statuses(answers)[1]).toBeGreaterThanOrEqual(400)
  })

  test('after several requests in one packet', async () => {
    const read = `GET /v1/profiles/1 HTTP/1.1\r\n${credentials()}\r\n`
    expect(statuses(await answersTo(`${read}${read}${read}JUNK\r\n\r\n`))).toEqual([404, 404, 404, 400])
  })
})

test('a refusal reaches a client that keeps sending, and then the connection is closed', async () => {
  const connection = await openConnection(service.publicUrl)
  const sending = setInterval(() => connection.send('x'.repeat(100_000)), 5)
  connection.send('GET / HTTP/1.1\r\nbad header\r\n\r\n')
  expect(await connection.closed()).toMatch(/^HTTP\/1.1 400 [\s\S]*<\/whoFaults>$/)
  clearInterval(sending)
})

describe('a broken body is answered once', () => {
  const head = (path: string) => `POST ${path} HTTP/1.1\r\n${credentials()}transfer-encoding: chunked\r\n`
  const FORM = 'content-type: application/x-www-form-urlencoded\r\naccept: application/json\r\n'

  test('when the operation reads it', async () => {
    const answers = await answersTo(`${head('/v1/sessions/tickets')}${FORM}\r\nZZ\r\n`)
    expect(answers).toMatch(/^HTTP\/1.1 400 [\s\S]*application\/json[\s\S]*"faultCode":"10071"/)
    expect(statuses(answers)).toHaveLength(1)
  })

  test('when the answer was sent before', async () => {
    expect(statuses(await answersTo(`${head('/nothing')}\r\nZZ\r\n`))).toEqual([404])
  })

  test('when the operator listener reads it', async () => {
    const authorization = `authorization: Bearer ${service.operatorToken.token}\r\n`
    for (const type of ['application/json', 'application/x-ndjson']) {
      const path = type === 'application/json' ? '/operator/v1/applications' : '/operator/v1/feed'
      const bytes = `POST ${path} HTTP/1.1\r\nHost: x\r\n${authorization}content-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n`
      const answers = await answersTo(bytes, service.operatorUrl)
      expect([type, statuses(answers)]).toEqual([type, [400]])
    }
    expect(service.logged()).not.toContain('request failed')
  })
})

describe('a request that a proxy could read as two', () => {
  const CHUNKED = 'transfer-encoding: chunked\r\n'
  const BODIES: Record<string, [headers: string, body: string]> = {
    'has a length beside chunks': [`content-length: 5\r\n${CHUNKED}`, '0\r\n\r\n'],
    'has chunks beside a length': [`${CHUNKED}content-length: 5\r\n`, '0\r\n\r\n'],
    'has chunks on a folded line': ['transfer-encoding:\r\n chunked\r\ncontent-length: 3\r\n', '0\r\n\r\n'],
    'has two codings': [`${CHUNKED}transfer-encoding: identity\r\n`, '0\r\n\r\n'],
    'has an unknown coding': ['transfer-encoding: xchunked\r\n', '0\r\n\r\n'],
    'has a list of lengths': ['content-length: 5, 5\r\n', 'abcde'],
    'has a length with a sign': ['content-length: +5\r\n', 'abcde'],
    'has a space before the colon': ['content-length : 5\r\n', 'abcde'],
    'has a line that ends without CR': ['x-a: b\ncontent-length: 5\r\n', 'abcde'],
    'has a CR within a line': ['x-a: b\rcontent-length: 5\r\n', 'abcde'],
    'has a chunk longer than it says': [CHUNKED, '1\r\nZZ\r\n0\r\n\r\n'],
    'has a negative chunk': [CHUNKED, '-1\r\nZ\r\n0\r\n\r\n'],
    'has a chunk of too many bytes': [CHUNKED, 'FFFFFFFFFFFFFFFFF\r\nZ\r\n0\r\n\r\n'],
  }
  const names = Object.keys(BODIES)

  test.each(names.flatMap((name) => [[name, 'publicUrl'] as const, [name, 'operatorUrl'] as const]))(
    'is answered once and its connection closed: it %s (%s)',
    async (name, url) => {
      const [headers, body] = BODIES[name] as (typeof BODIES)[string]
      const form = 'content-type: application/x-www-form-urlencoded\r\n'
      const path = url === 'publicUrl' ? '/v1/sessions/tickets' : '/operator/v1/applications'
      const json = `authorization: Bearer ${service.operatorToken.token}\r\ncontent-type: application/json\r\n`
      const first = `POST ${path} HTTP/1.1\r\n${credentials()}${url === 'publicUrl' ? form : json}${headers}\r\n${body}`
      const answers = await answersTo(`${first}GET /v1/profiles/1 HTTP/1.1\r\n${credentials()}\r\n`, service[url])
      expect(statuses(answers)).toEqual([400])
    },
  )
})

describe('a refusal before any operation', () => {
  const PATH = '/v1/communities/comments/1'
  const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: x\r\nconnection: close\r\n${more}`
  const requests: Record<string, { status: number; bytes: (accept: string) => string }> = {
    'a broken header': { status: 400, bytes: (accept) => `${head(`GET ${PATH}`)}${accept}bad header\r\n\r\n` },
    'a broken header before the others': {
      status: 400,
      bytes: (accept) => `GET ${PATH} HTTP/1.1\r\nbad header\r\n${accept}\r\n`,
    },
    'a space too many': { status: 400, bytes: (accept) => `GET  ${PATH} x HTTP/1.1\r\n${accept}\r\n` },
    'two lengths': {
      status: 400,
      bytes: (accept) => `${head(`POST ${PATH}`)}${accept}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
    },
    'a head that is too large': {
      status: 431,
      bytes: (accept) => `${head(`GET ${PATH}`)}${accept}x: ${'y'.repeat(17_000)}\r\n\r\n`,
    },
    'no host': { status: 400, bytes: (accept) => `GET ${PATH} HTTP/1.1\r\n${accept}connection: close\r\n\r\n` },
    'two hosts': {
      status: 400,
      bytes: (accept) => `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${accept}host: y\r\nconnection: close\r\n\r\n`,
    },
    'two hosts, at a path that is no operation’s': {
      status: 400,
      bytes: (accept) => `GET /docs HTTP/1.1\r\nHost: x\r\nHost: x\r\n${accept}connection: close\r\n\r\n`,
    },
    'another expectation': { status: 417, bytes: (accept) => `${head(`GET ${PATH}`)}${accept}Expect: weird\r\n\r\n` },
    'another method': { status: 405, bytes: (accept) => `${head(`PATCH ${PATH}`)}${accept}\r\n` },
    'a method that Fastify takes for its own': {
      status: 405,
      bytes: (accept) => `${head(`QUERY ${PATH}`)}${accept}\r\n`,
    },
    'another path': { status: 404, bytes: (accept) => `${head(`GET ${PATH}/nothing`)}${accept}\r\n` },
    'CONNECT with a body': {
      status: 405,
      bytes: (accept) => `CONNECT x:443 HTTP/1.1\r\nHost: x\r\ncontent-length: 9\r\n${accept}\r\n`,
    },
    CONNECT: { status: 405, bytes: (accept) => `CONNECT x:443 HTTP/1.1\r\nHost: x\r\n${accept}\r\n` },
    'a broken piece of a body': {
      status: 400,
      bytes: (accept) =>
        `POST /v1/sessions/tickets HTTP/1.1\r\n${credentials()}${accept}content-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n`,
    },
  }

  test.each(Object.keys(requests))(
    'has an id that is in the log, and the requested representation: %s',
    async (name) => {
      const { status, bytes } = requests[name] as (typeof requests)[string]
      for (const [accept, type] of [
        ['Accept: application/json\r\n', 'json'],
        ['accept: text/html, application/json;q=0.5\r\n', 'json'],
        ['accept: application/xml\r\n', 'xml'],
        ['', 'xml'],
      ] as const) {
        const answer = await answersTo(bytes(accept))
        expect(statuses(answer)).toEqual([status])
        expect(answer).toMatch(new RegExp(`^content-type: application/${type}; charset=utf-8`, 'im'))
        expect(answer).toMatch(/^vary: accept/im)
        expect(answer).toMatch(/^x-content-type-options: nosniff\r$/im)
        if (status === 405) expect(answer).toMatch(/^allow: [A-Z]/im)
        const id = /^x-request-id: (.*)\r$/im.exec(answer)?.[1]
        expect(service.logged()).toContain(`"id":"${id}"`)
        const [, body = ''] = answer.split('\r\n\r\n')
        if (type === 'json') expect(() => JSON.parse(body)).not.toThrow()
        else expect(parseXml(body).name).toBe('whoFaults')
      }
    },
  )

  test('has the shape of its area', async () => {
    const inCommunities = await answersTo(`GET ${PATH} HTTP/1.1\r\naccept: application/json\r\nbad header\r\n\r\n`)
    expect(JSON.parse(inCommunities.split('\r\n\r\n')[1] as string)).toMatchObject({
      whoFaults: { fault: { faultCode: '10071' } },
    })
    const elsewhere = await answersTo('GET /v1/profiles/1 HTTP/1.1\r\naccept: application/json\r\nbad header\r\n\r\n')
    expect(JSON.parse(elsewhere.split('\r\n\r\n')[1] as string)).toMatchObject({ whoFaults: [{ faultCode: '10071' }] })
  })

  test('has no data of the previous request', async () => {
    const before = `GET /v1/profiles/1 HTTP/1.1\r\n${credentials()}accept: application/json\r\n\r\n`
    const [, , refusal] = (await answersTo(`${before}${head(`GET ${PATH}`)}bad header\r\n\r\n`)).split('HTTP/1.1 ')
    expect(refusal).toMatch(/^400 [\s\S]*application\/xml/)
  })

  test.each(Object.keys(requests).filter((name) => name !== 'a broken piece of a body'))(
    'is a problem document with an id on the operator listener: %s',
    async (name) => {
      const { status, bytes } = requests[name] as (typeof requests)[string]
      const answer = await answersTo(
        bytes('').replace('PATCH', 'DELETE').replaceAll(PATH, '/metrics'),
        service.operatorUrl,
      )
      expect(statuses(answer)).toEqual([status])
      expect(answer).toMatch(/^content-type: application\/problem\+json/im)
      const id = /^x-request-id: (.*)\r$/im.exec(answer)?.[1]
      expect(service.logged()).toContain(`"id":"${id}"`)
      expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toMatchObject({ status })
    },
  )
})
