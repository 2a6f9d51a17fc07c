// The application at /app, with the sandbox's customers.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { PHONE, type useBrowser } from '../harness/browser.ts'
import type { TestService } from '../harness/service.ts'

export const TICKETS = {
  Alice: 'TGT-1-sandbox-alice',
  Bob: 'TGT-2-sandbox-bob',
  Carol: 'TGT-3-sandbox-carol',
} as const
export type Name = keyof typeof TICKETS

/** Every screen of the application, the landing page apart. */
export const APP_SCREENS = [
  '',
  'tips/23',
  'events',
  'events/502',
  'events/504',
  'discover',
  'discover?q=fifteen',
  'write',
  'notifications',
  'me',
  'me/edit',
  'profiles/1',
  'profiles/21',
  'account',
  'wallet',
  'play-safely',
  'moderation',
  'hidden',
  'afternoon',
  'nowhere',
]

type Browser = ReturnType<typeof useBrowser>

/** Logged in by one click, on a phone unless told otherwise. */
export async function openApp(
  browser: Browser,
  service: TestService,
  name: Name,
  options: BrowserContextOptions = PHONE,
): Promise<Page> {
  const page = await browser.openAt(`${service.publicUrl}/app/`, options)
  await page.getByRole('button', { name: `Log in as ${name}` }).click()
  await page.getByRole('heading', { level: 1, name: 'Your feed' }).waitFor()
  return page
}

/** One click in the header. */
export async function switchTo(page: Page, name: Name): Promise<void> {
  await page.getByRole('group', { name: 'Logged in as' }).getByRole('button', { name }).click()
}

export function tipOf(page: Page, text: string) {
  return page.getByRole('article').filter({ hasText: text })
}
