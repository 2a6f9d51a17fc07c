import { describe, expect, test } from 'vitest'
import { endedSession, openedSession } from '../../src/identity/sessions/shapes.ts'
import { reading } from '../../src/platform/database/database.ts'
import { expectDocument, expectFault } from '../harness/answers.ts'
import { useService } from '../harness/service.ts'

const service = useService()
const PATH = '/v1/sessions/tickets'
const SECOND = 1000
let users = 0

async function customer() {
  const username = `login-${++users}`
  return { username, ...(await service.customer({ username, password: 'pass wörd' })) }
}

const logIn = (username: string, password: string, more = '') =>
  service.call('POST', `${PATH}?username=${username}&password=${encodeURIComponent(password)}${more}`, {
    accept: 'application/json',
  })

const alive = async (ticket: string) => (await service.call('HEAD', `${PATH}/${ticket}`)).status
const use = async (ticket: string) => (await service.call('GET', '/v1/profiles/me', { ticket })).status

describe('logging in', () => {
  test('gives a ticket that works, and its path', async () => {
    const { username } = await customer()
    const reply = await logIn(username, 'pass wörd')
    expect(reply.status).toBe(201)
    expectDocument(reply, openedSession)
    const { ticket, location, ...rest } = reply.json().whoSessions
    expect(ticket).toMatch(/^TGT-\d+-[A-Za-z0-9]{50}-\w+$/)
    expect(location).toBe(`${PATH}/${ticket}`)
    expect(rest).toEqual({})
    expect(await use(ticket)).toBe(200)
  })

  test('extended=Y adds its expiry, 60 days from now', async () => {
    const { username } = await customer()
    const { whoSessions } = (await logIn(username, 'pass wörd', '&extended=Y')).json()
    expect(whoSessions.extended).toBe('Y')
    const life = Date.parse(whoSessions.expiryDateTimeZoned) - service.clock.now()
    expect(Math.round(life / 1000 / 60)).toBe(60 * 24 * 60)
  })

  test.each([
    ['', 'username'],
    ['password=x', 'username'],
    ['username=x', 'password'],
    ['username=&password=x', 'username'],
  ])('"%s" lacks the %s: 200 with code 20010', async (query, faultName) => {
    const reply = await service.call('POST', `${PATH}?${query}`, {})
    expectFault(reply, PATH, 'credentialsMissing', faultName)
    expect(reply.status).toBe(200)
  })

  test('a wrong password, an unknown customer and a customer without a password get the same answer', async () => {
    const { username } = await customer()
    const without = `login-${++users}`
    await service.customer({ username: without })
    const answers = []
    for (const name of [username, 'nobody-at-all', without]) {
      const reply = await logIn(name, 'wrong')
      expectFault(reply, PATH, 'credentialsWrong', '')
      answers.push(reply.text)
    }
    expect(new Set(answers).size).toBe(1)
  })

  test('parameters come from the form too, and the query string wins', async () => {
    const { username } = await customer()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `username=${username}&password=${encodeURIComponent('pass wörd')}`
    expect((await service.call('POST', PATH, { headers: form, body })).status).toBe(201)
    expect((await service.call('POST', `${PATH}?password=other`, { headers: form, body })).status).toBe(401)
  })

  test('a body of no type or of plain text is read as a form', async () => {
    const { username } = await customer()
    const body = `username=${username}&password=${encodeURIComponent('pass wörd')}`
    for (const type of [undefined, '', 'text/plain', 'Text/Plain; charset=UTF-8']) {
      const headers = type === undefined ? {} : { 'content-type': type }
      // Of bytes, because fetch gives a text a type.
      const reply = await service.call('POST', PATH, { headers, body: Buffer.from(body) })
      expect([type, reply.status, reply.headers.get('x-hint')]).toEqual([type, 201, null])
    }
  })

  test('one of JSON, multipart or another type is not, and a header says so', async () => {
    const { username } = await customer()
    const types = {
      'application/json': 'it is JSON',
      'application/vnd.x+json; charset=utf-8': 'it is JSON',
      'multipart/form-data; boundary=x': 'it is multipart',
      'application/octet-stream': 'of its content type',
      'text/plainer': 'of its content type',
    }
    for (const [type, reason] of Object.entries(types)) {
      const body = JSON.stringify({ username, password: 'pass wörd' })
      const reply = await service.call('POST', PATH, { headers: { 'content-type': type }, body })
      expectFault(reply, PATH, 'credentialsMissing', 'username')
      const hint = `The body was not read, because ${reason}: send application/x-www-form-urlencoded.`
      expect([type, reply.headers.get('x-hint')]).toEqual([type, hint])
    }
  })
})

describe('the life of a ticket', () => {
  test('logging out ends it at once, and can be repeated', async () => {
    const { ticket } = await service.customer()
    expect([await use(ticket), await alive(ticket)]).toEqual([200, 204])
    for (let turn = 0; turn < 2; turn++) {
      const reply = await service.call('DELETE', `${PATH}/${ticket}`)
      expect(reply.status).toBe(200)
      expectDocument(reply, endedSession)
      expect(reply.text).toContain(`<ticket>${ticket}</ticket>`)
    }
    expect([await use(ticket), await alive(ticket)]).toEqual([401, 404])
  })

  test('an unknown ticket is not valid', async () => {
    expect(await alive('TGT-1-nobody')).toBe(404)
    expect(await alive('')).toBe(400)
  })

  test('a ticket expires after 7,200 idle seconds', async () => {
    const { ticket } = await service.customer()
    service.clock.advance(7_199 * SECOND)
    expect(await alive(ticket)).toBe(204)
    service.clock.advance(2 * SECOND)
    expect([await alive(ticket), await use(ticket)]).toEqual([404, 401])
  })

  test('use extends a ticket, up to 28,800 seconds', async () => {
    const { ticket } = await service.customer()
    for (let turn = 1; turn <= 4; turn++) {
      service.clock.advance(7_000 * SECOND)
      expect(await use(ticket)).toBe(200)
    }
    service.clock.advance(801 * SECOND)
    expect(await use(ticket)).toBe(401)
  })

  test('an extended ticket needs no use, up to 60 days', async () => {
    const { username } = await customer()
    const { ticket } = (await logIn(username, 'pass wörd', '&extended=Y')).json().whoSessions
    service.clock.advance(59 * 86_400 * SECOND)
    expect(await use(ticket)).toBe(200)
    service.clock.advance(86_400 * SECOND + 1)
    expect(await use(ticket)).toBe(401)
  })

  test('a ticket is stored only as a hash', async () => {
    const { ticket } = await service.customer()
    const rows = await service.context.database.query(reading('peek', 'select * from session'), {})
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(ticket)
  })
})
