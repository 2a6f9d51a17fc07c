// The link that a first start prints: it signs in once, within 30 minutes, on this machine alone.

import { get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { welcome } from '../../src/commands/welcome.ts'
import { startLink } from '../../src/identity/operators/start-link.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { type Json, startTestService, type TestService, useService } from '../harness/service.ts'

type Answer = {
  status: number | undefined
  location: string | undefined
  cookies: string[]
  headers: Json
  text: string
}

/** Unlike `fetch`, with any Host. */
function open(address: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(address, { headers, agent: false, method }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      const { statusCode: status, headers } = reply
      const { location, 'set-cookie': cookies = [] } = headers
      reply.on('end', () => resolve({ status, location, cookies, headers, text }))
    }).once('error', reject)
  })
}

const linkOf = (service: TestService) => service.context.startLink?.address(service.operatorUrl) as string
const used = { status: 303, location: '/?refused=link-used', cookies: [] }
const elsewhere = { status: 303, location: '/?refused=link-elsewhere', cookies: [] }

async function withService(settings: Record<string, string>, work: (service: TestService) => Promise<void>) {
  const service = await startTestService(settings)
  try {
    await work(service)
  } finally {
    await service.close()
  }
}

describe('the link', () => {
  const service = useService({ SANDBOX_SEED: 'people' })

  test.each([
    [{ 'x-forwarded-for': '203.0.113.9' }],
    [{ forwarded: 'for=203.0.113.9' }],
    [{ via: '1.1 proxy' }],
    [{ host: 'paddock.example:8081' }],
    [{ host: '127.0.0.1.attacker.example' }],
  ])('is refused with %j, and is not used up by it', async (headers) => {
    expect(await open(linkOf(service), headers)).toMatchObject(elsewhere)
    expect(linkOf(service)).toContain('/sign-in/link?code=')
  })

  test('is not used up by a wrong code, a look at its head or a browser that only prepares a page', async () => {
    expect(await open(`${service.operatorUrl}/sign-in/link?code=wrong`)).toMatchObject(used)
    expect(await open(`${service.operatorUrl}/sign-in/link`)).toMatchObject(used)
    expect((await open(linkOf(service), {}, 'HEAD')).status).toBe(204)
    expect((await open(linkOf(service), { 'sec-purpose': 'prefetch;prerender' })).status).toBe(204)
    expect(linkOf(service)).toContain('/sign-in/link?code=')
  })

  test('is given to pages of the application on this machine, and to nobody else', async () => {
    const consoleUrl = async (headers: Record<string, string>) =>
      JSON.parse((await open(`${service.publicUrl}/sandbox`, headers)).text).consoleUrl
    const own = { 'sec-fetch-site': 'same-origin' }
    expect(await consoleUrl(own)).toBe(linkOf(service))
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { ...own, host: 'attacker.example' },
      { ...own, 'x-forwarded-for': '127.0.0.1' },
    ]) {
      expect(await consoleUrl(headers as Record<string, string>)).toBe(service.operatorUrl)
    }
  })

  test('signs in as the token of the settings, once; its code is nowhere afterwards', async () => {
    const link = linkOf(service)
    const { status, location, cookies, headers } = await open(link)
    expect([status, location, headers['referrer-policy'], headers['cache-control']]).toEqual([
      ...[303, '/', 'no-referrer', 'no-store'],
    ])
    expect(cookies).toEqual([
      expect.stringMatching(/^paddock-console=[\w-]{32}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/),
    ])
    const cookie = `${cookies[0]}`.split(';', 1)[0] as string
    const own = { cookie, 'x-requested-by': 'console' }
    const me = await open(`${service.operatorUrl}/operator/v1/me`, own)
    expect(JSON.parse(me.text)).toMatchObject({ name: 'bootstrap', role: 'admin' })
    expect((await open(`${service.operatorUrl}/operator/v1/me`, { cookie })).status).toBe(403)
    expect(await open(link)).toMatchObject(used)
    expect(service.context.startLink?.address('')).toBeNull()
    const again = await open(`${service.publicUrl}/sandbox`, { 'sec-fetch-site': 'same-origin' })
    expect(JSON.parse(again.text).consoleUrl).toBe(service.operatorUrl)
    const entries = (await service.operator('GET', '/operator/v1/audit?limit=100')).body.items
    const signIns = entries.filter(({ action }: Json) => action === 'signIn')
    expect(signIns.map(({ actor, detail }: Json) => [actor, detail.by ?? detail.reason])).toContainEqual([
      'bootstrap',
      'start link',
    ])
    const code = new URL(link).searchParams.get('code') as string
    expect(service.logged() + JSON.stringify(entries)).not.toContain(code)
    expect((await open(`${service.operatorUrl}/sign-in`, own, 'DELETE')).status).toBe(204)
    expect((await open(`${service.operatorUrl}/operator/v1/me`, own)).status).toBe(401)
  })
})

test('it ends after 30 minutes', () =>
  withService({}, async (service) => {
    const link = linkOf(service)
    expect(welcome(service)).toContain(`Open the console, signed in (once, within 30 minutes): ${link}\n`)
    service.clock.advance(30 * 60_000)
    expect(await open(link)).toMatchObject(used)
    expect(welcome(service)).not.toContain('signed in')
  }))

test('a listener that other machines can reach has none', () =>
  withService({ OPERATOR_HOST: '0.0.0.0' }, async (service) => {
    expect(service.context.startLink).toBeNull()
    expect(welcome(service)).not.toContain('signed in')
    expect((await open(`${service.operatorUrl}/sign-in/link?code=x`)).status).toBe(404)
    const session = { cookie: 'paddock-console=x', 'x-requested-by': 'console' }
    expect(JSON.parse((await open(`${service.operatorUrl}/operator/v1/me`, session)).text).detail).toContain('Send an')
  }))

test('production has none', () => {
  const config = readConfig({})
  expect(startLink({ ...config, mode: 'production' }, Date.now)).toBeNull()
  expect(startLink(config, Date.now)).not.toBeNull()
})
