// The screens for whoever runs the service: health, and the requests of applications.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  LAPTOP,
  openRoute,
  overflowOf,
  PHONE,
  requestsAnswered,
  saveScreenshot,
  useBrowser,
} from '../harness/browser.ts'
import { KEY, useService } from '../harness/service.ts'
import { flaggedProfiles, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

const rowOf = (page: Page, table: string, name: string) =>
  page
    .getByRole('table', { name: table, exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })

test('health says how the service is, and what to do about what is not well', async () => {
  await flaggedProfiles(service, 1, 'Health')
  await service.call('GET', '/v1/profiles/1000000')
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Health reader'))
  await page.getByRole('link', { name: 'Health', exact: true }).click()
  await rowOf(page, 'Checks', 'Database').getByText('Good', { exact: true }).waitFor()
  await rowOf(page, 'Queues', 'Flagged profiles').getByText('Good', { exact: true }).waitFor()
  await rowOf(page, 'Slowest operations', 'getProfile').waitFor()
  // Of one request, percentiles mean nothing.
  await rowOf(page, 'Slowest operations', 'getProfile').getByText('too few').first().waitFor()
  await rowOf(page, 'Queues', 'Withdrawals for approval or without a result').getByText('0', { exact: true }).waitFor()
  await rowOf(page, 'Processes', 'Main process').waitFor()
  expect(await page.getByText(/failed and \d+ refused of \d+ requests/).count()).toBe(1)

  // Refreshed by itself: the queue gets old while the page is open.
  service.clock.advance(8 * 86_400_000)
  await page.getByRole('heading', { name: 'Needs attention now' }).waitFor()
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.getByText('Somebody should work through the review queue of profiles.').waitFor()
  await rowOf(page, 'Queues', 'Flagged profiles').getByText('Critical', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await requestsAnswered(page)
  await saveScreenshot(page, 'health')
  expect(await overflowOf(page, LAPTOP.viewport.width)).toEqual({ page: LAPTOP.viewport.width, over: [] })
})

test('the checks of paddock doctor run when somebody asks', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Doctor reader'))
  await openRoute(page, 'health')
  await page.getByRole('button', { name: 'Run the checks' }).click()
  await rowOf(page, 'Settings and surroundings', 'Schema').getByText('It is that of this version.').waitFor()
  await rowOf(page, 'Settings and surroundings', 'Payment gateway').getByText('Good', { exact: true }).waitFor()
  const token = join(service.context.config.dataFolder, 'operator-token')
  writeFileSync(token, '', { mode: 0o644 })
  await page.getByRole('button', { name: 'Run the checks again' }).click()
  await rowOf(page, 'Settings and surroundings', 'Files').getByText(`chmod 600 ${token}`).waitFor()
  await requestsAnswered(page)
  await page.getByRole('button', { name: 'Pause' }).click()
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('region', { name: 'Settings and surroundings' }).scrollIntoViewIfNeeded()
      await saveScreenshot(page, `health-doctor-${theme}-${width}`)
      expect(await overflowOf(page, width)).toEqual({ page: width, over: [] })
    }
  }
})

test('health fits a phone', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'admin', 'Health on a phone'), PHONE)
  await openRoute(page, 'health')
  await page.getByRole('heading', { name: 'Queues' }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await requestsAnswered(page)
  await saveScreenshot(page, 'health-phone')
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
})

test('a moderator is not offered it', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'No health'), LAPTOP)
  await page.getByRole('link', { name: 'Tipsters' }).waitFor()
  expect(await page.getByRole('link', { name: 'Health', exact: true }).count()).toBe(0)
})

test('the requests of an application show what was sent and what each fault means', async () => {
  const { ticket } = await service.member()
  await service.call('GET', '/v1/profiles/me/followers?blockSize=0&blocksize=3', { ticket })
  await service.call('GET', '/v1/profiles/2000000')
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Request reader'))
  await page.getByRole('link', { name: 'Applications' }).click()
  await page.locator(`a[href="#/applications/${KEY}"]`).click()
  const table = page.getByRole('table', { name: 'Requests' })
  await table.getByText('GET /v1/profiles/me/followers?blockSize=0&…').waitFor()
  await table.getByText('Invalid request parameter').first().waitFor()
  await table.getByText('No profile found for id').first().waitFor()
  await page.getByLabel('Faults only').check()
  await requestsAnswered(page)
  expect(await table.getByText('200', { exact: true }).count()).toBe(0)
  await page.getByLabel('Operation').selectOption('getProfile')
  await requestsAnswered(page)
  expect(await table.getByText('getMyFollowers').count()).toBe(0)
  const before = await table.getByRole('row').count()
  await service.call('GET', '/v1/profiles/2000001')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(before + 1)
  await saveScreenshot(page, 'application-requests')
  expect(await overflowOf(page, LAPTOP.viewport.width)).toEqual({ page: LAPTOP.viewport.width, over: [] })
})

test('the requests of an application fit a phone', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'admin', 'Requests on a phone'), PHONE)
  await openRoute(page, `applications/${KEY}`)
  await page.getByRole('table', { name: 'Requests' }).waitFor()
  await requestsAnswered(page)
  await saveScreenshot(page, 'application-requests-phone')
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
})
