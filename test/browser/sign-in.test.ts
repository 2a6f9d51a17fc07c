import { expect, test } from 'vitest'
import { openRoute, PHONE, requestsAnswered, saveScreenshot, signIn, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

test('a wrong token is refused, with advice', async () => {
  const page = await consoles.open()
  await signIn(page, 'no-such-token')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.textContent()).toContain('unknown, expired or revoked: request a new one')
  await saveScreenshot(page, 'sign-in-refused')
})

test('the link of a first start signs in, in every tab, and leaves no trace in the address; it does so once', async () => {
  const link = service.context.startLink?.address(service.operatorUrl) as string
  const page = await consoles.openAt(link)
  await page.getByRole('heading', { name: 'Review queue', level: 1 }).waitFor()
  expect(await page.getByRole('banner').textContent()).toMatch(/Signed in as bootstrap.*Role Admin/)
  expect(page.url()).toMatch(new RegExp(`^${service.operatorUrl}/(#/queue)?$`))
  expect(await page.evaluate('document.cookie + sessionStorage.length + localStorage.length')).toBe('00')
  const tab = await page.context().newPage()
  await tab.goto('/')
  await tab.getByRole('heading', { name: 'Review queue', level: 1 }).waitFor()
  // Whoever is signed in comes to the console by it.
  await tab.goto(link)
  await tab.getByRole('heading', { name: 'Review queue', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Operator token').waitFor()
  for (const [address, words] of [
    [link, 'Start Paddock again for a new one'],
    [link.replace('127.0.0.1', 'paddock.localhost'), 'works only on the machine that Paddock runs on'],
  ] as const) {
    await page.goto(address)
    await page.getByRole('alert').getByText(words).waitFor()
    await saveScreenshot(page, `start-link-${words.slice(0, 5)}`)
    expect(new URL(page.url()).search).toBe('')
  }
})

test('a valid token shows who signed in; it is stored for the tab, and removed on signing out', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Mo'))
  const menu = page.getByRole('banner')
  expect(await menu.textContent()).toMatch(/Signed in as Mo.*Role Moderator/)
  await page.reload()
  await page.getByRole('heading', { name: 'Review queue', level: 1 }).waitFor()
  expect(await page.evaluate('localStorage.length')).toBe(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Operator token').waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
})

const MODERATION = ['Review queue', 'Overview', 'Search']

test.each([
  { role: 'admin', offered: [...MODERATION, 'Applications', 'Tokens', 'Webhooks', 'Audit trail'] },
  { role: 'auditor', offered: [...MODERATION, 'Applications', 'Tokens', 'Webhooks', 'Audit trail'] },
  { role: 'moderator', offered: MODERATION },
  { role: 'accounts', offered: ['Search', 'Customers'] },
  { role: 'cashier', offered: ['Search', 'Customers', 'Deposits', 'Refunds', 'Withdrawals', 'Second person'] },
  { role: 'cashier-lead', offered: ['Search', 'Customers', 'Withdrawals', 'Second person', 'Ledger'] },
  { role: 'tickets', offered: [] },
  { role: 'feed', offered: [] },
])('$role is offered what the role allows', async ({ role, offered }) => {
  const page = await consoles.signedIn(await tokenOf(service, role, `One ${role}`))
  const links = await page.getByRole('navigation', { name: 'Console' }).getByRole('link').allTextContents()
  expect(links).toEqual(expect.arrayContaining(offered))
  const forbidden = ['Review queue', 'Tokens', 'Audit trail'].filter((one) => !offered.includes(one))
  for (const one of forbidden) expect(links).not.toContain(one)
})

test('an auditor can read and is offered no write', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Al'))
  for (const route of ['applications', 'tokens']) {
    await openRoute(page, route)
    await page.getByRole('heading', { level: 1, name: new RegExp(route, 'i') }).waitFor()
    expect(await page.getByRole('button', { name: /^(Create|Revoke|New secret)/ }).count()).toBe(0)
  }
})

test('a screen that the role may not open says so', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Curious'))
  await openRoute(page, 'tokens')
  await page.getByText('not available to the role moderator').waitFor()
  await openRoute(page, 'nowhere')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

test('a revoked token leads back to signing in', async () => {
  const created = await service.operator('POST', '/operator/v1/tokens', { name: 'Short', role: 'moderator' })
  const page = await consoles.signedIn(created.body.token)
  // The requests of the first screen must be answered before the token is revoked.
  await requestsAnswered(page)
  await service.operator('DELETE', `/operator/v1/tokens/${created.body.id}`)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByLabel('Operator token').waitFor()
  expect(await page.getByRole('alert').textContent()).toContain('revoked')
})

test.each([
  ['moderator', 'Review queue'],
  ['cashier', 'Withdrawals'],
  ['accounts', 'Customers'],
])('a %s starts where the work is', async (role, title) => {
  const page = await consoles.signedIn(await tokenOf(service, role, `Starting ${role}`))
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
})

test('on a phone the menu opens and closes', async () => {
  const page = await consoles.signedIn(undefined, PHONE)
  const link = page.getByRole('link', { name: 'Audit trail' })
  expect(await link.isVisible()).toBe(false)
  const button = page.getByRole('button', { name: 'Menu' })
  await button.click()
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  await saveScreenshot(page, 'menu-phone')
  await page.keyboard.press('Escape')
  await link.waitFor({ state: 'hidden' })
  expect(await page.evaluate('document.activeElement.textContent')).toBe(await button.textContent())
  await button.click()
  await link.click()
  await page.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor()
  expect(await link.isVisible()).toBe(false)
})
