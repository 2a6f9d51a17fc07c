import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { addCard, deposit, newDepositor } from '../harness/wallets.ts'
import { openFilters, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

let suspended: number

beforeAll(async () => {
  for (const username of ['anna', 'berta', 'clara']) {
    const { id, ticket } = await service.customer({ username })
    await addCard(service, { id }, { country: username === 'anna' ? 'IE' : 'GB' })
    await service.call('PUT', `/v1/profiles/me?name=The+real+${username}`, { ticket })
    if (username !== 'berta') continue
    suspended = id
    const body = { status: 'suspended', reason: 'two accounts' }
    await service.operator('PUT', `/operator/v1/customers/${id}/status`, body)
    await service.operator('PUT', `/operator/v1/customers/${id}`, { verified: false })
  }
})

const rows = (page: Page) => page.getByRole('table', { name: 'Customers' }).locator('tbody').getByRole('row')

test('customers are found by filters that the address holds, saved as a view, and opened', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'accounts', 'cashier'))
  await page.getByRole('link', { name: 'Customers' }).click()
  await rows(page).first().waitFor()
  expect(await rows(page).first().textContent()).toContain('clara')
  await openFilters(page)
  await page.getByLabel('Status').selectOption('suspended')
  await page.getByLabel('Identity').selectOption('Not verified')
  await page.getByLabel('Registered').selectOption('In the last 7 days')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(() => rows(page).count()).toBe(1)
  expect(page.url()).toContain('#/customers?status=suspended&verified=false&newDays=7')
  expect(await rows(page).first().textContent()).toMatch(
    new RegExp(`berta${suspended}The real berta.*0\\.00 GBP.*Suspended.*Not verified.*GB`),
  )
  await page.getByRole('button', { name: 'Save view …' }).click()
  await page.getByLabel('Name of the view').fill('To check')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saveScreenshot(page, 'customers')
  await page.getByRole('link', { name: 'Without Identity: Not verified' }).click()
  await expect.poll(() => page.url()).toContain('#/customers?status=suspended&newDays=7')
  await page.getByRole('link', { name: 'Clear' }).click()
  await openFilters(page)
  await page.getByLabel('Country of a card').fill('ie')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('anna')])
  await page.getByRole('link', { name: 'To check' }).click()
  await page.getByRole('link', { name: 'berta' }).click()
  await page.getByRole('heading', { level: 1, name: 'berta' }).waitFor()
})

test('names lead, with ids beside them: in lists of money, in confirmations and in the audit trail', async () => {
  const payer = await newDepositor(service, { token: 'sandbox:approve' })
  await service.operator('PUT', `/operator/v1/customers/${payer.id}`, { username: 'paying-penny' })
  const paid = await deposit(service, { ...payer, amount: '12.50' })
  const page = await consoles.signedIn()
  await openRoute(page, 'deposits')
  await page.getByRole('cell', { name: `paying-penny Copy ${payer.id}` }).waitFor()
  await openRoute(page, `audit?subjectKind=customer&subjectId=${payer.id}`)
  await page.getByRole('cell', { name: /changed customer \d+.* paying-penny$/ }).waitFor()
  await openRoute(page, `deposits/${paid.json().whoWallets.paymentId}`)
  await page.getByRole('link', { name: 'paying-penny' }).waitFor()
})

test('on a phone the list fits, and a wrong filter is explained', async () => {
  const page = await consoles.signedIn(undefined, PHONE)
  await openRoute(page, 'customers?status=suspended')
  await rows(page).first().waitFor()
  await requestsAnswered(page)
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await saveScreenshot(page, 'customers-phone')
  await openRoute(page, 'customers?country=Ireland')
  await page.getByRole('alert').waitFor()
})
