// What a newcomer sees in the showcase: people with faces, teams and horses with colours, and 20 ranked tipsters.

import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openRoute, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { boardUpToDate, recordOf } from '../harness/records.ts'
import { type Json, useService } from '../harness/service.ts'
import { openApp, TICKETS, tipOf } from './app.ts'

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

const CUSTOMERS = 27

async function profileOf(id: number): Promise<Json> {
  const path = `/v1/profiles/${id}?communities=Y`
  const reply = await service.call('GET', path, { ticket: TICKETS.Alice, accept: 'application/json' })
  return reply.json().whoProfiles[0].profile
}

const named = (count: string, one: string, many: string) => `${count} ${count === '1' ? one : many}`

test('the numbers on the page of each of the 27 customers are those of the API, each under its own name', async () => {
  const page = await openApp(browser, service, 'Alice')
  const textOf = async (locator: Locator) => (await locator.innerText()).replaceAll(/\s+/g, ' ')
  for (let id = 1; id <= CUSTOMERS; id++) {
    const { name, numFollowers, numFollowings, communities } = await profileOf(id)
    const { numLive, numWinning } = communities.comments
    const { numSettled, numWon, numLost, numVoid } = await recordOf(service, id)
    await openRoute(page, `profiles/${id}`)
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    expect(await textOf(page.getByRole('list', { name: 'Counts' }))).toBe(
      [
        named(numFollowers, 'follower', 'followers'),
        `${numFollowings} following`,
        named(numLive, 'open tip', 'open tips'),
        named(numWinning, 'winning selection', 'winning selections'),
      ].join(' '),
    )
    const record = page.getByRole('region', { name: `Record of ${name}` })
    if (numSettled === '0') {
      await record.getByText('No settled tips yet').waitFor()
      continue
    }
    await record.getByText('losers included').waitFor()
    const text = await textOf(record)
    const won = named(`${Number(numWon) + Number(numLost)}`, 'tip', 'tips')
    expect(text).toContain(`${numWon} of ${won} made a profit${numVoid === '0' ? '' : `, ${numVoid} void`}`)
    expect(text).toContain(`${named(numSettled, 'tip', 'tips')} settled from`)
  }
})
