// The first half minute: the page that says what Paddock is, and the frame of the application on a wide screen.

import { expect, test } from 'vitest'
import { violations } from '../harness/axe.ts'
import { LAPTOP, overflowOf, PHONE, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { boardUpToDate } from '../harness/records.ts'
import { useService } from '../harness/service.ts'
import { openApp, tipOf } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)

test('the root says what Paddock is in front of the feed as it moves, and has three doors', async () => {
  const page = await browser.openAt(`${service.publicUrl}/`, LAPTOP)
  await page.getByRole('heading', { level: 1, name: /^Tipsters with honest records, .* sportsbook\.$/ }).waitFor()
  expect(await page.getByRole('link', { name: /^Console/ }).getAttribute('href')).toBe(
    service.context.startLink?.address(service.operatorUrl),
  )
  expect(await page.getByRole('link', { name: 'Reference' }).getAttribute('href')).toBe('/docs')
  const behind = page.locator('article').filter({ hasText: 'Travels well and stays further' })
  await behind.getByText('unchanged').waitFor()
  await service.operator('PATCH', '/operator/v1/outcomes/80021', { price: { num: 7, den: 4 } })
  await behind.getByText('shorter').waitFor()
  // It is only looked at.
  expect(await page.getByRole('article').count()).toBe(0)
  await service.operator('PATCH', '/operator/v1/outcomes/80021', { price: { num: 5, den: 2 } })

  await page
    .getByRole('region', { name: /^Application/ })
    .getByRole('button', { name: 'Log in as Bob' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Your feed' }).waitFor()
  await page.goto(`${service.publicUrl}/`)
  await page.getByRole('link', { name: 'Reference' }).waitFor()
})

test('the first page fits 320 pixels, and axe finds nothing, light or dark', async () => {
  const page = await browser.openAt(`${service.publicUrl}/`, { ...PHONE, reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Log in as Alice' }).waitFor()
  await requestsAnswered(page)
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect([width, colorScheme, await violations(page)]).toEqual([width, colorScheme, []])
    }
    expect([width, (await overflowOf(page, width)).page]).toEqual([width, width])
  }
})

test('a wide screen has matches and best records beside the page, which lead there', async () => {
  await boardUpToDate(service)
  const page = await openApp(browser, service, 'Alice', LAPTOP)
  const side = page.getByRole('complementary', { name: 'Matches and records' })
  const records = side.getByRole('region', { name: 'Best records' })
  await expect.poll(() => records.getByRole('listitem').count()).toBeGreaterThan(0)
  const match = side
    .getByRole('region', { name: /^(Matches now|Next matches)$/ })
    .getByRole('link')
    .nth(1)
  await match.click()
  await expect.poll(() => page.url()).toMatch(/#\/events\/\d+$/)
  await page.setViewportSize({ width: 1000, height: 800 })
  await side.waitFor({ state: 'detached' })
})

test('the drawer is a strip with the newest request until it is opened, and groups what repeats', async () => {
  const page = await openApp(browser, service, 'Alice', LAPTOP)
  const drawer = page.getByRole('complementary', { name: 'Requests and answers' })
  expect(await drawer.count()).toBe(0)
  const strip = page.getByRole('button', { name: 'Requests and answers' })
  await tipOf(page, 'Travels well and stays further').waitFor()
  await expect.poll(() => strip.innerText()).toMatch(/GET[\s\S]*\/[\s\S]*200/)
  await page.getByRole('button', { name: 'Most liked' }).click()
  await page.getByRole('button', { name: 'Starting soon' }).click()
  await requestsAnswered(page)
  await strip.click()
  const line = drawer.locator('details').filter({ hasText: '/v1/communities/comments/profiles/me/followings' })
  await line.getByText(/^× \d/).waitFor()
  await line.locator('summary').click()
  await line.getByText('sortOrder=E').first().waitFor()
  const repetitions = line.getByRole('group', { name: 'Repetitions, newest first' }).getByRole('button')
  await repetitions.nth(1).click()
  await line.getByText('sortOrder=L').first().waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.title')).toBe('Requests and answers')
})
