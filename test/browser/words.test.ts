// The tester of words: what the rules say of a text, as it is typed.

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
import { useService } from '../harness/service.ts'
import { tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

test('a text is tried as it is typed, also with words that are not saved', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Words tester'), LAPTOP)
  await page.getByRole('link', { name: 'Words' }).click()
  const tester = page.getByRole('region', { name: 'Try a text' })
  await tester.getByLabel('Text').fill('What a zyzzyva, f**k it')
  await tester.locator('mark').getByText('f**k', { exact: true }).waitFor()
  expect(await tester.locator('mark').count()).toBe(1)
  await tester.getByText('What a zyzzyva, **** it').waitFor()

  await page.getByLabel('Blocked').fill('zyzzyva')
  await tester.locator('mark').getByText('zyzzyva', { exact: true }).waitFor()
  const row = tester.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'zyzzyva', exact: true }) })
  await row.getByText('blocked', { exact: true }).waitFor()
  await saveScreenshot(page, 'words-tester')

  await tester.getByLabel('Text').fill('A fine day')
  await tester.getByText('accepted').waitFor()
  await tester.getByLabel('As').selectOption('profile name')
  await tester.getByLabel('Text').fill('x'.repeat(31))
  await tester.getByText('10071').waitFor()
  await requestsAnswered(page)
  expect(await overflowOf(page, LAPTOP.viewport.width)).toEqual({ page: LAPTOP.viewport.width, over: [] })
})

test('the tester fits a phone', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'admin', 'Words on a phone'), PHONE)
  await openRoute(page, 'words')
  const tester = page.getByRole('region', { name: 'Try a text' })
  await tester.getByLabel('Text').fill('oh fuck')
  await tester.getByText('the word itself').waitFor()
  await tester.scrollIntoViewIfNeeded()
  await saveScreenshot(page, 'words-tester-phone')
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
})

test('an auditor, who may change nothing, is not offered it', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Words reader'), LAPTOP)
  await openRoute(page, 'words')
  await page.getByLabel('Blocked').waitFor()
  expect(await page.getByRole('region', { name: 'Try a text' }).count()).toBe(0)
})
