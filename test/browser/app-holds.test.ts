// The showcase when something goes wrong, and where one comes back to it.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { RULES } from '../../web/words/moderation.ts'
import { expectNothingFound, violations } from '../harness/axe.ts'
import {
  LAPTOP,
  openRoute,
  overflowOf,
  PHONE,
  requestsAnswered,
  saveScreenshot,
  useBrowser,
} from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'
import { openApp, switchTo, TICKETS, tipOf } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)

test('a screen whose script fails to load is loaded again; in the end its place says so', async () => {
  const page = await openApp(browser, service, 'Alice')
  let numFailed = 0
  await page.route('**/assets/discover-*.js', (route) => (numFailed++ < 2 ? route.abort() : route.continue()))
  await page.getByRole('link', { name: 'Discover' }).click()
  await page.getByRole('heading', { level: 1, name: 'Discover' }).waitFor()
  expect(numFailed).toBeGreaterThan(1)

  await page.route('**/assets/write-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Write a tip' }).click()
  await page.getByRole('heading', { level: 1, name: 'This page could not be shown' }).waitFor()
  await page.unroute('**/assets/write-*.js')
  await page.getByRole('button', { name: 'Load again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Write a tip' }).waitFor()
})

test('an error in a screen leaves the rest usable', async () => {
  const page = await openApp(browser, service, 'Alice')
  const nameless = JSON.stringify({ whoProfiles: [{ profile: { id: '21' } }] })
  await page.route('**/v1/profiles/21?**', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: nameless }),
  )
  await openRoute(page, 'profiles/21')
  await page.getByRole('heading', { level: 1, name: 'This page could not be shown' }).waitFor()
  await page.getByRole('link', { name: 'Feed' }).click()
  await tipOf(page, 'Travels well and stays further').waitFor()
})

test('no connection is said, and what failed is loaded when there is one', async () => {
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, 'tips/18')
  await tipOf(page, 'Travels well and stays further').waitFor()
  await page.context().setOffline(true)
  const offline = page.getByText('No connection.')
  await offline.waitFor()
  // What the price was then.
  await tipOf(page, 'Travels well and stays further')
    .getByText(/^as of \d\d:\d\d$/)
    .waitFor()
  await openRoute(page, 'tips/19')
  await page.getByRole('alert').getByText('The service did not answer').waitFor()
  expect(await violations(page)).toEqual([])
  await saveScreenshot(page, 'app-offline-phone')
  await page.context().setOffline(false)
  await offline.waitFor({ state: 'detached' })
  await page.getByRole('article').getByText('Tipped at').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('Back returns to the place in the feed, with all that was loaded', async () => {
  const outcomes = await newMatch(service, { outcomes: 20 })
  for (const { id } of outcomes) await newTip(service, { id: 3, ticket: TICKETS.Carol }, id)
  const page = await openApp(browser, service, 'Alice')
  const tips = page.getByRole('article')
  await page.getByRole('button', { name: 'Most liked' }).click()
  await requestsAnswered(page)
  const grown = async () => {
    await tips.last().scrollIntoViewIfNeeded()
    return tips.count()
  }
  await expect.poll(grown).toBeGreaterThan(12)
  await requestsAnswered(page)
  const numTips = await tips.count()
  const tip = tips.nth(numTips - 2)
  await tip.scrollIntoViewIfNeeded()
  const place = () => tip.evaluate((one) => Math.round(one.getBoundingClientRect().top))
  const before = await place()
  await tip.locator('p[id^="tip-"] a').click()
  await page.getByRole('heading', { level: 1, name: 'Tip', exact: true }).waitFor()
  expect(await page.evaluate('scrollY')).toBe(0)
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your feed' }).waitFor()
  await tip.waitFor()
  expect(await page.getByRole('button', { name: 'Most liked' }).getAttribute('aria-pressed')).toBe('true')
  await requestsAnswered(page)
  expect(await tips.count()).toBeGreaterThanOrEqual(numTips)
  expect(Math.abs((await place()) - before)).toBeLessThan(5)
})

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a chosen picture is saved with the rest, and the header has it; a name is not cut in silence', async () => {
  const page = await openApp(browser, service, 'Bob')
  await openRoute(page, 'me/edit')
  const name = page.getByLabel('Name')
  await name.fill('Bob with a name of far more than thirty characters')
  await page.getByText('20 characters too many').waitFor()
  expect(await name.inputValue()).toBe('Bob with a name of far more than thirty characters')
  expect(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
  await page
    .getByLabel('Choose a picture')
    .setInputFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await page.getByText('No preview').waitFor()
  expect(await oneLine(page, 'Keep the old picture')).toBe(true)
  expect(await violations(page)).toEqual([])
  await saveScreenshot(page, 'app-edit-phone')

  await name.fill('Bob Both Teams')
  await page.getByLabel('Choose a picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PIXEL })
  await page.getByRole('img', { name: 'Preview' }).waitFor()
  const header = page.getByRole('group', { name: 'Logged in as' }).locator('img')
  expect(await header.count()).toBe(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('main img[src^="/pictures/"]').waitFor()
  await header.waitFor()
  await switchTo(page, 'Alice')
  await page.reload()
  await header.waitFor()
})

/** The words of a squeezed button are in two lines. */
function oneLine(page: Page, name: string): Promise<boolean> {
  return page.getByRole('button', { name }).evaluate((one) => one.getBoundingClientRect().height < 50)
}

test('somebody is muted from a tip and blocked from a profile, and both are taken back', async () => {
  const page = await openApp(browser, service, 'Alice')
  const carols = page.getByRole('article').getByRole('link', { name: 'Carol Cheltenham' })
  await carols.first().waitFor()
  await openRoute(page, 'tips/18')
  await page.getByRole('button', { name: 'Mute or block Carol Cheltenham' }).click()
  const dialog = page.getByRole('dialog', { name: 'Carol Cheltenham' })
  await dialog.getByText('They do not notice.').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.getByRole('log').getByRole('link', { name: 'Carol Cheltenham is muted' }).waitFor()
  await page.getByRole('link', { name: 'Feed' }).click()
  await page.getByRole('article').first().waitFor()
  await requestsAnswered(page)
  expect(await carols.count()).toBe(0)

  await openRoute(page, 'profiles/2')
  await page.getByRole('button', { name: 'Mute or block Bob Both Teams' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
  await page.getByRole('log').getByRole('link', { name: 'Bob Both Teams is blocked' }).waitFor()
  await openRoute(page, 'profiles/2')
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await page.getByRole('alert').getByText('Profile not found').waitFor()

  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await page.getByRole('link', { name: 'Muted and blocked' }).click()
  await page.getByRole('heading', { level: 1, name: 'Muted and blocked' }).waitFor()
  // Messages cover what is below them for a few seconds.
  await page.clock.fastForward(10_000)
  await expect.poll(() => page.getByRole('button', { name: 'Close message' }).count()).toBe(0)
  await expectNothingFound(page, 'app-hidden')
  await page.getByRole('button', { name: 'Unmute Carol Cheltenham' }).click()
  await page.getByText('You have muted nobody').waitFor()
  await page.getByRole('button', { name: 'Unblock Bob Both Teams' }).click()
  await page.getByText('You have blocked nobody').waitFor()
  await page.getByRole('link', { name: 'Feed' }).click()
  await carols.first().waitFor()
})

test('every page has a title of its own', async () => {
  const page = await openApp(browser, service, 'Alice')
  for (const [route, title] of [
    ['discover', 'Discover'],
    ['profiles/21', 'Uma Underround'],
    ['tips/18', /, tipped by Carol Cheltenham$/],
    ['me', 'Alice Ascot'],
    ['me/edit', 'Edit your profile'],
    ['profiles/999999', 'Profile'],
    ['nowhere', 'Nothing here'],
    ['events/soon', 'Nothing here'],
    ['profiles/1/2', 'Nothing here'],
    ['', 'Your feed'],
  ] as const) {
    await openRoute(page, route)
    await expect
      .poll(async () => (await page.title()).replace(/ · Paddock$/, ''))
      .toEqual(typeof title === 'string' ? title : expect.stringMatching(title))
  }
})

test('nothing moves while the feed loads, and it fits on 320 pixels', async () => {
  for (const device of [PHONE, LAPTOP]) {
    const page = await openApp(browser, service, 'Alice', device)
    await page.reload()
    await page.getByRole('article').first().waitFor()
    await requestsAnswered(page)
    expect(await page.evaluate(LAYOUT_SHIFT)).toBeLessThan(0.05)
  }
  const page = await openApp(browser, service, 'Alice', { ...PHONE, viewport: { width: 320, height: 640 } })
  for (const route of ['', 'tips/18', 'profiles/21', 'me', 'me/edit', 'hidden', 'discover', 'moderation']) {
    await openRoute(page, route)
    await page.locator('main h1').waitFor()
    await requestsAnswered(page)
    expect([route, (await overflowOf(page, 320)).page]).toEqual([route, 320])
    expect([route, await page.evaluate(OUT_OF_CARDS)]).toEqual([route, []])
    await saveScreenshot(page, `app-320-${route.replaceAll(/\W/g, '-') || 'feed'}`)
  }
})

/** What reaches over the edge of its card. */
const OUT_OF_CARDS = `[...document.querySelectorAll('.surface')].flatMap((card) => [...card.querySelectorAll('*')]
  .filter((one) => one.getBoundingClientRect().right > card.getBoundingClientRect().right)
  .map((one) => one.outerHTML.slice(0, 80)))`

/** Since the page was opened. Run in the page, where the root tsconfig has no DOM types: hence text. */
const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0
  const observer = new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value })
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => setTimeout(() => resolve(sum), 100))
})`

test('the author reads the text that was removed, and until which day to appeal', async () => {
  const decided = { ticket: TICKETS.Carol, accept: 'application/json' }
  const { decision } = (await service.call('GET', '/v1/moderation/me', decided)).json().whoDecisions
  const { text, clause, appealUntilDateTimeZoned } = [decision].flat().find((one) => one.action === 'remove')
  const page = await openApp(browser, service, 'Carol')
  await openRoute(page, 'moderation')
  const card = page.getByRole('article').filter({ hasText: 'Your tip was removed' }).first()
  await card.getByRole('blockquote').getByText(text).waitFor()
  const { clauses } = (await service.operator('GET', '/operator/v1/moderation/clauses')).body
  const titles = clauses.map(({ key, title }: { key: string; title: string }) => [key, title])
  expect(RULES).toEqual(Object.fromEntries(titles))
  await card.getByText(`Rule: ${RULES[clause]} · `).waitFor()
  const year = appealUntilDateTimeZoned.slice(0, 4)
  const isThisYear = Number(year) === new Date().getFullYear()
  await card
    .getByRole('button', { name: isThisYear ? /^Appeal until/ : new RegExp(`^Appeal until .* ${year}$`) })
    .waitFor()
})

/** The lead of a page is nearer to its heading than anything else. */
const GAP_BELOW_HEADING = `(() => {
  const heading = document.querySelector('main > h1')
  const { bottom } = heading.getBoundingClientRect()
  return Math.round(heading.nextElementSibling.getBoundingClientRect().top - bottom)
})()`

test('what stands below the heading of a page has a gap to it', async () => {
  const page = await openApp(browser, service, 'Alice')
  for (const [route, heading] of [
    ['account', 'Account'],
    ['nowhere', 'Nothing here'],
    ['profiles/999999', 'Profile'],
    ['moderation', 'Decisions'],
  ] as const) {
    await openRoute(page, route)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await requestsAnswered(page)
    expect([route, await page.evaluate(GAP_BELOW_HEADING)]).toEqual([route, heading === 'Decisions' ? 6 : 14])
  }
})

/** What of the bar stands outside of it, or has a label of more than one line. */
const BROKEN = `[...document.querySelectorAll('nav[aria-label="Main"] a')].filter((link) => {
  const bar = document.querySelector('nav[aria-label="Main"]').getBoundingClientRect()
  const { top, bottom, left, right } = link.getBoundingClientRect()
  const label = document.createRange()
  label.selectNodeContents(link.lastElementChild)
  const isOutside = top < bar.top || bottom > bar.bottom || left < 0 || right > innerWidth
  return isOutside || new Set([...label.getClientRects()].map((line) => line.top)).size > 1
}).map((link) => link.innerText)`

test('on a phone nothing floats over a page, its end is above the bar, and no word of the bar breaks', async () => {
  const page = await openApp(browser, service, 'Alice', { ...PHONE, viewport: { width: 320, height: 640 } })
  const bar = page.getByRole('navigation', { name: 'Main' })
  for (const width of [320, 360, 375, 390, 768]) {
    await page.setViewportSize({ width, height: 640 })
    expect([width, await page.evaluate(BROKEN)]).toEqual([width, []])
  }
  await page.setViewportSize({ width: 320, height: 640 })
  for (const route of ['', 'events', 'discover', 'tips/23', 'profiles/21', 'account', 'nowhere']) {
    await openRoute(page, route)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await requestsAnswered(page)
    // To the end of what is loaded, also where the list grows meanwhile.
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
        const end = await page.evaluate(
          "document.querySelector('main').lastElementChild.getBoundingClientRect().bottom",
        )
        return Number(end) <= ((await bar.boundingBox())?.y ?? 0)
      })
      .toBe(true)
  }
})
