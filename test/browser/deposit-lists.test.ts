// Filters of the list of deposits, its file, many deposits, and the overview's comparison.

import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { WINDOW } from '../../src/wallets/deposits/list-store.ts'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { type Json, useService } from '../harness/service.ts'
import { insertDeposits, newDepositor } from '../harness/wallets.ts'
import { openFilters, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const MANY = 10_000
const DAY_MS = 86_400_000
let many: { id: number; method: number }
let few: { id: number; method: number }

beforeAll(async () => {
  many = await newDepositor(service)
  few = await newDepositor(service, { number: '555555******4242' })
  const refused = `'DECLINED', 'insufficientFunds', null, null`
  await insertDeposits(service, many, MANY, `500 + i % 90, case when i = 7 then 'EUR' else 'GBP' end, ${refused}`)
  await insertDeposits(service, few, 3, `1000 * i, 'GBP', 'DECLINED', 'cv2Invalid', null, null`)
})

const rows = (page: Page) => page.getByRole('table', { name: 'Deposits' }).locator('tbody').getByRole('row')
const hashOf = (page: Page) => page.evaluate('location.hash')
const amounts = (page: Page) => rows(page).locator('[data-label="Amount"]').allTextContents()

test('filters are in the address, and combine', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'deposits')
  await openFilters(page)
  await page.getByLabel('Card, last four digits').fill('4242')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('Rows 1 to 3 of 3').waitFor()
  expect(await hashOf(page)).toBe('#/deposits?lastFour=4242')
  expect(await amounts(page)).toEqual(['30.00 GBP', '20.00 GBP', '10.00 GBP'])
  // Declined ones are no money.
  await page.getByText('3 shown: nothing deposited').waitFor()
  await saveScreenshot(page, 'deposits-filtered')

  // What is set stays visible.
  await openFilters(page)
  await page.getByLabel('Lowest amount').fill('15')
  await page.getByLabel('Reason').selectOption('Wrong security code')
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('Rows 1 to 2 of 2').waitFor()
  expect(await hashOf(page)).toBe('#/deposits?from=2020-01-01&minAmount=15&reason=24009&lastFour=4242')
  await page.getByRole('link', { name: 'From: 1 Jan 2020' }).waitFor()
  await openFilters(page)
  await page.getByLabel('To', { exact: true }).fill('2020-01-02')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('No matching deposits').waitFor()
  await page.goBack()
  await page.getByText('Rows 1 to 2 of 2').waitFor()
  await page.getByRole('link', { name: 'Clear' }).click()
  await page.getByText('Rows 1 to 50', { exact: true }).waitFor()
  expect(await rows(page).count()).toBe(50)

  await openRoute(page, 'deposits?lastFour=42')
  await page.getByRole('alert').getByText('lastFour').waitFor()
})

test('the file has every deposit that passes the filters', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'File reader'))
  await openRoute(page, `deposits?customerId=${few.id}&minAmount=20`)
  await rows(page).first().waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('deposits.csv')
  const read = parse(await text(await download.createReadStream()), { columns: true }) as Json[]
  expect(read.map(({ amount, customerId, lastFour, fault }) => [amount, customerId, lastFour, fault])).toEqual([
    ['30.00', `${few.id}`, '4242', '24009'],
    ['20.00', `${few.id}`, '4242', '24009'],
  ])
})

test('ten thousand deposits are shown page by page, and a rare one among them is found', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'deposits?state=DECLINED')
  for (const shown of ['Rows 1 to 50', 'Rows 51 to 100', 'Rows 101 to 150']) {
    await page.getByText(shown, { exact: true }).waitFor()
    expect(await rows(page).count()).toBe(50)
    await page.getByRole('button', { name: 'Next page' }).click()
  }
  expect(MANY).toBeGreaterThan(WINDOW)
  await openRoute(page, 'deposits?currency=EUR')
  await rows(page).first().waitFor()
  expect(await amounts(page)).toEqual(['5.07 EUR'])
  await page.getByRole('button', { name: 'Search further' }).click()
  await page.getByText('Row 1 of 1').waitFor()
})

test('a search that finds nothing for long says how far it went', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'deposits')
  await rows(page).first().waitFor()
  // The server looks at few deposits for each page.
  await page.route('**/operator/v1/deposits?currency=USD*', (route) =>
    route.fulfill({ json: { items: [], cursor: 'next', searchedUntil: '2026-03-14T15:09:26.535Z' } }),
  )
  await openRoute(page, 'deposits?currency=USD')
  await page.getByText('No matching deposits so far').waitFor()
  await page.getByText(/^Searched back to 14 Mar 2026/).waitFor()
  await page.unroute('**/operator/v1/deposits?currency=USD*')
  await page.route('**/operator/v1/deposits?currency=USD*', (route) =>
    route.fulfill({ json: { items: [], cursor: null, searchedUntil: null } }),
  )
  await page.getByRole('button', { name: 'Search further' }).click()
  await page.getByText('No matching deposits', { exact: true }).waitFor()
})

test('the list and its filters fit a phone', async () => {
  const page = await consoles.signedIn(undefined, PHONE)
  await openRoute(page, `deposits?lastFour=4242`)
  await rows(page).first().waitFor()
  await requestsAnswered(page)
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await saveScreenshot(page, 'deposits-filtered-phone')
})

test('the overview compares with the period before, and shows what waits', async () => {
  // 30.00 and what waits in these seven days, 20.00 in those before.
  const now = service.clock.now()
  for (const { daysAgo, amount } of [
    { daysAgo: 8, amount: 1000 },
    { daysAgo: 9, amount: 1000 },
    { daysAgo: 2, amount: 3000 },
  ]) {
    const payer = await newDepositor(service)
    await insertDeposits(service, payer, 1, `${amount}, 'SEK', 'CAPTURED', null, null, null`)
    await service.context.database.script(
      `update deposit set created_at = ${now - daysAgo * DAY_MS} where customer_id = ${payer.id}`,
    )
  }
  const waits = `'REVIEW', null, 'capture-refused', ${now - 3 * 3_600_000}`
  await insertDeposits(service, await newDepositor(service), 1, `4321, 'SEK', ${waits}`)
  const page = await consoles.signedIn()
  await openRoute(page, 'overview')
  await page.getByLabel('Period').selectOption('7 days')
  const figure = page
    .locator('figure')
    .filter({ has: page.getByRole('img', { name: 'Amount deposited, SEK per day' }) })
  const changes = figure.locator('figcaption p').last()
  await expect.poll(() => changes.textContent(), { timeout: 60_000 }).toMatch(/in the 7 days before$/)
  expect(await changes.textContent()).toBe('up 266.1% from 20.00 SEK in the 7 days before')
  const waiting = page.getByRole('list', { name: 'Waiting deposits' }).getByRole('listitem')
  expect(await waiting.first().textContent()).toBe('Deposits in review 1 oldest for 3 hours: 43.21 SEK')
  expect(await waiting.last().textContent()).toBe('Deposits waiting for capture 0')
  expect(await changes.locator('svg').isVisible()).toBe(true)
  await saveScreenshot(page, 'overview-comparison')
  await waiting.first().getByRole('link', { name: 'Deposits in review' }).click()
  await page.getByRole('heading', { level: 2, name: '43.21 SEK' }).waitFor()
})
