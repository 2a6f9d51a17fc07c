// Signing in with the organisation's account, in a real browser: its redirects, and its rules about cookies.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { saveScreenshot, useBrowser } from '../harness/browser.ts'
import { type OpenIdProvider, openIdSettings, startOpenIdProvider } from '../harness/openid-provider.ts'
import { startTestService, type TestService } from '../harness/service.ts'

let provider: OpenIdProvider
let started: TestService
const service = new Proxy({} as TestService, { get: (_target, name) => started[name as keyof TestService] })
const consoles = useBrowser(service)

beforeAll(async () => {
  provider = await startOpenIdProvider()
  started = await startTestService(await openIdSettings(provider))
})
beforeEach(() => provider.reset())
afterAll(async () => {
  await started?.close()
  provider?.close()
})

test('one click signs in; it lasts over a reload and in a new tab, and ends everywhere with signing out', async () => {
  const page = await consoles.open()
  await page.goto('/#/search')
  await page.getByRole('button', { name: 'Sign in with your organisation' }).waitFor()
  await saveScreenshot(page, 'sign-in-openid')
  await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
  expect(await page.getByRole('banner').textContent()).toMatch(/Signed in as openid:ann@example\.com.*Role Moderator/)
  expect(await page.evaluate('document.cookie + sessionStorage.length + localStorage.length')).toBe('00')
  await page.reload()
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
  const tab = await page.context().newPage()
  await tab.goto('/#/queue')
  await tab.getByRole('heading', { name: 'Review queue', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Operator token').waitFor()
  const cookies = async () => (await page.context().cookies()).length
  await expect.poll(cookies, { timeout: 60_000 }).toBe(0)
  // Unless the page has found it by itself, and the button is gone.
  await tab
    .getByRole('button', { name: 'Refresh' })
    .click({ timeout: 5_000 })
    .catch(() => {})
  await tab.getByLabel('Operator token').waitFor()
  expect(await tab.getByRole('alert').textContent()).toContain('no longer signed in')
})

test('an account without a role gets an explanation, once', async () => {
  provider.reset({ email: 'eve@example.com', roles: ['staff'] })
  const page = await consoles.open()
  await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
  const alert = page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.textContent()).toContain('no role in this console. Ask an admin')
  await page.reload()
  await page.getByLabel('Operator token').waitFor()
  expect(await alert.count()).toBe(0)
})

/** What a page of an attacker can send without the help of its reader: forms and fetches, as plain as possible and as the console sends them. */
const forgeries = (
  target: string,
  signOut: string,
) => `<!doctype html><iframe name="answer"></iframe><script type="module">
  const body = JSON.stringify({ action: 'deactivate' })
  const asConsole = { 'content-type': 'application/json', 'x-requested-by': 'console' }
  const send = (url, init) => fetch(url, { credentials: 'include', ...init }).then(
    (reply) => reply.type === 'opaque' ? 'unread' : 'read', () => 'refused')
  const outcomes = [
    await send('${target}', { method: 'POST', mode: 'no-cors', body }),
    await send('${target}', { method: 'POST', body, headers: asConsole }),
    await send('${target}', { headers: asConsole }),
    await send('${target}', {}),
    await send('${signOut}', { method: 'DELETE', headers: asConsole }),
  ]
  const form = Object.assign(document.createElement('form'), {
    action: '${target}', method: 'post', enctype: 'text/plain', target: 'answer',
  })
  form.append(Object.assign(document.createElement('input'), { name: body.slice(0, -1) + ',"a":"', value: '"}' }))
  document.body.append(form)
  document.querySelector('iframe').onload = () => { document.title = outcomes.join(' ') }
  form.submit()
</script>`

test('a page on another port, to which browsers send the cookie, can change and read nothing', async () => {
  const page = await consoles.open()
  await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  const { profileId } = await service.member()
  const target = `${service.operatorUrl}/operator/v1/moderation/profiles/${profileId}`
  const attacker = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(forgeries(target, `${service.operatorUrl}/sign-in`)),
  )
  await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve))
  try {
    const evil = await page.context().newPage()
    const statuses: string[] = []
    evil.on('response', (reply) => {
      if (reply.url().startsWith(service.operatorUrl)) statuses.push(`${reply.request().method()} ${reply.status()}`)
    })
    await evil.goto(
      `${new URL(service.operatorUrl).protocol}//${new URL(service.operatorUrl).hostname}:${(attacker.address() as AddressInfo).port}`,
    )
    await expect.poll(() => evil.title()).toBe('unread refused refused refused refused')
    expect(statuses).toContain('POST 403')
    expect(statuses.filter((one) => / 2\d\d$/.test(one))).toEqual([])
  } finally {
    attacker.close()
  }
  expect((await service.operator('GET', `/operator/v1/moderation/profiles/${profileId}`)).body.decisions).toEqual([])
  await page.reload()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
})
