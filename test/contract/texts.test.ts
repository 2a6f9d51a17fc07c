// How the bytes of a text arrive, and which characters it may have.

import { describe, expect, test } from 'vitest'
import { expectFault } from '../harness/answers.ts'
import { useService } from '../harness/service.ts'
import { newBet, newMatch, type TestOutcome } from '../harness/sportsbook.ts'

const service = useService()
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A customer with a bet, and the call that makes a tip of it with a form of these bytes. */
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

  test('a log-in with letters beyond ASCII works from a raw form', async () => {
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
