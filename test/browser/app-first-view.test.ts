// What the first view of the application waits for: how much script, how many files, and no request after another that could
// have been sent with it. `npm run bench:first-view` measures the time.

import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PHONE, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { openApp, TICKETS, tipOf } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)

const MAX_BYTES = 100_000
/** With the two of the page: the small script that begins the requests, and the application. */
const MAX_FILES = 4
const BUILT = new URL('../../showcase/dist/', import.meta.url)
const MAIN = '**/assets/main-*.js'
const FEED = '/v1/communities/comments/profiles/me/followings'
const FIRST_TIP = 'Travels well and stays further'

const read = (file: string) => readFileSync(new URL(file, BUILT), 'utf8')

const filesOfPage = () =>
  [...read('index.html').matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => String(file))

test('the first view is less than 100 KB of JavaScript, gzipped', () => {
  // Beside the page on a laptop.
  const beside = readdirSync(new URL('assets/', BUILT))
    .filter((name) => /^side-column-[\w-]+\.js$/.test(name))
    .map((name) => `assets/${name}`)
  expect(beside).toHaveLength(1)
  const files = new Set([...filesOfPage().filter((file) => file.endsWith('.js')), ...beside])
  for (const file of files) {
    for (const [, name] of read(file).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      files.add(`assets/${name}`)
  }
  const bytes = [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0)
  expect(bytes).toBeGreaterThan(30_000)
  expect(bytes).toBeLessThan(MAX_BYTES)
})

test('the page names every file of the first view, and they are few', () => {
  const files = filesOfPage()
  expect(files.length).toBeLessThanOrEqual(MAX_FILES)
  const [main] = files.filter((file) => file.includes('/main-'))
  const imports = [...read(String(main)).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)]
  for (const [, name] of imports) expect(files).toContain(`assets/${name}`)
})

/** Addresses of the service that the page requests from now on. */
function requestsOf(page: Page): string[] {
  const addresses: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(v1|sandbox)/.test(pathname)) addresses.push(pathname)
  })
  return addresses
}

test('the feed is requested while the script is still loading, and only then', async () => {
  const page = await openApp(browser, service, 'Alice', PHONE)
  await tipOf(page, FIRST_TIP).waitFor()
  // Whatever this page still requests is not of the next one.
  await page.goto('about:blank')
  const requests = requestsOf(page)
  // The application's script waits for the feed, so it can only have been the small one that requested it.
  await page.route(MAIN, async (route) => {
    await expect.poll(() => requests, { timeout: 30_000 }).toContain(FEED)
    await route.continue()
  })
  await page.goto(`${service.publicUrl}/app/`)
  await tipOf(page, FIRST_TIP).waitFor()
  expect(requests.slice(0, 2)).toEqual(['/sandbox', FEED])
  expect(requests.filter((address) => address === '/sandbox' || address === FEED)).toHaveLength(2)
})

test('the drawer shows the requests that began before the application, each with its answer', async () => {
  const page = await openApp(browser, service, 'Alice', PHONE)
  await page.reload()
  await tipOf(page, FIRST_TIP).waitFor()
  await page.getByRole('button', { name: 'Requests and answers' }).click()
  const drawer = page.getByRole('complementary', { name: 'Requests and answers' })
  const line = drawer.locator('details').filter({ hasText: FEED })
  await line.locator('summary').click()
  await line.getByText(FIRST_TIP).first().waitFor()
  await line.getByText('TGT-1-sandbox-alice').first().waitFor()
})

test('another customer never gets what was requested for the one before', async () => {
  const page = await openApp(browser, service, 'Alice', PHONE)
  const tickets: (string | undefined)[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === FEED) tickets.push(request.headers()['who-ticket'])
  })
  await page.route(MAIN, async (route) => {
    await expect.poll(() => tickets, { timeout: 30_000 }).toEqual([TICKETS.Alice])
    await page.evaluate("sessionStorage.setItem('paddock-showcase-customer', 'bob')")
    await route.continue()
  })
  await page.reload()
  await tipOf(page, 'Quiet on the gallops').waitFor()
  expect(tickets).toEqual([TICKETS.Alice, TICKETS.Bob])
})

test('an application whose script fails to load is loaded again', async () => {
  const page = await openApp(browser, service, 'Alice', PHONE)
  let numFailed = 0
  await page.route(MAIN, (route) => (numFailed++ < 2 ? route.abort() : route.continue()))
  await page.reload()
  await tipOf(page, FIRST_TIP).waitFor()
  expect(numFailed).toBeGreaterThan(1)
})

test('the colours that somebody chose are there before the application', async () => {
  const page = await openApp(browser, service, 'Alice', PHONE)
  await page.getByRole('button', { name: 'Use dark colours' }).click()
  await page.route(MAIN, async (route) => {
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await route.continue()
  })
  await page.reload()
  await page.getByRole('button', { name: 'Use light colours' }).waitFor()
})
