// What the console shows of a customer's own limits and exclusions, and the return addresses of applications.

import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import { changeLimit } from '../../src/wallets/limits/limits.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { violations } from '../harness/axe.ts'
import { openRoute, overflowOf, PHONE, useBrowser } from '../harness/browser.ts'
import { KEY, useService } from '../harness/service.ts'
import { tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

const returnAddresses = async (): Promise<string[]> => {
  const { items } = (await service.operator('GET', '/operator/v1/applications')).body
  return items.find(({ apiKey }: { apiKey: string }) => apiKey === KEY).returnAddresses
}

test('return addresses are changed in a form that says what is wrong, and only by those who may', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'applications')
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="#/applications/${KEY}"]`) })
  const change = row.getByRole('button', { name: /^Change return addresses of / })
  const field = row.getByLabel(/^Return addresses of /)
  await change.click()
  await field.fill('http://shop.example/cashier')
  await row.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('returnAddresses').waitFor()
  expect(await returnAddresses()).toEqual([])
  await field.fill('https://shop.example/cashier, http://localhost/')
  await row.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^The return addresses of .* are saved/).waitFor()
  await row.getByText('https://shop.example/cashier', { exact: true }).waitFor()
  expect(await returnAddresses()).toEqual(['https://shop.example/cashier', 'http://localhost/'])
  await change.click()
  await field.fill('')
  await row.getByRole('button', { name: 'Cancel' }).click()
  await row.getByText('https://shop.example/cashier', { exact: true }).waitFor()
  await change.click()
  await field.fill('')
  await row.getByRole('button', { name: 'Save' }).click()
  await row.getByText('none', { exact: true }).waitFor()
  expect(await returnAddresses()).toEqual([])

  const auditor = await consoles.signedIn(await tokenOf(service, 'auditor', 'looks on'))
  await openRoute(auditor, 'applications')
  await auditor.locator(`a[href="#/applications/${KEY}"]`).waitFor()
  expect(await auditor.getByRole('button', { name: /^Change return addresses/ }).count()).toBe(0)
})

test('a customer’s own limits are shown with what is requested, and in the timeline; nothing changes them', async () => {
  const { id } = await service.customer()
  await changeLimit(service.context, id, 'day', 5_000n)
  await changeLimit(service.context, id, 'day', 8_000n)
  await changeLimit(service.context, id, 'month', 20_000n)
  await changeLimit(service.context, id, 'month', null)
  const page = await consoles.signedIn(undefined, PHONE)
  await openRoute(page, `customers/${id}`)
  const section = page.getByRole('region', { name: 'Set by the customer' })
  const rows = section.getByRole('table').locator('tbody').getByRole('row')
  await rows.first().waitFor()
  const texts = await rows.allInnerTexts()
  expect(texts[0]).toMatch(/^day\s+50\.00\s+0\.00\s+50\.00[\s\S]*80\.00, to be confirmed from/)
  expect(texts[1]).toMatch(/^month\s+200\.00[\s\S]*no limit, to be confirmed from/)
  expect(await section.getByRole('button').count()).toBe(0)
  expect((await overflowOf(page, PHONE.viewport.width)).page).toBe(PHONE.viewport.width)
  expect(await violations(page)).toEqual([])
  await openRoute(page, `customers/${id}?tab=timeline`)
  await page.getByText('Requested a limit of 80.00 for each day; 50.00 stays in force').waitFor()
  await page.getByText('Requested no limit for each month; 200.00 stays in force').waitFor()
})

test('an exclusion is shown; only after its end the request to return is recorded', async () => {
  const [current, ended] = [await service.customer(), await service.customer()]
  const page = await consoles.signedIn()
  await excludeCustomer(service.context, current.id, 'self-exclusion', (now) => now + 200 * DAY_MS)
  await openRoute(page, `customers/${current.id}`)
  const section = page.getByRole('region', { name: 'Set by the customer' })
  await section.getByText('Nobody can shorten it.').waitFor()
  expect(await section.getByRole('button').count()).toBe(0)

  const past = { ...service.context, now: () => service.context.now() - 200 * DAY_MS }
  await excludeCustomer(past, ended.id, 'self-exclusion', (now) => now + 190 * DAY_MS)
  await openRoute(page, `customers/${ended.id}`)
  await section.getByLabel('How the customer has requested to return').fill('By phone, on Monday')
  await section.getByRole('button', { name: 'Record the request' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Record the request' }).click()
  await section.getByText('The customer has requested to return, and may log in from').waitFor()
  const { exclusion } = (await service.operator('GET', `/operator/v1/customers/${ended.id}`)).body
  expect(exclusion.returnsAt).not.toBeNull()
})
