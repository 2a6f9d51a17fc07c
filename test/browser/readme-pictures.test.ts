// Takes the pictures that README.md and docs/ show. UPDATE_PICTURES=1 writes them to docs/images; else they are test output.

import { mkdirSync, statSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openRoute, useBrowser } from '../harness/browser.ts'
import { boardUpToDate } from '../harness/records.ts'
import { useService } from '../harness/service.ts'

const FOLDER = process.env.UPDATE_PICTURES === '1' ? '../../docs/images/' : '../../test-output/readme/'
const folder = new URL(FOLDER, import.meta.url).pathname
const WINDOW = { viewport: { width: 1080, height: 720 } }
const LARGEST = 150_000

const service = useService({ SANDBOX_SEED: 'on' })
const { openAt, signedIn } = useBrowser(service)

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const path = `${folder}${name}.png`
  await page.screenshot({ path })
  expect(statSync(path).size).toBeLessThan(LARGEST)
}

test('the review queue of the console', async () => {
  const page = await signedIn(undefined, WINDOW)
  await openRoute(page, 'queue')
  await page.getByRole('heading', { name: 'Olly Outsider' }).waitFor()
  await takePicture(page, 'console')
})

test('an operation in the reference', async () => {
  const page = await openAt(service.publicUrl, WINDOW)
  await page.locator('article#getProfile').evaluate((element) => element.scrollIntoView())
  await page.locator('#side li a[aria-current]', { hasText: 'getProfile' }).waitFor()
  await takePicture(page, 'reference')
})

test('the record of a tipster in the console', async () => {
  await boardUpToDate(service)
  const page = await signedIn(undefined, { viewport: { width: 1080, height: 1240 } })
  await openRoute(page, 'tipsters/24')
  await page.getByRole('heading', { name: 'Xenia X-Ray' }).waitFor()
  await takePicture(page, 'record')
  await page.setViewportSize({ width: 1080, height: 640 })
  await openRoute(page, 'tipsters?numDays=0')
  await page.getByRole('link', { name: 'Uma Underround' }).waitFor()
  await takePicture(page, 'tipsters')
})
