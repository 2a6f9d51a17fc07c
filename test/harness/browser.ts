// A real Chromium looking at the console of a real service.

import { mkdirSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { OPERATOR_TOKEN, type TestService } from './service.ts'

const SHOTS = new URL('../../test-output/console/', import.meta.url).pathname

export const LAPTOP = { viewport: { width: 1280, height: 800 } }
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

export type Consoles = {
  /** A new visitor. Errors that its page logs fail the test that opened it. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** The same at another address than the console's. */
  openAt(url: string, options?: BrowserContextOptions): Promise<Page>
  signedIn(token?: string, options?: BrowserContextOptions): Promise<Page>
}

export function useBrowser(service: TestService): Consoles {
  let browser: Browser
  let complaints: string[] = []

  beforeAll(async () => {
    const { path, args, env } = inject('browser')
    browser = await chromium.launch({ executablePath: path, args, env: { ...process.env, ...env }, headless: true })
    mkdirSync(SHOTS, { recursive: true })
  })

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    const found = complaints
    complaints = []
    expect(found).toEqual([])
  })

  afterAll(() => browser?.close())

  const open = (options?: BrowserContextOptions) => openAt(service.operatorUrl, options)

  async function openAt(url: string, options: BrowserContextOptions = LAPTOP): Promise<Page> {
    const page = await (await browser.newContext({ ...options, baseURL: url })).newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (error) => complaints.push(error.message))
    // Violations of the content security policy are logged as errors too. What the server refuses is not a mistake.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        complaints.push(message.text())
      }
    })
    await page.clock.install()
    await page.goto('/')
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

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Operator token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Lets the time pass in which a decision can be undone, for the page alone: what was due is done. */
export async function passTimeToUndo(page: Page): Promise<void> {
  await page.clock.fastForward(5_000)
}

/** Kept as test output, to be looked at. */
export async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${SHOTS}${name}.png` })
}

export async function go(page: Page, route: string): Promise<void> {
  // Within the page, as a link does: the session lives on.
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`)
}
