import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { writing } from '../../src/platform/database/database.ts'
import { openRoute, PHONE, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { addCard, deposit, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { openFilters, sectionOf, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATIENCE = { timeout: 60_000 }

const addToBalance = writing<{ customerId: number; amount: number }>(
  'addToBalanceOf',
  'update account set balance = balance + :amount where customer_id = :customerId',
)

/** A customer with one deposit on a card with this token, in this state. */
async function deposited(token: string, state: string) {
  const customer = await newDepositor(service, { token })
  await deposit(service, { ...customer, amount: '12.34' })
  await sweepUntil(service, customer.id, [state])
  const { items } = (await service.operator('GET', `/operator/v1/deposits?customerId=${customer.id}`)).body
  return { ...customer, paymentId: items[0].paymentId as string }
}

async function depositNow(paymentId: string): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body
}

const rows = (page: Page) => page.getByRole('table', { name: 'Deposits' }).locator('tbody').getByRole('row')

test('deposits are listed with their states, and filtered by state and customer', async () => {
  const paid = await deposited('sandbox:approve', 'CAPTURED')
  const refused = await deposited('sandbox:insufficient-funds', 'DECLINED')
  const page = await consoles.signedIn()
  await page.getByRole('link', { name: 'Deposits' }).click()
  await page.getByRole('row', { name: paid.paymentId }).waitFor()
  const rowText = async (one: typeof paid) => await page.getByRole('row', { name: one.paymentId }).textContent()
  expect(await rowText(paid)).toMatch(new RegExp(`Customer ${paid.id}.*12.34 GBPVISA … 1111 12/49Captured `))
  expect(await rowText(refused)).toMatch(
    new RegExp(`Customer ${refused.id}.*12.34 GBPVISA … 1111 12/49Declined Not enough money`),
  )
  await saveScreenshot(page, 'deposits')

  await openFilters(page)
  await page.getByLabel('State').selectOption('DECLINED')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('row', { name: paid.paymentId }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: refused.paymentId }).waitFor()
  await openFilters(page)
  await page.getByLabel('Customer ID').fill(String(paid.id))
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('No matching deposits').waitFor()
  await openFilters(page)
  await page.getByLabel('State').selectOption('Any')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('row', { name: paid.paymentId }).waitFor()
  expect(await rows(page).count()).toBe(1)

  await openFilters(page)
  await page.getByLabel('Customer ID').fill('someone')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('alert').getByText('customerId').waitFor()
})

test('the list is loaded page by page', async () => {
  const { id, ticket, method } = await newDepositor(service)
  for (let turn = 0; turn < 52; turn++) await deposit(service, { ticket, method, amount: '5.00' })
  const page = await consoles.signedIn()
  await openRoute(page, `deposits?customerId=${id}`)
  await rows(page).first().waitFor()
  expect(await rows(page).count()).toBe(50)
  const ids = () =>
    rows(page)
      .getByRole('button', { name: 'Copy' })
      .evaluateAll((all) => all.map(({ title }) => title))
  const first = (await ids()).filter((title) => /-/.test(title))
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('Rows 51 to 52 of 52').waitFor()
  expect(new Set([...first, ...(await ids()).filter((title) => /-/.test(title))]).size).toBe(52)
})

test('a deposit shows its trail, in order, and leads to its customer', async () => {
  const { id, paymentId } = await deposited('sandbox:approve', 'CAPTURED')
  const page = await consoles.signedIn()
  await openRoute(page, `deposits?customerId=${id}`)
  await page.getByRole('row', { name: paymentId }).getByRole('link', { name: '12.34 GBP' }).click()
  await page.getByRole('heading', { name: '12.34 GBP' }).waitFor()
  const { events } = await depositNow(paymentId)
  expect(events.length).toBeGreaterThan(1)
  expect(await sectionOf(page, 'Event history').locator('li strong').allTextContents()).toEqual(
    events.map(({ event }: Json) => event.charAt(0).toUpperCase() + event.slice(1)),
  )
  expect(await page.getByRole('button', { name: 'Resolve' }).count()).toBe(0)
  await saveScreenshot(page, 'deposit')
  await page.getByRole('link', { name: `Customer ${id}` }).click()
  await page.getByRole('heading', { level: 1, name: `Customer ${id}` }).waitFor()
})

test.each([
  { outcome: 'Captured', state: 'CAPTURED' },
  { outcome: 'Voided', state: 'VOIDED' },
])('a deposit whose capture was refused is resolved by hand: $outcome', async ({ outcome, state }) => {
  const { paymentId } = await deposited('sandbox:capture-refused', 'REVIEW')
  const page = await consoles.signedIn()
  await openRoute(page, 'deposits?state=REVIEW')
  await page.getByRole('row', { name: paymentId }).getByRole('link', { name: '12.34 GBP' }).click()
  const resolve = page.getByRole('button', { name: 'Resolve …' })
  await resolve.click()
  // Neither an outcome nor a note is given: nothing is sent.
  expect((await depositNow(paymentId)).state).toBe('REVIEW')
  await page.getByRole('radio', { name: new RegExp(`^${outcome}`) }).check()
  await page.getByLabel('Note').fill(`saw it ${state.toLowerCase()}`)
  await saveScreenshot(page, 'deposit-review')
  await resolve.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await page.locator('.card .badge').getByText(state).waitFor()
  await resolve.waitFor({ state: 'detached' })
  const now = await depositNow(paymentId)
  expect([now.state, now.events.at(-1).event]).toEqual([state, 'resolved'])
  const last = await sectionOf(page, 'Event history').getByRole('listitem').last().textContent()
  expect(last).toContain(`note: saw it ${state.toLowerCase()}, by: bootstrap`)
})

test('a deposit that somebody else resolved is reported, not resolved again', async () => {
  const { paymentId } = await deposited('sandbox:capture-refused', 'REVIEW')
  const page = await consoles.signedIn()
  await openRoute(page, `deposits/${paymentId}`)
  await page.getByRole('radio', { name: /^Voided/ }).check()
  await page.getByLabel('Note').fill('too late')
  const path = `/operator/v1/deposits/${paymentId}/resolution`
  await service.operator('POST', path, { outcome: 'captured', note: 'first' })
  await page.getByRole('button', { name: 'Resolve …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await page.getByRole('alert').getByText('Only a deposit in state REVIEW can be decided.').waitFor()
  expect((await depositNow(paymentId)).state).toBe('CAPTURED')
})

test('the ledger is checked on request: balanced, and differences are listed', async () => {
  const { id } = await deposited('sandbox:approve', 'CAPTURED')
  const page = await consoles.signedIn()
  await page.getByRole('link', { name: 'Ledger' }).click()
  const check = page.getByRole('button', { name: 'Check now' })
  await check.click()
  await page.getByRole('heading', { name: 'Balanced', exact: true }).waitFor()
  expect(await page.getByRole('region', { name: 'Result' }).textContent()).toContain('0 problems')
  const { accounts } = (await service.operator('GET', '/operator/v1/ledger/check')).body
  const shown = page.getByRole('table', { name: 'Accounts' }).locator('tbody').getByRole('row')
  await expect.poll(() => shown.count()).toBe(accounts.length)
  expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Account', 'Currency', 'Total'])
  await saveScreenshot(page, 'ledger')

  await service.context.database.run(addToBalance, { customerId: id, amount: 1 })
  await check.click()
  await page.getByRole('heading', { name: 'Not balanced' }).waitFor()
  await page.getByText('has the balance 12.35, but its transfers add up to 12.34').waitFor()
  await service.context.database.run(addToBalance, { customerId: id, amount: -1 })
  await check.click()
  await page.getByRole('heading', { name: 'Balanced', exact: true }).waitFor()
})

test('the overview shows money beside counts: amounts, the approval rate, and refusals by reason in one chart', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const [author, fan, other] = [await service.member(), await service.member(), await service.member()]
  const tip = await newTip(service, author, outcome.id)
  await service.call('POST', `/v1/communities/comments/${tip}/like`, { ticket: fan.ticket })
  const pay = async ({ id, ticket }: { id: number; ticket: string }, token: string, amount = '10.00') =>
    deposit(service, { ticket, amount, method: await addCard(service, { id, ticket }, { token }) })
  await pay(author, 'sandbox:insufficient-funds')
  await pay(other, 'sandbox:decline')
  await pay(fan, 'sandbox:approve', '987.65')
  const { series } = (await service.operator('GET', '/operator/v1/statistics')).body
  const money = (await service.operator('GET', '/operator/v1/statistics/money')).body
  const page = await consoles.signedIn()
  await page.getByRole('link', { name: 'Overview' }).click()
  const figure = (title: string) =>
    page.locator('figure').filter({ has: page.getByRole('img', { name: `${title} per day` }) })
  const lastBar = (title: string) => figure(title).locator('svg[role=img] rect[data-bar]').last().getAttribute('height')
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  for (const name of ['tips', 'likes']) {
    const { title, counts } = series.find((one: Json) => one.name === name)
    await figure(title).waitFor()
    await expect
      .poll(() => figure(title).locator('figcaption strong').textContent(), PATIENCE)
      .toBe(String(sum(counts)))
    expect([name, await lastBar(title)]).toEqual([name, expect.not.stringMatching(/^0$/)])
  }

  const pounds = Number(money.amounts[0].amounts.at(-1))
  expect(pounds).toBeGreaterThanOrEqual(987.65)
  const amount = figure('Amount deposited, GBP')
  expect(await amount.locator('figcaption strong').textContent()).toBe(
    `${pounds.toLocaleString('en-GB', { minimumFractionDigits: 2 })} GBP`,
  )
  const rate = (100 * sum(money.approved)) / (sum(money.approved) + sum(money.refused))
  expect(await figure('Approval rate').locator('figcaption strong').textContent()).toBe(
    `${Math.round(rate * 10) / 10}%`,
  )
  const refusals = figure('Refusals by reason')
  expect(await refusals.locator('figcaption strong').textContent()).toBe(String(sum(money.refused)))
  const legend = await refusals.getByRole('listitem').allTextContents()
  // As in the list of deposits and its filter.
  expect(legend.join()).not.toMatch(/\d{5}/)
  expect(legend.join()).toMatch(/Not enough money \d/)
  expect(legend.length).toBeGreaterThanOrEqual(2)
  const today = refusals.locator('svg[role=img] g').last().locator('rect[data-bar]')
  expect(await today.count()).toBe(legend.length)
  const [low, high] = [await today.first().boundingBox(), await today.last().boundingBox()]
  expect((high?.y ?? 0) + (high?.height ?? 0)).toBeLessThanOrEqual((low?.y ?? 0) + 1)
  await saveScreenshot(page, 'overview-money')
  await page.setViewportSize(PHONE.viewport)
  await refusals.scrollIntoViewIfNeeded()
  await saveScreenshot(page, 'overview-refusals-phone')
})

test('the overview and the ledger show the result of the last check', async () => {
  const { id } = await deposited('sandbox:approve', 'CAPTURED')
  const page = await consoles.signedIn()
  await openRoute(page, 'overview')
  const state = page.getByRole('paragraph').filter({ hasText: 'runs hourly' })
  await expect.poll(() => state.textContent(), PATIENCE).toMatch(/^Ledger Balanced last checked .*, runs hourly$/)
  await service.context.database.run(addToBalance, { customerId: id, amount: 1 })
  await service.context.ledgerChecks.run()
  await openRoute(page, 'ledger')
  await page.getByRole('heading', { name: 'Not balanced' }).waitFor()
  await page.getByText('has the balance 12.35, but its transfers add up to 12.34').waitFor()
  await openRoute(page, 'overview')
  await expect.poll(() => state.textContent(), PATIENCE).toContain('1 problem')
  await service.context.database.run(addToBalance, { customerId: id, amount: -1 })
  await service.context.ledgerChecks.run()
})

test('moderators see no money', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'No money'))
  await openRoute(page, 'overview')
  await page.getByRole('heading', { name: 'Community' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Money' }).count()).toBe(0)
  expect(await page.getByRole('paragraph').filter({ hasText: 'runs hourly' }).count()).toBe(0)
})

test('on a phone the reason is with the state, not below the title of the column', async () => {
  const { paymentId } = await deposited('sandbox:insufficient-funds', 'DECLINED')
  const page = await consoles.signedIn(undefined, PHONE)
  await openRoute(page, 'deposits')
  const refused = page.getByRole('row', { name: paymentId })
  const [state, reason] = [refused.getByText('Declined'), refused.locator('summary')]
  await reason.waitFor()
  expect((await reason.boundingBox())?.x).toBeGreaterThanOrEqual((await state.boundingBox())?.x ?? Number.NaN)
})

test('deposits, a deposit to resolve and the ledger fit a phone', async () => {
  const { paymentId } = await deposited('sandbox:capture-refused', 'REVIEW')
  const page = await consoles.signedIn(undefined, PHONE)
  for (const route of ['deposits', `deposits/${paymentId}`, 'ledger']) {
    await openRoute(page, route)
    if (route === 'ledger') await page.getByRole('button', { name: 'Check now' }).click()
    await page
      .getByText(route === 'ledger' ? /^0 problems/ : 'Needs review', { exact: true })
      .last()
      .waitFor()
    expect([route, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([route, true])
    await saveScreenshot(page, `${route.replace(paymentId, 'review').replace('/', '-')}-phone`)
  }
})
