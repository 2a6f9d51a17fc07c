// What a newcomer sees in the showcase: people with faces, teams and horses with colours, and 20 ranked tipsters.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openRoute, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { boardUpToDate } from '../harness/records.ts'
import { useService } from '../harness/service.ts'
import { openApp, tipOf } from './app.ts'

const service = useService({ SANDBOX_SEED: 'on' })
const browser = useBrowser(service)

beforeAll(() => boardUpToDate(service))

/** The addresses of all pictures that have arrived. */
function loadedPictures(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('main img')].filter((one) => one.complete && one.naturalWidth > 0).map((one) => one.src)`,
  )
}

test('the feed has portraits, and marks in the colours of teams and runners', async () => {
  const page = await openApp(browser, service, 'Alice')
  const tip = tipOf(page, 'One point, about evens').first()
  await tip.getByText('Plymouth', { exact: true }).waitFor()
  const fills = await tip
    .locator('svg[viewBox="0 0 20 20"] path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('fill')))
  expect(fills).toEqual([expect.stringMatching(/^#\w{6}$/), expect.stringMatching(/^#\w{6}$/)])
  await expect.poll(async () => (await loadedPictures(page)).some((src) => /\/pictures\/\w{32}\./.test(src))).toBe(true)
  await saveScreenshot(page, 'app-lived-in-feed')
})

test('20 tipsters are ranked, each with a record', async () => {
  const page = await openApp(browser, service, 'Bob')
  await page.getByRole('link', { name: 'Discover' }).click()
  const rows = page.locator('ol > li')
  await expect.poll(() => rows.count()).toBe(20)
  await saveScreenshot(page, 'app-lived-in-discover')
  await openRoute(page, 'profiles/10')
  await page.getByRole('heading', { level: 1, name: 'Jumps Jim' }).waitFor()
  await page.getByRole('img', { name: /points from .* to .*; lowest .*, highest / }).waitFor()
  await saveScreenshot(page, 'app-lived-in-record')
})
