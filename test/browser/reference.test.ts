// The reference in a real browser, of a service with the sandbox's world.

import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { handbookGuides } from '../../src/reference/handbook.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { LAPTOP, overflowOf, PHONE, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { FAMILIES, goTo, openCredentials, sendAll, setFamily, tryOut } from '../harness/reference-browser.ts'
import { useService } from '../harness/service.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const { openAt } = useBrowser(service)
const reference = (name = '', options: BrowserContextOptions = LAPTOP) =>
  openAt(`${service.publicUrl}/docs${name}`, options)

test('every prefilled form works', async () => {
  const page = await reference()
  const sent = allOperations.filter(({ locksOut }) => !locksOut)
  const names = sent.map(({ name }) => name)
  const withdrawal = names.indexOf('makeWithdrawal')
  const before = await sendAll(page, names.slice(0, withdrawal))
  // What was deposited is captured within a second.
  await sweep(service.context)
  const outcomes = [...before, ...(await sendAll(page, names.slice(withdrawal)))]
  expect(outcomes.map(([name, shown, text]) => [name, shown, text?.slice(0, 3)])).toEqual(
    sent.map(({ name, answer }) => [name, 'outcome good', `${answer.status}`]),
  )
})

test('a fault inside a 200 is shown as a fault, in XML and JSON', async () => {
  const page = await reference('/makeTransaction')
  await page.locator('main').getByLabel('amount').fill('1.00')
  for (const form of ['JSON', 'XML']) {
    await page.locator('.response-format').getByLabel(form).check()
    const [shown, words] = await tryOut(page, 'Send it')
    expect(shown).toBe('outcome bad')
    expect(words).toMatch(/^Fault 24002: The deposit is less than the allowed minimum · HTTP 200 · /)
  }
})

test('cleared credentials stay cleared, and requests without them are refused', async () => {
  const page = await reference('/getMyProfile')
  const dialog = await openCredentials(page)
  await dialog.getByRole('button', { name: 'Clear' }).click()
  await page.reload()
  await openCredentials(page)
  expect(await dialog.getByLabel('who-apiKey', { exact: true }).inputValue()).toBe('')
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect((await tryOut(page))[1]).toMatch(/^Fault 10010: .* · HTTP 400 · /)
  await openCredentials(page)
  await dialog.getByRole('button', { name: 'Use sandbox credentials' }).click()
  await page.keyboard.press('Escape')
  expect((await tryOut(page))[1]).toMatch(/^200 /)
})

test('a secret that one enters is copied with the command, but not shown in it', async () => {
  const page = await reference('/getProfile')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const dialog = await openCredentials(page)
  await dialog.getByLabel('who-secret').fill('my-own-secret')
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(await page.locator('#getProfile-curl').textContent()).toContain('who-secret: ••••••••')
  await page.locator('[data-copies="getProfile-curl"]').click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('who-secret: my-own-secret')
})

test.each(['', '/getProfile', '/errors'])('from /docs%s, a fault’s code is found', async (name) => {
  const page = await reference(name)
  const expectFound = async (words: string, names: string[]) => {
    await page.locator('#side').getByLabel('Find an operation').fill(words)
    const shown = () => page.locator('#side li:visible').allTextContents()
    // Guides that say it come last.
    await expect.poll(async () => (await shown()).slice(0, names.length)).toEqual(names)
    const found = await shown()
    expect(found.slice(names.length).filter((one) => /^(GET|POST|PUT|DELETE) /.test(one))).toEqual([])
    expect(await page.locator('#filtered').textContent()).toBe(`${found.length} found`)
  }
  await expectFound('30520', ['Errors', 'POST createCommentOnOutcomeId'])
  const ofMoney = ['makeTransaction', 'makeDeposit', 'finishChallenge', 'makeWithdrawal'].map((one) => `POST ${one}`)
  await expectFound('24007 funds', ['Errors', ...ofMoney])
})

test.each([
  ['#getProfile', '/docs/getProfile'],
  ['#getProfile-curl', '/docs/getProfile'],
  ['#errors', '/docs/errors'],
  ['#all-faults', '/docs/errors#all-faults'],
  ['#getting-started', '/docs/getting-started'],
  ['#wallets', '/docs#wallets'],
])('an old address, /docs%s, leads to %s', async (anchor, address) => {
  const page = await reference(anchor)
  await page.waitForURL(service.publicUrl + address)
  await page.locator('main h1').waitFor()
})

test('links replace the page without a load, and the browser’s back returns', async () => {
  const page = await reference()
  await page.evaluate('window.isSame = true')
  await page.locator('main').getByRole('link', { name: 'getProfile', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'getProfile' }).waitFor()
  expect(await page.title()).toBe('getProfile – Paddock API reference')
  expect(await page.locator('#side a[aria-current]').allTextContents()).toEqual(['GET getProfile'])
  expect(await page.evaluate('document.activeElement.id')).toBe('content')
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Paddock API reference' }).waitFor()
  expect(page.url()).toBe(`${service.publicUrl}/docs`)
  expect(await page.evaluate('window.isSame')).toBe(true)
})

const PAGES = ['', 'errors', 'representations', 'getting-started', 'client', ...allOperations.map(({ name }) => name)]
const FEW = ['', 'errors', 'getProfile', 'makeTransaction']

test.each([
  ['a narrow phone', { ...PHONE, viewport: { width: 320, height: 700 } }, PAGES],
  ['a phone', PHONE, FEW],
  ['a laptop', LAPTOP, FEW],
])('nothing overflows the width of %s, in a narrow and a wide family', async (_what, options, names) => {
  const page = await reference('', options)
  const { width } = options.viewport
  for (const name of names) {
    await goTo(page, name)
    if (name === 'getProfile') await tryOut(page)
    for (const family of FEW.includes(name) ? FAMILIES : (['monospace'] as const)) {
      await setFamily(page, family)
      expect([name, family, await overflowOf(page, width)]).toEqual([name, family, { page: width, over: [] }])
      if (name === 'getProfile') await saveScreenshot(page, `reference-${width}-${family}`)
    }
  }
})

test('the TypeScript of a request follows what one enters, and is copied', async () => {
  const page = await reference('/getProfile')
  const sample = page.locator('#getProfile-typescript')
  expect(await sample.textContent()).toBe('const profile = await paddock.getProfile({ id: 2 })')
  await page.locator('main').getByLabel('id path, required').fill('3')
  await page.locator('main').getByLabel('communities').selectOption('Y')
  expect(await sample.textContent()).toBe('const profile = await paddock.getProfile({ id: 3, communities: true })')
  expect(await page.locator('#getProfile-curl').textContent()).toContain('/v1/profiles/3?communities=Y')
  expect(await sample.locator('.token-key').allTextContents()).toEqual(['id', 'communities'])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('[data-copies="getProfile-typescript"]').click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    'const profile = await paddock.getProfile({ id: 3, communities: true })',
  )
})

test('curl and TypeScript are side by side on a laptop', async () => {
  const page = await reference('/getProfile')
  const [curl, typescript] = await Promise.all(
    ['curl', 'typescript'].map((language) => page.locator(`#getProfile-${language}`).boundingBox()),
  )
  expect(typescript?.y).toBe(curl?.y)
  expect(typescript?.x).toBeGreaterThan((curl?.x ?? 0) + (curl?.width ?? 0))
  expect(await page.locator('.languages:visible').count()).toBe(0)
})

test('on a phone one chooses, with the keyboard too, and the choice is remembered', async () => {
  const page = await reference('/getProfile', PHONE)
  const shown = () => page.locator('.requests pre:visible').evaluateAll((all) => all.map(({ id }) => id))
  const button = page.getByRole('button', { name: 'TypeScript' })
  expect(await shown()).toEqual(['getProfile-curl'])
  expect(await button.getAttribute('aria-pressed')).toBe('false')
  await button.focus()
  await page.keyboard.press('Enter')
  expect(await shown()).toEqual(['getProfile-typescript'])
  expect(await button.getAttribute('aria-pressed')).toBe('true')
  await page.reload()
  expect(await shown()).toEqual(['getProfile-typescript'])
  await page.getByRole('button', { name: 'curl' }).click()
  expect(await shown()).toEqual(['getProfile-curl'])
})

test('on a phone the menu has every page, and closes when one is chosen', async () => {
  const page = await reference('/getProfile', PHONE)
  expect(await page.locator('#side').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.locator('#side').getByRole('link', { name: 'POST makeTransaction' }).click()
  await page.getByRole('heading', { level: 1, name: 'makeTransaction' }).waitFor()
  expect(await page.locator('#side').isVisible()).toBe(false)
})

test('guides are found with the operations, shown without a load, and have commands to copy', async () => {
  const page = await reference('/getProfile')
  await page.evaluate('window.isSame = true')
  await page.locator('#side').getByLabel('Find an operation or a guide').fill('merkle')
  await page.locator('#side').getByRole('link', { name: 'The record' }).click()
  await page.getByRole('heading', { level: 1, name: /^The record/ }).waitFor()
  expect(await page.title()).toMatch(/^The record.* – Paddock guides$/)
  await page.locator('.neighbours').getByRole('link', { name: 'Next' }).waitFor()
  await page
    .locator('main')
    .getByRole('link', { name: 'Moderation' })
    .or(page.locator('main a[href^="/docs/"]'))
    .first()
    .waitFor()
  await page.goto(`${service.publicUrl}/guides/tour#sessions`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('[data-copies="code-2"]').click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  expect(copied.split('\n')).toEqual([
    'alice() { api -H who-ticket:TGT-1-sandbox-alice "$@"; }',
    'bob() { api -H who-ticket:TGT-2-sandbox-bob "$@"; }',
    "api -d 'username=alice&password=sandbox' http://127.0.0.1:8080/v1/sessions/tickets",
  ])
})

test.each([320, 390, 768])('no guide is wider than %i pixels', { timeout: 240_000 }, async (width) => {
  const page = await openAt(`${service.publicUrl}/guides`, { ...PHONE, viewport: { width, height: 800 } })
  for (const { id } of width === 390 ? handbookGuides() : handbookGuides().slice(0, 4)) {
    await page.goto(`${service.publicUrl}/guides/${id}`)
    expect([id, await overflowOf(page, width)]).toEqual([id, { page: width, over: [] }])
  }
})

test('on a phone the words of a fault have the room that codes leave', async () => {
  const page = await reference('/errors', PHONE)
  const text = page.locator('table.narrow td.words').first()
  expect((await text.boundingBox())?.width).toBeGreaterThan(PHONE.viewport.width / 3)
})

test('without JavaScript both are shown, and links lead to other pages', async () => {
  const page = await reference('/getProfile', { ...PHONE, javaScriptEnabled: false })
  await page.locator('#getProfile-curl').waitFor()
  expect(await page.locator('#getProfile-typescript').isVisible()).toBe(true)
  expect(await page.locator('.languages:visible').count()).toBe(0)
  await page.locator('#side').getByRole('link', { name: 'Errors' }).click()
  await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor()
})

test('what moves money is sent only when the reader confirms it, and the question has the sum', async () => {
  const page = await reference('/makeTransaction')
  await page.locator('main .warning').getByText('Moves money of the customer of the ticket.').waitFor()
  await page.locator('main').getByLabel('amount').fill('7.50')
  await page.locator('main').getByRole('button', { name: 'Send request' }).click()
  const dialog = page.locator('#confirmation')
  await dialog.getByText('It moves money of the customer of the ticket. Amount: 7.50.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.locator('.outcome').textContent()).toBe('')
})

// Last: nothing brings alice back.
test('a request that locks the customer out is sent only when the reader confirms it', async () => {
  const page = await reference('/takeTimeOut')
  await page.locator('main .warning').getByText('Locks the customer of the ticket out').waitFor()
  await page.locator('main').getByRole('button', { name: 'Send request' }).click()
  const dialog = page.locator('#confirmation')
  expect(await dialog.locator('code').textContent()).toMatch(/^PUT \/v1\/wallets\/me\/time-out/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.locator('.outcome').textContent()).toBe('')
  expect((await service.operator('GET', '/operator/v1/customers/1')).body.exclusion).toBeNull()
  expect(await tryOut(page, 'Send it')).toEqual(['outcome good', expect.stringMatching(/^200 /)])
  expect((await service.operator('GET', '/operator/v1/customers/1')).body.exclusion).toMatchObject({ kind: 'time-out' })
})
