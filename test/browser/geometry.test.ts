// Every screen in every width, with narrow and wide letters, light and dark: in a world of extremes, and in an empty one. What is looked for
// is in geometry-in-page.js. `npm test` looks at fewer appearances, with axe (accessibility.test.ts, app-accessibility.test.ts);
// lists of ten thousand rows are in large-lists.test.ts.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { LAPTOP, openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { ALL_APPEARANCES, geometryFaults } from '../harness/geometry.ts'
import { boardUpToDate } from '../harness/records.ts'
import { KEY, useService } from '../harness/service.ts'
import { APP_SCREENS } from './app.ts'
import { consoleScreens, type Subjects } from './console-routes.ts'
import { extremeWorld } from './extreme-world.ts'

const service = useService({ SANDBOX_SEED: 'on' })
const browser = useBrowser(service)
const empty = useService()
const emptyBrowser = useBrowser(empty)

let subjects: Subjects
beforeAll(async () => {
  await boardUpToDate(service)
  subjects = await extremeWorld(service)
})

const WHOLE = { timeout: 3_600_000 }

async function visit(page: Page, route: string): Promise<void> {
  await openRoute(page, route)
  await page.locator('main h1').waitFor()
  await requestsAnswered(page)
}

/** All faults of all screens together, so that one run shows them. */
async function look(page: Page, name: string, found: string[]): Promise<void> {
  const faults = await geometryFaults(page, ALL_APPEARANCES)
  found.push(...faults.map((fault) => `${name} at ${fault}`))
  await page.setViewportSize(LAPTOP.viewport)
}

test('every screen of the console, in a world of extremes', WHOLE, async () => {
  const page = await browser.signedIn()
  const found: string[] = []
  for (const { route } of consoleScreens(subjects)) {
    await visit(page, route)
    await look(page, route, found)
  }
  expect(found).toEqual([])
})

/** What a screen of the console shows only after a click or a key. */
const OPENED: [name: string, route: string, open: (page: Page) => Promise<void>][] = [
  ['the search', 'words', (page) => page.keyboard.press('Control+k')],
  ['the shortcuts', 'queue', (page) => page.keyboard.press('?')],
  ['what is selected', 'queue?kind=profile', (page) => page.keyboard.press('a')],
  ['a question about money', 'withdrawals', (page) => page.getByRole('button', { name: 'Refuse' }).first().click()],
]

test('what opens in the console', WHOLE, async () => {
  const page = await browser.signedIn()
  const found: string[] = []
  for (const [name, route, open] of OPENED) {
    await visit(page, route)
    await open(page)
    await requestsAnswered(page)
    await look(page, name, found)
    await page.keyboard.press('Escape')
  }
  expect(found).toEqual([])
})

test('every screen of the console without anything in it', WHOLE, async () => {
  const page = await emptyBrowser.signedIn()
  const found: string[] = []
  const nothing = { id: 1, profileId: 1 }
  const ids = { tip: 1, paymentId: 'none', payerId: 1, webhookId: '1', withdrawalId: '1', apiKey: KEY, member: nothing }
  for (const { route } of consoleScreens(ids)) {
    await visit(page, route)
    await look(page, route, found)
  }
  expect(found).toEqual([])
})

test('every screen of the application, in a world of extremes', WHOLE, async () => {
  const page = await browser.openAt(`${service.publicUrl}/app/`, LAPTOP)
  await requestsAnswered(page)
  const found: string[] = []
  await look(page, 'the landing page', found)
  // Alice is the first, whatever her name is now.
  await page
    .getByRole('button', { name: /^Log in as/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: 'Your feed' }).waitFor()
  for (const route of APP_SCREENS) {
    await visit(page, route)
    await look(page, `/app/${route}`, found)
  }
  await visit(page, 'tips/18')
  await page.getByRole('button', { name: 'Flag' }).click()
  await page.getByRole('dialog').waitFor()
  await look(page, 'a flag', found)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Requests and answers' }).click()
  await look(page, 'requests and answers', found)
  expect(found).toEqual([])
})

test('both references', WHOLE, async () => {
  const found: string[] = []
  const pages = [
    ...['', 'errors', 'createCommentOnOutcomeId', 'makeTransaction'].map((name) => `${service.publicUrl}/docs/${name}`),
    ...['', 'problems', 'moderateComment', 'listDeposits'].map((name) => `${service.operatorUrl}/docs/${name}`),
  ]
  for (const address of pages) {
    const page = await browser.openAt(address, LAPTOP)
    await look(page, address.replace(/^.*?\/docs/, '/docs'), found)
    await page.close()
  }
  expect(found).toEqual([])
})
