// Signing in with the organisation's account, in a real browser: its redirects, and its rules about cookies.

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
  expect(await page.getByRole('banner').textContent()).toMatch(/Signed in as openid:ann@example\.com.*Role moderator/)
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
  await tab.getByRole('button', { name: 'Refresh' }).click()
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
