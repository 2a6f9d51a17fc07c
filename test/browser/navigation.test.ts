// Position, focus and session during navigation: in the queue, in a list, in another tab, on a phone.

import type { Locator, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { openRoute, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { deposit, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { type Member, queueOfProfiles, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATIENCE = { timeout: 60_000, interval: 50 }

async function isInView(page: Page, one: Locator): Promise<boolean> {
  const box = await one.boundingBox()
  const height = (await page.evaluate('innerHeight')) as number
  return box !== null && box.y >= -1 && box.y + box.height <= height + 1
}

const isSelected = (page: Page, { name }: Member) =>
  page.locator('article h2').getByText(name, { exact: true }).waitFor()

test('the position counts the whole queue, the selection stays in view, and Back returns to it', async () => {
  const all = await queueOfProfiles(service, 30, 'Long')
  const page = await consoles.signedIn()
  await isSelected(page, all[0] as Member)
  const place = page.getByText(/^\d+ of \d+$/)
  expect(await place.textContent()).toBe('1 of 30')
  const selected = page.getByRole('list', { name: 'In the queue' }).locator('[aria-current]')
  for (let step = 1; step < 27; step++) {
    await page.keyboard.press('j')
    await isSelected(page, all[step] as Member)
    await vi.waitFor(async () => expect([step, await isInView(page, selected)]).toEqual([step, true]), PATIENCE)
  }
  expect(await place.textContent()).toBe('27 of 30')
  const scrolled = await page.evaluate('scrollY')
  expect(scrolled).toBeGreaterThan(0)

  await page.keyboard.press('v')
  await page.getByRole('heading', { level: 1, name: (all[26] as Member).name }).waitFor()
  await vi.waitFor(async () => expect(await page.evaluate('scrollY')).toBe(0), PATIENCE)
  await page.goBack()
  await isSelected(page, all[26] as Member)
  expect(await place.textContent()).toBe('27 of 30')
  expect(await page.evaluate('scrollY')).toBe(scrolled)
  await requestsAnswered(page)
  await isSelected(page, all[26] as Member)
  expect(await isInView(page, selected)).toBe(true)
})

test('Back returns to the same position of a list, which is loaded again', async () => {
  const { id, ticket, method } = await newDepositor(service)
  for (let turn = 0; turn < 52; turn++) await deposit(service, { ticket, method, amount: '5.00' })
  const page = await consoles.signedIn()
  await openRoute(page, `deposits?customerId=${id}`)
  const rows = page.getByRole('table', { name: 'Deposits' }).locator('tbody').getByRole('row')
  await page.getByRole('button', { name: 'Next page' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Rows 51 to 52 of 52').waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Next page')
  await page.keyboard.press('p')
  await page.getByText('Rows 1 to 50', { exact: true }).waitFor()
  const last = rows.nth(49).getByRole('link', { name: /GBP$/ })
  await last.scrollIntoViewIfNeeded()
  const scrolled = await page.evaluate('scrollY')
  await last.click()
  await page.getByRole('heading', { level: 1, name: 'Deposit', exact: true }).waitFor()
  await page.goBack()
  await vi.waitFor(async () => expect(await rows.count()).toBe(50), PATIENCE)
  expect(await page.evaluate('scrollY')).toBe(scrolled)
  await requestsAnswered(page)
  expect([await rows.count(), await page.evaluate('scrollY')]).toEqual([50, scrolled])
})

test('the focus stays near its button after Resolve, Refresh and a dialog', async () => {
  const payer = await newDepositor(service, { token: 'sandbox:capture-refused' })
  await deposit(service, { ...payer, amount: '12.34' })
  await sweepUntil(service, payer.id, ['REVIEW'])
  const page = await consoles.signedIn()
  const focused = () => page.evaluate('document.activeElement.textContent')
  await openRoute(page, 'deposits?state=REVIEW')
  await page.getByRole('table').getByRole('link', { name: /GBP$/ }).first().click()
  await page.getByRole('radio', { name: /^Captured/ }).check()
  const note = page.getByLabel('Note')
  await note.fill('saw it')
  await page.goBack()
  await page.goForward()
  await vi.waitFor(async () => expect(await note.inputValue()).toBe('saw it'), PATIENCE)
  await page.getByRole('radio', { name: /^Captured/ }).check()
  const resolve = page.getByRole('button', { name: 'Resolve …' })
  await resolve.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await resolve.waitFor({ state: 'detached' })
  expect(await focused()).toBe('12.34 GBP')

  await openRoute(page, 'audit')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await requestsAnswered(page)
  expect(await focused()).toBe('Refresh')

  await service.operator('POST', '/operator/v1/tokens', { name: 'Brief', role: 'feed' })
  await openRoute(page, 'tokens')
  await page.getByRole('button', { name: 'Revoke Brief' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The token of Brief is revoked.').waitFor()
  await requestsAnswered(page)
  await vi.waitFor(async () => expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BODY'), PATIENCE)
})

test('a long entry of the audit trail takes a few lines, and opens in full', async () => {
  const words = Array.from({ length: 3000 }, (_, index) => `gobbledegook${index}`)
  await service.operator('PUT', '/operator/v1/moderation/words', { blocked: words })
  await service.operator('PUT', '/operator/v1/moderation/words', {})
  const page = await consoles.signedIn()
  await openRoute(page, 'audit')
  const entry = page.getByRole('row').filter({ hasText: 'gobbledegook0' })
  await entry.waitFor()
  expect((await entry.boundingBox())?.height).toBeLessThan(250)
  await entry.locator('summary').click()
  expect(await entry.locator('pre').textContent()).toContain('gobbledegook2999')
  expect((await entry.boundingBox())?.height).toBeLessThan(600)
  await saveScreenshot(page, 'audit-long')
})

/** On a busy machine Playwright may miss the new tab, or wait for its navigation without end: then the link is clicked again. */
async function openInNewTab(page: Page, link: Locator, heading: string): Promise<Page> {
  for (let tries = 3; ; tries--) {
    try {
      const opened = page.context().waitForEvent('page', { timeout: 20_000 })
      const [tab] = await Promise.all([opened, link.click({ modifiers: ['ControlOrMeta'] })])
      await tab.getByRole('heading', { name: heading }).waitFor({ timeout: 20_000 })
      return tab
    } catch (error) {
      if (tries === 1) throw error
    }
  }
}

test('a tab that is opened from a link is signed in; one that is opened by hand is not', async () => {
  const [first] = (await queueOfProfiles(service, 1, 'Tabbed')) as [Member]
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Tab Ann'))
  await isSelected(page, first)
  const link = page.getByRole('link', { name: 'Open full page' })
  // A click while the page is still being filled may hit another place than the link.
  await page.getByRole('navigation').getByText('waiting').first().waitFor()
  await requestsAnswered(page)
  const tab = await openInNewTab(page, link, first.name)
  expect(await tab.getByRole('banner').textContent()).toContain('Tab Ann')
  // Of what was opened last it has the ids.
  expect(await tab.evaluate('Object.keys(localStorage)')).toEqual(['paddock-recent Tab Ann'])

  for (const address of [tab.url(), service.operatorUrl]) {
    const other = await page.context().newPage()
    await other.goto(address)
    await other.getByLabel('Operator token').waitFor()
    await other.close()
  }
})

test('on a phone nothing covers the next subject or its buttons', async () => {
  const [, second] = (await queueOfProfiles(service, 3, 'Thumb')) as [Member, Member]
  const page = await consoles.signedIn(undefined, PHONE)
  const keep = page.getByRole('button', { name: 'Keep', exact: true })
  await keep.scrollIntoViewIfNeeded()
  await keep.click()
  await isSelected(page, second)
  await page.getByText('Sends in 5 seconds.').waitFor()
  const [head, heading, floating] = await Promise.all(
    [page.getByRole('banner'), page.locator('article h2'), page.locator('.floating')].map((one) => one.boundingBox()),
  )
  if (!head || !heading || !floating) throw new Error('not shown')
  expect(heading.y).toBeGreaterThanOrEqual(head.y + head.height)
  expect(heading.y + heading.height).toBeLessThanOrEqual(floating.y)
  await page.getByRole('region', { name: 'Decide' }).getByRole('button').last().scrollIntoViewIfNeeded()
  for (const button of await page.getByRole('region', { name: 'Decide' }).getByRole('button').all()) {
    const box = await button.boundingBox()
    // Pages scroll by whole pixels, while the sizes of fonts end in fractions.
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThan(floating.y + 1)
  }
  await saveScreenshot(page, 'queue-next-phone')
})

test('each page of the menu has an icon of its own', async () => {
  const page = await consoles.signedIn()
  const icons = await page
    .getByRole('navigation', { name: 'Console' })
    .locator('a path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')))
  expect(icons.length).toBeGreaterThan(15)
  expect(icons.filter((icon, index) => icons.indexOf(icon) !== index)).toEqual([])
})

test('groups of the menu fold and stay folded; the one of the open screen unfolds', async () => {
  const page = await consoles.signedIn()
  const menu = page.getByRole('navigation', { name: 'Console' })
  const group = (name: string) => menu.getByRole('button', { name, exact: true })
  await group('Moderation').press('Enter')
  expect(await group('Moderation').getAttribute('aria-expanded')).toBe('false')
  await menu.getByRole('link', { name: 'Review queue' }).waitFor({ state: 'detached' })
  await group('Access').click()
  await openRoute(page, 'ledger')
  await page.reload()
  await menu.getByRole('link', { name: 'Ledger' }).waitFor()
  expect(await menu.getByRole('link', { name: 'Tokens' }).count()).toBe(0)
  expect(await menu.getByRole('link', { name: 'Review queue' }).count()).toBe(0)
  await openRoute(page, 'tokens')
  await menu.getByRole('link', { name: 'Tokens' }).waitFor()
  expect(await menu.getByRole('link', { name: 'Review queue' }).count()).toBe(0)
})

test('the entry of the open screen is in view on a low window', async () => {
  const page = await consoles.signedIn()
  await page.setViewportSize({ width: 1280, height: 420 })
  await openRoute(page, 'health')
  const entry = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Health' })
  await expect.poll(async () => (await entry.boundingBox())?.y ?? 1_000).toBeLessThan(420 - 20)
})

test('`?` lists the shortcuts on every page, those of long lists too', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'audit')
  await page.getByRole('table', { name: 'Audit trail' }).waitFor()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Shortcuts' })
  for (const [key, what] of [
    ['n', 'next page'],
    ['p', 'previous page'],
    ['enter', 'choose the result of a deposit'],
    ['l', 'labels'],
  ] as const) {
    await dialog.getByRole('row', { name: `${key} ${what}`, exact: true }).waitFor()
  }
  await saveScreenshot(page, 'shortcuts')
})
