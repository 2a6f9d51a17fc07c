// `npm run pictures -- --all`: every screen at three sizes, in test-output/pictures, to be looked at by a person. contact-1.png and so on
// show all of them small; index.html shows them beside each other.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { LAPTOP, openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { boardUpToDate } from '../harness/records.ts'
import { useService } from '../harness/service.ts'
import { APP_SCREENS, openApp } from './app.ts'
import { consoleScreens, seededSubjects } from './console-routes.ts'

const folder = new URL('../../test-output/pictures/', import.meta.url).pathname
const SIZES = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
]

const isAsked = process.env.ALL_PICTURES === '1'
const service = useService(isAsked ? { SANDBOX_SEED: 'on' } : {})
const browser = useBrowser(service)
const taken: string[] = []

async function takePictures(page: Page, name: string): Promise<void> {
  const file = name.replace(/\W+/g, '-').replace(/^-|-$/g, '')
  taken.push(file)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await requestsAnswered(page)
    await page.screenshot({ path: `${folder}${file}-${size.width}.png` })
  }
  await page.setViewportSize(LAPTOP.viewport)
}

async function visit(page: Page, route: string): Promise<void> {
  await openRoute(page, route)
  await page.locator('main h1').waitFor()
  await requestsAnswered(page)
}

const ON_A_SHEET = 30

/** The pictures of 1440 pixels, small, with their names. */
async function writeSheets(page: Page): Promise<void> {
  for (let first = 0; first < taken.length; first += ON_A_SHEET) {
    const cells = taken.slice(first, first + ON_A_SHEET).map(async (name) => {
      const picture = await sharp(readFileSync(`${folder}${name}-1440.png`))
        .resize(470)
        .png()
        .toBuffer()
      return `<figure>${name}<img src="data:image/png;base64,${picture.toString('base64')}"></figure>`
    })
    const style = 'body { display: grid; grid-template-columns: repeat(5, 470px); gap: 8px } figure { margin: 0 }'
    await page.setContent(`<style>${style}</style>${(await Promise.all(cells)).join('')}`)
    await page.screenshot({ path: `${folder}contact-${first / ON_A_SHEET + 1}.png`, fullPage: true })
  }
  const pictures = (name: string) => SIZES.map(({ width }) => `<img src="${name}-${width}.png" width="${width / 3}">`)
  const rows = taken.map((name) => `<h2>${name}</h2>${pictures(name).join(' ')}`)
  writeFileSync(`${folder}index.html`, `<!doctype html><title>Every screen</title>${rows.join('\n')}`)
}

test.runIf(isAsked)('every screen at three sizes', { timeout: 3_600_000 }, async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await boardUpToDate(service)
  const subjects = await seededSubjects(service)
  const wanted = new RegExp(process.env.PICTURES ?? '')
  const console = await browser.signedIn()
  for (const { route } of consoleScreens(subjects).filter((one) => wanted.test(`console ${one.route}`))) {
    await visit(console, route)
    await takePictures(console, `console ${route.replace(subjects.paymentId, 'id')}`)
  }
  const landing = await browser.openAt(`${service.publicUrl}/app/`, LAPTOP)
  await requestsAnswered(landing)
  if (wanted.test('app landing')) await takePictures(landing, 'app landing')
  const app = await openApp(browser, service, 'Alice', LAPTOP)
  for (const route of APP_SCREENS.filter((one) => wanted.test(`app ${one}`))) {
    await visit(app, route)
    await takePictures(app, `app ${route === '' ? 'feed' : route}`)
  }
  for (const address of [`${service.publicUrl}/docs/makeTransaction`, `${service.operatorUrl}/docs/listDeposits`]) {
    const name = `reference ${address.replace(/.*\//, '')}`
    if (wanted.test(name)) await takePictures(await browser.openAt(address, LAPTOP), name)
  }
  expect(taken).not.toEqual([])
  await writeSheets(
    await (
      await console
        .context()
        .browser()!
        .newContext({ viewport: { width: 2400, height: 1000 } })
    ).newPage(),
  )
})
