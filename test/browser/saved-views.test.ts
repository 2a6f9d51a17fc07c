import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

const viewsOn = (page: Page) => page.getByRole('navigation', { name: 'Saved views' })

async function save(page: Page, name: string, shared: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Save view …' }).click()
  await page.getByLabel('Name of the view').fill(name)
  if (shared) await page.getByLabel('Share with all operators').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await viewsOn(page).getByRole('link', { name }).waitFor()
}

test('filters are saved as a view, shared by its link, opened and deleted', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'admin', 'viewer'))
  await openRoute(page, 'deposits?state=DECLINED')
  await save(page, 'Declined', true)
  await openRoute(page, 'deposits?state=REVIEW')
  await save(page, 'Mine', false)
  expect(await viewsOn(page).locator('[aria-current]').textContent()).toBe('Mine')
  await saveScreenshot(page, 'saved-views')

  const other = await consoles.signedIn(await tokenOf(service, 'admin', 'other'), PHONE)
  await openRoute(other, 'deposits')
  await viewsOn(other).getByRole('link', { name: 'Declined' }).tap()
  await expect.poll(() => other.getByLabel('State').inputValue()).toBe('DECLINED')
  expect(await viewsOn(other).getByRole('link').allTextContents()).toEqual(['Declined'])
  await requestsAnswered(other)
  expect(await overflowOf(other, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await openRoute(other, 'audit')
  await other.getByRole('button', { name: 'Save view …' }).waitFor()
  expect(await viewsOn(other).count()).toBe(0)

  await page.getByRole('button', { name: 'Delete view …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  await viewsOn(page).getByRole('link', { name: 'Mine' }).waitFor({ state: 'detached' })
  expect(await viewsOn(page).getByRole('link').allTextContents()).toEqual(['Declined'])
})
