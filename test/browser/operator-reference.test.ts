// The operator's reference in a real browser, of a service with the sandbox's world.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { operatorOperations } from '../../src/operator/operations.ts'
import { LAPTOP, overflowOf, PHONE, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { FAMILIES, goTo, openCredentials, sendAll, setFamily, tryOut } from '../harness/reference-browser.ts'
import { OPERATOR_TOKEN, useService } from '../harness/service.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const { open, openAt, signedIn } = useBrowser(service)

function reference(name = '', options: BrowserContextOptions = LAPTOP): Promise<Page> {
  return openAt(`${service.operatorUrl}/docs${name}`, options)
}

async function enterToken(page: Page, token = OPERATOR_TOKEN): Promise<void> {
  const dialog = await openCredentials(page)
  await dialog.getByLabel('Operator token').fill(token)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}

async function withToken(name = '', options?: BrowserContextOptions): Promise<Page> {
  const page = await reference(name, options)
  await enterToken(page)
  return page
}

test('a read works with the token that was pasted, and is refused without one', async () => {
  const page = await reference('/getCustomer')
  expect(await tryOut(page)).toEqual([
    'outcome bad',
    expect.stringMatching(/^Unauthorized: Send an operator token.* · HTTP 401 · /),
  ])
  await enterToken(page)
  expect(await tryOut(page)).toEqual(['outcome good', expect.stringMatching(/^200 OK · \d+ ms · /)])
  expect(JSON.parse((await page.locator('.result .body').textContent()) ?? '')).toMatchObject({ id: '1' })
  expect(await page.locator('.headers').textContent()).toMatch(/^cache-control: no-store$/m)
  await page.locator('main').getByLabel('id path').fill('999999')
  expect((await tryOut(page))[1]).toMatch(/^Not found: There is no customer 999999\..* · HTTP 404 · /)
})

test('a write is sent only when the reader confirms it', async () => {
  const page = await withToken('/putSport')
  const main = page.locator('main')
  await main.getByLabel('id path').fill('42')
  await main.locator('textarea').fill('{"name":"Curling"}')
  expect(await main.locator('pre').first().textContent()).toContain(`--data-binary '{"name":"Curling"}'`)
  await main.getByRole('button', { name: 'Use the example' }).click()
  expect(JSON.parse(await main.locator('textarea').inputValue())).toEqual({ name: 'Darts', communities: true })
  await main.getByRole('button', { name: 'Send request' }).click()
  const dialog = page.locator('dialog').filter({ has: page.getByRole('heading', { name: 'Send this request?' }) })
  expect(await dialog.locator('code').textContent()).toBe('PUT /operator/v1/sports/42')
  await saveScreenshot(page, 'operator-reference-confirmation')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await main.locator('.outcome').textContent()).toBe('')
  // Had it been sent, this would change the sport (200) instead of creating it (201).
  expect(await tryOut(page, 'Send it')).toEqual(['outcome good', expect.stringMatching(/^201 Created · /)])

  // A feed is sent as the lines of the text area.
  await goTo(page, 'importFeed')
  expect((await tryOut(page, 'Send it'))[1]).toMatch(/^200 OK · /)
  const body = JSON.parse((await page.locator('.result .body').textContent()) ?? '')
  expect(body).toMatchObject({ lines: 3, applied: { sport: 1, bet: 1, movement: 1 }, refused: 0 })
})

/** What they name is not in the sandbox until somebody creates it. */
const ABSENT = [
  ...[
    'getAppeal',
    'getDeposit',
    'getWebhook',
    'getWebhookDelivery',
    'getWithdrawal',
    'listDepositRefunds',
    'listWebhookDeliveries',
  ],
  'readGatewayView',
]

test('every prefilled read that names nothing random works, with the token entered once', async () => {
  const page = await withToken()
  const reads = operatorOperations.filter(({ method, name }) => method === 'GET' && !ABSENT.includes(name))
  const names = reads.map(({ name }) => name)
  const outcomes = await sendAll(page, names)
  expect(outcomes.map(([name, , text]) => [name, text?.slice(0, 6)])).toEqual(names.map((name) => [name, '200 OK']))
})

test('the token is in no command, and nothing stores it', async () => {
  const page = await withToken('/readMe')
  await tryOut(page)
  await goTo(page, 'getCustomer')
  expect((await tryOut(page))[0]).toBe('outcome good')
  expect(await page.locator('body').innerHTML()).not.toContain(OPERATOR_TOKEN)
  expect(await page.evaluate('sessionStorage.length + localStorage.length + document.cookie.length')).toBe(0)
  await page.reload()
  const dialog = await openCredentials(page)
  expect(await dialog.getByLabel('Operator token').inputValue()).toBe('')
  await dialog.getByLabel('Operator token').fill('another')
  await dialog.getByRole('button', { name: 'Clear' }).click()
  expect(await dialog.getByLabel('Operator token').inputValue()).toBe('')
})

test('the search finds words, paths and roles, with the keyboard alone', async () => {
  const page = await reference('/readMe')
  const found = async (number: RegExp) => {
    await page.locator('#filtered', { hasText: number }).waitFor({ state: 'attached' })
    return page.locator('#side li:visible').allTextContents()
  }
  await page.keyboard.press('/')
  await page.keyboard.type('personal-data delete')
  expect((await found(/^\d found/))[0]).toContain('erasePersonalData')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'erasePersonalData' }).waitFor()
  expect(page.url()).toBe(`${service.operatorUrl}/docs/erasePersonalData`)
  await page.locator('#side').getByLabel('Find an operation').fill('moderator')
  const others = await found(/^\d\d found/)
  expect(others).toEqual(expect.arrayContaining(['Roles', expect.stringContaining('moderateComment')]))
  expect(others.join()).not.toContain('putSport')
})

test('an old address leads to the operation', async () => {
  const page = await reference('#putSport')
  await page.waitForURL(`${service.operatorUrl}/docs/putSport`)
})

test('it can be read without JavaScript', async () => {
  const page = await reference('', { ...LAPTOP, javaScriptEnabled: false })
  expect(await page.locator('.area li').count()).toBe(operatorOperations.length)
  await page.locator('#putSport').click()
  expect(await page.locator('main table').first().isVisible()).toBe(true)
  expect(await page.locator('.try:visible, .copy:visible, main button:visible').count()).toBe(0)
})

test('the console leads to it, signed in or not', async () => {
  const link = (page: Page) => page.getByRole('link', { name: 'API reference' })
  const before = await open()
  const address = await link(before).getAttribute('href')
  const page = await signedIn()
  expect(await link(page).getAttribute('href')).toBe(address)
  await link(page).click()
  await page.getByRole('heading', { name: 'Paddock operator API reference' }).waitFor()
})

const GUIDES = ['authentication', 'roles', 'formats', 'lists', 'problems', 'audit-trail']
const PAGES = ['', ...GUIDES, ...operatorOperations.map(({ name }) => name)]
const FEW = ['', 'problems', 'getCustomer', 'putEvent']

test.each([
  ['a narrow phone', { ...PHONE, viewport: { width: 320, height: 700 } }, PAGES],
  ['a laptop', LAPTOP, FEW],
])('nothing overflows the width of %s, in a narrow and a wide family', async (_what, options, names) => {
  const page = await withToken('', options)
  const { width } = options.viewport
  for (const name of names) {
    await goTo(page, name)
    if (name === 'getCustomer') await tryOut(page)
    for (const family of FEW.includes(name) ? FAMILIES : (['monospace'] as const)) {
      await setFamily(page, family)
      expect([name, family, await overflowOf(page, width)]).toEqual([name, family, { page: width, over: [] }])
    }
  }
})
