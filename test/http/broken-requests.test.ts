// What is no HTTP is refused in its turn, with a request id that is in the log, in the representation asked for.

import { describe, expect, test } from 'vitest'
import { credentials, openConnection } from '../harness/connection.ts'
import { useService } from '../harness/service.ts'
import { depositor } from '../harness/wallets.ts'

const service = useService({ REQUEST_HEAD_TIMEOUT_MS: '500' })

/** Everything that the service says to these bytes until it closes. */
async function answersTo(bytes: string, url = service.publicUrl): Promise<string> {
  const connection = await openConnection(url)
  connection.send(bytes)
  return connection.closed()
}

const statuses = (answers: string) => [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status))

describe('a pending answer is not overtaken', () => {
  const BROKEN = {
    'by what is no HTTP': 'JUNK\r\n\r\n',
    'by a broken header': 'GET / HTTP/1.1\r\nbad header\r\n\r\n',
    'by a head that is too large': `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    'by a head that is late': 'GET / HTTP/1.1\r\n',
    'by CONNECT': 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  }
  test.each(Object.keys(BROKEN) as (keyof typeof BROKEN)[])('%s', async (what) => {
    const { ticket, method } = await depositor(service, { token: 'sandbox:slow-1200' })
    const pay = `/v1/wallets/me?transactionType=deposit&amount=10.00&id=${method}&cv2=123`
    const deposit = `POST ${pay} HTTP/1.1\r\n${credentials()}who-ticket: ${ticket}\r\ncontent-length: 0\r\n\r\n`
    const answers = await answersTo(deposit + BROKEN[what])
    expect(answers).toMatch(/^HTTP\/1.1 200 [^<]*<\?xml[^?]*\?>\s*<whoWallets><paymentId>/)
    expect(statuses(answers)).toEqual([200, what === 'by CONNECT' ? 405 : statuses(answers)[1]])
    expect(statuses(answers)[1]).toBeGreaterThanOrEqual(400)
  })

  test('by what follows several requests in one packet', async () => {
    const read = `GET /v1/profiles/1 HTTP/1.1\r\n${credentials()}\r\n`
    expect(statuses(await answersTo(`${read}${read}${read}JUNK\r\n\r\n`))).toEqual([404, 404, 404, 400])
  })
})

describe('a broken body is answered once', () => {
  const head = (path: string) => `POST ${path} HTTP/1.1\r\n${credentials()}transfer-encoding: chunked\r\n`
  const FORM = 'content-type: application/x-www-form-urlencoded\r\naccept: application/json\r\n'

  test('where it is read', async () => {
    const answers = await answersTo(`${head('/v1/sessions/tickets')}${FORM}\r\nZZ\r\n`)
    expect(answers).toMatch(/^HTTP\/1.1 400 [\s\S]*application\/json[\s\S]*"faultCode":"10071"/)
    expect(statuses(answers)).toHaveLength(1)
  })

  test('where the answer is there already', async () => {
    expect(statuses(await answersTo(`${head('/nothing')}\r\nZZ\r\n`))).toEqual([404])
  })

  test('where the operator’s side reads it', async () => {
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
