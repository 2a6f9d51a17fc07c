// A real Chromium on the console of a real service.

import { mkdirSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { isEachChange } from './each-change.ts'
import { OPERATOR_TOKEN, type TestService } from './service.ts'

const SCREENSHOTS = new URL('../../test-output/console/', import.meta.url).pathname

export const LAPTOP = { viewport: { width: 1280, height: 800 } }
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

type ConsoleBrowser = {
  /** A new visitor. Errors that its page logs fail the test that opened it. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** The same at another address than the console's root. */
  openAt(url: string, options?: BrowserContextOptions): Promise<Page>
  signedIn(token?: string, options?: BrowserContextOptions): Promise<Page>
}

export function useBrowser(service: TestService): ConsoleBrowser {
  let browser: Browser
  let errors: string[] = []

  beforeAll(async () => {
    browser = await chromium.connect(inject('browserEndpoint'))
    mkdirSync(SCREENSHOTS, { recursive: true })
  })

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    const found = errors
    errors = []
    expect(found).toEqual([])
  })

  afterAll(() => browser?.close())

  const open = (options?: BrowserContextOptions) => openAt(service.operatorUrl, options)

  async function openAt(url: string, options: BrowserContextOptions = LAPTOP): Promise<Page> {
    const page = await (await browser.newContext({ ...options, baseURL: new URL(url).origin })).newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => errors.push(error.message))
    // Violations of the content security policy are logged as errors too. A request that the server refuses is no error.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        errors.push(message.text())
      }
    })
    trackRequests(page)
    await page.clock.install()
    await page.goto(url)
    return page
  }

  async function signedIn(token = OPERATOR_TOKEN, options: BrowserContextOptions = LAPTOP): Promise<Page> {
    const page = await open(options)
    await signIn(page, token)
    await page.getByRole('heading', { level: 1 }).and(page.locator('main:not(.sign-in) h1')).waitFor()
    return page
  }

  return { open, openAt, signedIn }
}

const pendingRequests = new WeakMap<Page, Set<Request>>()

/** All but streams, which do not end. */
function trackRequests(page: Page): void {
  const pending = new Set<Request>()
  pendingRequests.set(page, pending)
  page.on('request', (request) => {
    if (!/\/v1\/stream(\?|$)/.test(request.url())) pending.add(request)
  })
  const end = (request: Request): void => void pending.delete(request)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
}

const QUIET_MS = 200

/** Waits until the page has had no request under way for a moment. */
export async function requestsAnswered(page: Page): Promise<void> {
  const pending = pendingRequests.get(page) as Set<Request>
  for (let since = Date.now(); Date.now() - since < QUIET_MS; ) {
    if (pending.size > 0) since = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Operator token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Moves the page's clock past the time in which a decision can be undone, so that it is sent. */
export async function passTimeToUndo(page: Page): Promise<void> {
  await page.clock.fastForward(5_000)
}

/** In `npm test` only on request: no test compares them, and a whole run would take 200 of 0.1 s each. */
const savesScreenshots = process.env.SCREENSHOTS === '1' || !isEachChange

export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (!savesScreenshots) return
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png` })
}

export async function openRoute(page: Page, route: string): Promise<void> {
  // Within the page, as a link does, so that the session continues.
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`)
}

/** How wide the page is, and the start of each element that reaches over its width. */
export async function overflowOf(page: Page, width: number) {
  return {
    page: await page.evaluate('document.documentElement.scrollWidth'),
    // By place first: to look for the parents of all elements takes longer.
    over: await page.evaluate(`[...document.querySelectorAll('main *, header *')]
      .filter((one) => one.getBoundingClientRect().right > ${width} + 0.5)
      .filter((one) => one.closest('pre, .hidden-text, thead, caption, dialog') === null || one.matches('pre'))
      .map((one) => one.outerHTML.slice(0, 80))`),
  }
}
