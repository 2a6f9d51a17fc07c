// Takes the pictures that README.md and docs/ show: `npm run pictures` writes them to docs/images. As a test it checks that every
// picture there can still be taken; what it takes is test output.

import { mkdirSync, readdirSync, statSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { LAPTOP, openRoute, PHONE, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { boardUpToDate } from '../harness/records.ts'
import { useService } from '../harness/service.ts'
import { openApp, switchTo } from './app.ts'

const FOLDER = process.env.UPDATE_PICTURES === '1' ? '../../docs/images/' : '../../test-output/readme/'
const folder = new URL(FOLDER, import.meta.url).pathname
const PICTURED_PHONE = { ...PHONE, deviceScaleFactor: 1.5, reducedMotion: 'reduce' } as const
const WINDOW = { viewport: { width: 1080, height: 720 } }
const MAX = 200_000

const service = useService({ SANDBOX_SEED: 'on' })
const browser = useBrowser(service)
const { openAt, signedIn } = browser

const taken: string[] = []

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const path = `${folder}${name}.png`
  await page.screenshot({ path })
  taken.push(`${name}.png`)
  expect(statSync(path).size).toBeLessThan(MAX)
}

test('the review queue of the console', async () => {
  const page = await signedIn(undefined, WINDOW)
  await openRoute(page, 'queue')
  await page.getByRole('heading', { name: 'Olly Outsider' }).waitFor()
  await takePicture(page, 'console')
})

test('an operation in the reference', async () => {
  const page = await openAt(`${service.publicUrl}/docs/getProfile`, { viewport: { width: 1240, height: 780 } })
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

test('several selected items, the search and a customer in the console', async () => {
  const page = await signedIn(undefined, { viewport: { width: 1240, height: 780 } })
  await page.mouse.move(0, 0)
  await openRoute(page, 'queue?kind=profile')
  await page.getByRole('heading', { name: 'Olly Outsider' }).waitFor()
  await page.keyboard.press('a')
  await page.getByRole('heading', { name: /selected$/ }).waitFor()
  await requestsAnswered(page)
  await takePicture(page, 'console-selected')
  await openRoute(page, 'overview')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('xenia')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
  await requestsAnswered(page)
  await takePicture(page, 'console-search')
  await page.keyboard.press('Escape')
  await openRoute(page, 'customers/15?tab=timeline')
  await page.getByRole('link', { name: 'Timeline' }).waitFor()
  await requestsAnswered(page)
  await takePicture(page, 'console-customer')
})

test('pictures of the feed, a tip, a profile and a deposit', async () => {
  for (const [id, num, den] of [
    [80021, 7, 4],
    [80022, 9, 1],
    [80031, 8, 11],
  ])
    await service.operator('PATCH', `/operator/v1/outcomes/${id}`, { price: { num, den } })
  const page = await openApp(browser, service, 'Alice', PICTURED_PHONE)
  await requestsAnswered(page)
  await page.mouse.move(0, 0)
  await takePicture(page, 'app-feed')
  await openRoute(page, 'tips/18')
  await page.getByRole('article').getByText('shorter', { exact: true }).waitFor()
  await requestsAnswered(page)
  await page.mouse.move(0, 0)
  await takePicture(page, 'app-tip')
  await openRoute(page, 'profiles/21')
  await page.getByRole('img', { name: /points from/ }).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await requestsAnswered(page)
  await page.mouse.move(0, 0)
  await takePicture(page, 'app-profile')
  await openRoute(page, 'wallet')
  await page.emulateMedia({ colorScheme: 'light' })
  await switchTo(page, 'Bob')
  await page.getByText('Not enough money', { exact: true }).click()
  await page.getByRole('button', { name: 'Deposit £20.00' }).click()
  const fault = page.getByRole('alert').getByText('There is not enough money on the card')
  await fault.waitFor()
  await fault.evaluate('(element) => element.scrollIntoView({ block: "center" })')
  await requestsAnswered(page)
  await page.mouse.move(0, 0)
  await takePicture(page, 'app-deposit')
})

test('one scene: the feed on a laptop and a match on a phone, both as they move', async () => {
  await boardUpToDate(service)
  const started = new Date(Date.now() - 41 * 60_000).toISOString()
  await service.operator('PATCH', '/operator/v1/events/502', { startTime: started, score: '1 – 0', clock: '41’' })
  for (const [id, num, den] of [
    [80033, 4, 9],
    [80034, 16, 5],
    [80035, 7, 1],
    [80021, 7, 4],
  ])
    await service.operator('PATCH', `/operator/v1/outcomes/${id}`, { price: { num, den } })
  const laptop = await openApp(browser, service, 'Alice', { ...LAPTOP, reducedMotion: 'reduce' })
  await laptop.getByRole('region', { name: 'Best records' }).waitFor()
  const phone = await openApp(browser, service, 'Bob', PICTURED_PHONE)
  await openRoute(phone, 'events/502')
  await phone.getByText('41’').waitFor()
  await phone.getByRole('img', { name: /Match result/ }).waitFor()
  for (const page of [laptop, phone]) await requestsAnswered(page)
  await takeScene(laptop, await laptop.screenshot(), await phone.screenshot())
})

/** The phone stands in front of the laptop's window. */
async function takeScene(page: Page, laptop: Buffer, phone: Buffer): Promise<void> {
  const scene = await page.context().newPage()
  await scene.setViewportSize({ width: 1400, height: 900 })
  const address = (picture: Buffer) => `data:image/png;base64,${picture.toString('base64')}`
  await scene.setContent(`<style>
    body { margin: 0; height: 900px; background: linear-gradient(150deg, #0f3d2b, #0a6a45 60%, #5fb58d); }
    img { position: absolute; display: block; box-shadow: 0 1.5rem 4rem rgb(0 0 0 / 45%); }
    .laptop { top: 60px; left: 48px; width: 1180px; border-radius: 14px; }
    .phone { right: 48px; bottom: 40px; width: 320px; border: 9px solid #0b0f0d; border-radius: 40px; }
  </style><img class="laptop" src="${address(laptop)}"><img class="phone" src="${address(phone)}">`)
  mkdirSync(folder, { recursive: true })
  // Few colours: a third of the size.
  await sharp(await scene.screenshot())
    .png({ palette: true, colours: 200, effort: 10 })
    .toFile(`${folder}scene.png`)
  taken.push('scene.png')
  expect(statSync(`${folder}scene.png`).size).toBeLessThan(MAX)
}

test('the picture of the application with its drawer', async () => {
  const page = await openApp(browser, service, 'Alice', { ...LAPTOP, reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Requests and answers' }).click()
  await page.getByRole('button', { name: 'Like this tip' }).first().click()
  await requestsAnswered(page)
  await page.locator('details summary', { hasText: '/followings' }).click()
  await page.getByText('"whoCommunities"').waitFor()
  await requestsAnswered(page)
  await page.mouse.move(0, 0)
  await takePicture(page, 'app')
})

test('these are all the pictures of the documents', () => {
  const shown = readdirSync(new URL('../../docs/images/', import.meta.url)).filter((name) => name.endsWith('.png'))
  expect(shown.sort()).toEqual(taken.sort())
})
