// How the bytes of a text arrive, and which characters it may have.

import { describe, expect, test } from 'vitest'
import { myProfiles, updatedProfiles } from '../../src/profiles/shapes.ts'
import { expectDocument, expectFault } from '../harness/answers.ts'
import { useService } from '../harness/service.ts'
import { newBet, newMatch, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A customer with a bet, and the call that creates a tip on it with a form of these bytes. */
async function tipper() {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const author = await service.member()
  const betId = await newBet(service, author.id, [outcome.id])
  const path = `/v1/communities/comments/me/outcomes/${outcome.id}`
  const send = (form: Buffer | string) =>
    service.call('POST', path, {
      ticket: author.ticket,
      accept: 'application/json',
      headers: FORM,
      body: Buffer.concat([Buffer.from(`betId=${betId}&`), Buffer.from(form)]),
    })
  return { author, betId, path, send }
}

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('UTF-8', () => {
  test.each([
    ['raw', 'text=Café Zoë 😀'],
    ['percent-encoded', 'text=Caf%C3%A9+Zo%c3%ab+%F0%9F%98%80'],
    ['in both ways, even within one character', bytes('text=Caf\xc3%A9 Zo%C3\xab %F0\x9f%98\x80')],
  ])('a form is read as UTF-8, %s', async (_how, form) => {
    const { send } = await tipper()
    expect((await send(form)).json().whoCommunities.comment.text).toBe('Café Zoë 😀')
  })

  test.each([
    ['Latin-1', bytes('text=Caf\xe9')],
    ['half of a character', bytes('text=Caf\xc3')],
    ['a surrogate', bytes('text=a\xed\xa0\x80')],
    ['an overlong form', bytes('text=a\xc0\xaf')],
    ['percent-encoded Latin-1', 'text=Caf%E9'],
    ['a percent sign of nothing', 'text=100%'],
    ['U+FFFF', 'text=a\uffff'],
  ])('%s in a form is not valid, by the name of its parameter', async (_what, form) => {
    const { path, send } = await tipper()
    expectFault(await send(form), path, 'invalid', 'text')
  })

  test('a log-in with non-ASCII letters works from a raw form', async () => {
    await service.customer({ username: 'zoë', password: 'pässwörd' })
    const path = '/v1/sessions/tickets'
    const body = 'username=zoë&password=pässwörd'
    expect((await service.call('POST', path, { headers: FORM, body })).status).toBe(201)
  })

  test('the wallet names the parameter at fault too, with HTTP 200', async () => {
    const { ticket } = await service.customer()
    const body = bytes('transactionType=deposit&amount=1\xe9&id=1&cv2=123')
    expectFault(
      await service.call('POST', '/v1/wallets/me', { ticket, headers: FORM, body }),
      '/v1/wallets',
      'walletInvalid',
      'amount',
    )
  })
})

describe('lines', () => {
  const written = async (form: string) => (await (await tipper()).send(form)).json().whoCommunities.comment.text
  const biography = (ticket: string, text: string, accept: string) =>
    service.call('PUT', `/v1/profiles/me?biography=${encodeURIComponent(text)}`, { ticket, accept })
  const lines = (count: number) => Array.from({ length: count }, (_, line) => `line${line}`).join('\n')

  test('a tip may have line feeds: CR LF and CR become LF, those around the text are trimmed', async () => {
    expect(await written('text=%0D%0AFirst%0D%0Asecond%0Dthird%0Afourth%0A')).toBe('First\nsecond\nthird\nfourth')
  })

  test.each([['application/xml'], ['application/json']])('a biography may have line feeds, in %s', async (accept) => {
    const { ticket } = await service.customer()
    const set = await biography(ticket, 'Flat\r\njumps\rtrots\nall', accept)
    const read = await service.call('GET', '/v1/profiles/me', { ticket, accept })
    for (const reply of [set, read]) {
      expectDocument(reply, reply === set ? updatedProfiles : myProfiles)
      expect(reply.text).toContain(accept.endsWith('xml') ? 'Flat\njumps\ntrots\nall' : 'Flat\\njumps\\ntrots\\nall')
    }
  })

  test('ten line feeds are accepted, eleven are not', async () => {
    const { ticket } = await service.customer()
    expect((await biography(ticket, lines(11), 'application/xml')).status).toBe(200)
    expectFault(await biography(ticket, lines(12), 'application/xml'), '/v1/profiles', 'invalid', 'name|biography')
    expect(await written(`text=${encodeURIComponent(lines(11))}`)).toBe(lines(11))
    const { path, send } = await tipper()
    expectFault(await send(`text=${encodeURIComponent(lines(12))}`), path, 'invalid', 'text')
  })

  test('each line feed counts as one character, CR LF too', async () => {
    const { ticket } = await service.customer()
    const full = `${'x'.repeat(69)}\r\n${'y'.repeat(70)}`
    expect((await biography(ticket, full, 'application/xml')).status).toBe(200)
    expectFault(await biography(ticket, `${full}y`, 'application/xml'), '/v1/profiles', 'invalid', 'name|biography')
  })

  test('line feeds hide no word, and keep their position in the solution', async () => {
    const { send } = await tipper()
    const { fault } = (await send('text=what+the%0Afuck%0Aman')).json().whoFaults
    expect([fault.faultCode, fault.solution]).toEqual(['30432', 'what the\n****\nman'])
    expect((await send('text=f%0Au%0Ac%0Ak')).json().whoFaults.fault.faultCode).toBe('30432')
  })

  test.each(['%09', '%00', '%07', '%0B', '%0C', '%1B', '%7F', '%C2%85'])(
    '%s stays invalid in texts',
    async (character) => {
      const { author, path, send } = await tipper()
      expectFault(await send(`text=a${character}b`), path, 'invalid', 'text')
      const reply = await service.call('PUT', `/v1/profiles/me?biography=a${character}b`, { ticket: author.ticket })
      expectFault(reply, '/v1/profiles', 'invalid', 'name|biography')
    },
  )

  test.each(['%0A', '%0D', '%0D%0A'])('names and all other parameters take no %s', async (end) => {
    const { ticket } = await service.member()
    const refusals: [string, string, string][] = [
      ['PUT', `/v1/profiles/me?name=a${end}b`, 'name|biography'],
      ['PUT', `/v1/profiles/me?name=ab${end}`, 'name|biography'],
      ['GET', `/v1/profiles/me?communities=Y${end}`, 'communities'],
      ['GET', `/v1/profiles/7${end}`, 'id'],
      ['DELETE', `/v1/sessions/tickets/a${end}b`, 'ticket'],
      ['POST', `/v1/sessions/tickets?username=a${end}b&password=x`, 'username'],
    ]
    for (const [method, path, name] of refusals) {
      expectFault(await service.call(method, path, { ticket }), path, 'invalid', name)
    }
  })
})
