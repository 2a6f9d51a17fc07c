import { expect, test, vi } from 'vitest'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { downloaded, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATIENCE = { timeout: 60_000, interval: 100 }

test('the audit trail goes back page by page, newest first', async () => {
  for (let index = 0; index < 30; index++) {
    await service.operator('POST', '/operator/v1/applications', { name: `Audited ${index}` })
  }
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Reader'))
  await openRoute(page, 'audit')
  const rows = page.getByRole('row').filter({ hasText: /127\.0\.0\.1/ })
  await rows.first().waitFor()
  expect(await rows.count()).toBe(25)
  const created = rows.filter({ hasText: 'created application' })
  expect(await created.first().textContent()).toContain('bootstrap created application Audited 29')
  await page.getByRole('button', { name: 'Load more' }).click()
  await vi.waitFor(async () => expect(await rows.count()).toBeGreaterThan(30), PATIENCE)
  expect(await page.getByText('bootstrap created application Audited 0').count()).toBe(1)
})

test('entries are sentences with their changes behind a click, filtered, and downloaded', async () => {
  const { id } = await service.customer()
  const path = `/operator/v1/customers/${id}`
  const ann = await tokenOf(service, 'accounts', 'ann')
  await service.operator('PUT', `${path}/status`, { status: 'suspended', reason: '=1+1' }, ann)
  await service.operator('PUT', path, { currency: 'EUR' })
  const page = await consoles.signedIn()
  await openRoute(page, 'audit')
  await page.getByLabel('Subject', { exact: true }).selectOption('customer')
  await page.getByLabel('Subject ID').fill(String(id))
  await page.getByRole('button', { name: 'Filter' }).click()
  const rows = page.getByRole('table', { name: 'Audit trail' }).locator('tbody').getByRole('row')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByLabel('Actor').fill('ann')
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2999-12-31')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  const sentence = `ann suspended customer ${id} (reason: =1+1)`
  await page.getByRole('rowheader', { name: sentence }).waitFor()
  const changes = page.getByRole('list', { name: 'Changes' })
  expect(await changes.isVisible()).toBe(false)
  await page.getByText('1 change', { exact: true }).click()
  expect(await changes.textContent()).toBe('status active to suspended')
  await saveScreenshot(page, 'audit')

  const lines = (await downloaded(page, 'Download CSV')).trimEnd().split('\r\n')
  expect([lines.length, lines[1]]).toEqual([
    2,
    expect.stringContaining(`,${sentence},setCustomerStatus,customer,${id},`),
  ])

  await page.getByRole('link', { name: sentence }).click()
  await page.getByRole('heading', { level: 1, name: `Customer ${id}` }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Audit trail' }).click()
  await page.getByRole('rowheader', { name: sentence }).waitFor()
  expect(await page.getByLabel('Subject ID').inputValue()).toBe(String(id))
  await page.getByRole('link', { name: 'Clear' }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(4)
})

test('on a phone the trail fits, and half a filter is explained', async () => {
  const { id } = await service.customer()
  await service.operator('PUT', `/operator/v1/customers/${id}`, { dailyDepositLimit: '20.00' })
  const page = await consoles.signedIn(undefined, PHONE)
  await openRoute(page, `audit?subjectKind=customer&subjectId=${id}`)
  await page.getByText('1 change', { exact: true }).click()
  await requestsAnswered(page)
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: 390, over: [] })
  await page.getByText('1 change', { exact: true }).scrollIntoViewIfNeeded()
  await saveScreenshot(page, 'audit-phone')
  await page.getByLabel('Subject ID').fill('')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('alert').getByText('a subject is a kind and an id').waitFor()
})
