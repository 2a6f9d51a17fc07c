import { expect, test } from 'vitest'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { downloaded, openFilters, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

test('the audit trail has 50 rows a page, which keys turn, and goes to a date', async () => {
  for (let index = 0; index < 60; index++) {
    await service.operator('POST', '/operator/v1/applications', { name: `Audited ${index}` })
  }
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Reader'))
  await openRoute(page, 'audit')
  const rows = page.getByRole('row').filter({ hasText: /127\.0\.0\.1/ })
  await rows.first().waitFor()
  expect(await rows.count()).toBe(50)
  const created = rows.filter({ hasText: 'created application' })
  expect(await created.first().textContent()).toContain('bootstrap created application Audited 59')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  expect(await pages.getByRole('status').textContent()).toBe('Rows 1 to 50')
  await page.keyboard.press('n')
  await pages.getByText(/^Rows 51 to \d+ of \d+$/).waitFor()
  await page.getByText('bootstrap created application Audited 0').waitFor()
  expect(await page.getByText('Audited 59').count()).toBe(0)
  await openRoute(page, 'search')
  await page.goBack()
  await pages.getByText(/^Rows 51 to/).waitFor()
  await page.keyboard.press('p')
  await page.getByText('bootstrap created application Audited 59').waitFor()
  await page.getByLabel('Go to date').fill('2020-02-29')
  await pages.getByRole('button', { name: 'Go', exact: true }).click()
  await page.getByText('No matching entries').waitFor()
  expect(page.url()).toContain('#/audit?to=2020-02-29')
})

test('the chain is verified, and a broken one is explained', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Verifier'))
  await openRoute(page, 'audit')
  const verify = page.getByRole('button', { name: 'Verify the chain' })
  const result = page.getByRole('status', { name: 'Result of the check' })
  await verify.click()
  await result.getByText('The chain is whole').waitFor()
  const setActor = (actor: string) =>
    service.context.database.script(`update audit set actor = '${actor}' where id = 5`)
  await setActor('nobody at all')
  await verify.click()
  await result.getByText('Entry 5 or 6 was changed or inserted').waitFor()
  await saveScreenshot(page, 'audit-broken')
  await setActor('bootstrap')
  await verify.click()
  await result.getByText('The chain is whole').waitFor()
})

test('the transparency report is printed without menu and forms', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Publisher'))
  await openRoute(page, 'transparency?from=2026-03-01&to=2026-03-14')
  await page.getByText('Moderation from 1 March 2026 to 14 March 2026').waitFor()
  await page.evaluate('window.print = () => { window.printed = true }')
  await page.getByRole('button', { name: 'Print the report' }).click()
  expect(await page.evaluate('window.printed')).toBe(true)
  await page.emulateMedia({ media: 'print' })
  const visible = (selector: string) => page.locator(selector).filter({ visible: true }).count()
  expect([await visible('main h2'), await visible('main dl')]).toEqual([2, 1])
  expect([await visible('header nav a'), await visible('main form'), await visible('main button')]).toEqual([0, 0, 0])
  await saveScreenshot(page, 'transparency-print')
})

test('entries are sentences with their changes behind a click, filtered, and downloaded', async () => {
  const { id } = await service.customer()
  const path = `/operator/v1/customers/${id}`
  const ann = await tokenOf(service, 'accounts', 'ann')
  await service.operator('PUT', `${path}/status`, { status: 'suspended', reason: '=1+1' }, ann)
  await service.operator('PUT', path, { currency: 'EUR' })
  const page = await consoles.signedIn()
  await openRoute(page, 'audit')
  await openFilters(page)
  await page.getByLabel('Subject', { exact: true }).selectOption('customer')
  await page.getByLabel('Subject ID').fill(String(id))
  await page.getByRole('button', { name: 'Filter' }).click()
  const rows = page.getByRole('table', { name: 'Audit trail' }).locator('tbody').getByRole('row')
  await expect.poll(() => rows.count()).toBe(2)
  await openFilters(page)
  await page.getByLabel('Actor').fill('ann')
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2999-12-31')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  const sentence = `ann suspended customer ${id} (reason: =1+1)`
  await page.getByRole('cell', { name: sentence }).waitFor()
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
  await page.getByRole('cell', { name: sentence }).waitFor()
  expect(await page.getByLabel('Subject ID').inputValue()).toBe(String(id))
  await page.getByRole('link', { name: 'Clear' }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(4)
})

test('entries have words instead of codes', async () => {
  const [one, other] = [await service.customer({ username: 'named-one' }), await service.customer()]
  await tokenOf(service, 'cashier-lead', 'Lead of words')
  await service.operator('GET', `/operator/v1/names?customers=${other.id},${one.id}`)
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const tip = await newTip(service, await service.member(), outcome.id)
  await service.operator('POST', `/operator/v1/moderation/comments/${tip}`, { action: 'remove' })
  await service.operator('GET', '/operator/v1/moderation/queue?kind=comment')
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Reader of words'))
  await openRoute(page, 'audit')
  const entries = page.getByRole('table', { name: 'Audit trail' })
  await entries.getByText('created token Lead of words with the role Cashier lead').waitFor()
  await entries.getByText(`read the names of customers ${one.id} and ${other.id}`).waitFor()
  await entries.getByText('bootstrap read the review queue of tips').waitFor()
  await entries.getByRole('link', { name: `bootstrap removed tip ${tip}` }).waitFor()
  await saveScreenshot(page, 'audit-words')
  await entries.getByRole('link', { name: String(one.id), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'named-one' }).waitFor()
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
  await openFilters(page)
  await page.getByLabel('Subject ID').fill('')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('alert').getByText('a subject is a kind and an id').waitFor()
})

test('changes only is a switch of the trail, which the address has', async () => {
  const { id } = await service.member()
  await service.operator('PUT', `/operator/v1/customers/${id}`, { dailyDepositLimit: '10.00' })
  await service.operator('GET', `/operator/v1/customers/${id}`)
  const page = await consoles.signedIn()
  await openRoute(page, `audit?subjectKind=customer&subjectId=${id}`)
  const entries = page.getByRole('table', { name: 'Audit trail' })
  await entries.getByText(`read customer ${id}`).waitFor()
  await page.getByLabel('Changes only').click()
  await entries.getByText(`read customer ${id}`).waitFor({ state: 'detached' })
  await entries.getByText(`changed customer ${id}`).waitFor()
  expect(page.url()).toContain('changesOnly=true')
})
