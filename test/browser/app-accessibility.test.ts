// Every screen of the application, on a phone and a laptop, light and dark.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNothingFound, violations } from '../harness/axe.ts'
import { LAPTOP, openRoute, overflowOf, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { expectGeometry, FEW_APPEARANCES } from '../harness/geometry.ts'
import { boardUpToDate } from '../harness/records.ts'
import { useService } from '../harness/service.ts'
import { APP_SCREENS, openApp } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)

async function expectFit(page: Page, name: string): Promise<void> {
  await expectNothingFound(page, `app-${name}`, async (width) =>
    expect([name, (await overflowOf(page, width)).page]).toEqual([name, width]),
  )
  const { width, height } = page.viewportSize() ?? LAPTOP.viewport
  await expectGeometry(page, name, FEW_APPEARANCES)
  await page.setViewportSize({ width, height })
}

/** Links in sentences apart. Run in the page, where the root tsconfig has no DOM types: hence text. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, nav a, label, input, .button')]
  .filter((one) => !one.matches('.skip, .link, .field label, .hidden-text, [type=radio]') && one.offsetParent !== null)
  .filter((one) => one.getBoundingClientRect().height < 43.9)
  .map((one) => one.outerHTML.slice(0, 80))`

test('axe finds nothing on any screen, nothing is too wide, and targets are large enough', {
  timeout: 600_000,
}, async () => {
  await boardUpToDate(service)
  const page = await browser.openAt(`${service.publicUrl}/app/`, { ...LAPTOP, reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Log in as Alice' }).waitFor()
  await expectFit(page, 'welcome')
  await page.setViewportSize(LAPTOP.viewport)
  await page.getByRole('button', { name: 'Log in as Alice' }).click()
  for (const route of APP_SCREENS) {
    await openRoute(page, route)
    await page.locator('main h1').waitFor()
    await requestsAnswered(page)
    await expectFit(page, route.replaceAll(/\W/g, '-') || 'feed')
    expect([route, await page.evaluate(SMALL_TARGETS)]).toEqual([route, []])
  }
  await openRoute(page, 'tips/18')
  await page.getByRole('button', { name: 'Flag' }).click()
  await page.getByRole('dialog').waitFor()
  await expectFit(page, 'flag')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Requests and answers' }).click()
  await page.getByRole('complementary').locator('summary').first().click()
  await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
  expect(await violations(page)).toEqual([])
})

test('the keyboard: skip to the content, visible focus, another theme', async () => {
  const page = await openApp(browser, service, 'Bob', LAPTOP)
  await requestsAnswered(page)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await requestsAnswered(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Latest')
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await background()
  await page.getByRole('button', { name: 'Use dark colours' }).click()
  expect(await background()).not.toBe(light)
  await page.reload()
  await page.getByRole('button', { name: 'Use light colours' }).waitFor()
  expect(await background()).not.toBe(light)
})
