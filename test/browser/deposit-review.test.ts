// The inbox of deposits that need manual review, and the gateway's view beside ours.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { type Json, useService } from '../harness/service.ts'
import { deposit, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { tokenOf } from './fixtures.ts'

const service = useService({ RESOLUTION_FOUR_EYES_ABOVE: '50.00' })
const consoles = useBrowser(service)
type Reviewed = { id: number; paymentId: string; amount: string }

async function inReview(amount: string): Promise<Reviewed> {
  const payer = await newDepositor(service, { token: 'sandbox:capture-refused' })
  const { paymentId } = (await deposit(service, { ...payer, amount })).json().whoWallets
  await sweepUntil(service, payer.id, ['REVIEW'])
  service.clock.advance(60_000)
  return { id: payer.id, paymentId, amount }
}

const inbox = async (): Promise<Json[]> => (await service.operator('GET', '/operator/v1/deposit-review')).body.items
const stateOf = async (paymentId: string) =>
  (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body.state

beforeEach(async () => {
  for (const { paymentId } of await inbox())
    await service.operator('POST', `/operator/v1/deposits/${paymentId}/resolution`, { outcome: 'voided', note: 'n' })
})

const lines = (page: Page) => page.getByRole('list', { name: 'In the inbox' }).getByRole('listitem')
const card = (page: Page) => page.getByRole('article')
const shows = (page: Page, amount: string) =>
  page.getByRole('heading', { level: 2, name: `${amount} GBP`, exact: true }).waitFor()

const tray = (page: Page) => page.getByRole('region', { name: 'Pending money' })

/** What the form has is asked once more. */
async function confirm(page: Page, what: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `${what}?` })
  await dialog.getByRole('button', { name: 'Resolve' }).click()
}

test('from the longest waiting one to the next, with the keyboard, until the inbox is empty', async () => {
  const [first, second, third] = [await inReview('11.00'), await inReview('12.00'), await inReview('13.00')]
  const page = await consoles.signedIn()
  await page.getByRole('link', { name: 'Deposit review' }).click()
  await shows(page, '11.00')
  expect(await lines(page).locator('[data-name]').allTextContents()).toEqual(
    [first, second, third].map(({ amount, id }) => `${amount} GBP, Customer ${id}`),
  )
  expect(await lines(page).first().textContent()).toMatch(/capture refused, for \d+ minutes?|less than a minute/)
  await card(page).getByText('1 of 3').waitFor()
  await card(page)
    .getByRole('link', { name: String(first.id), exact: true })
    .waitFor()
  await card(page).getByRole('cell', { name: 'held' }).first().waitFor()
  await saveScreenshot(page, 'deposit-inbox')

  await page.keyboard.press('j')
  await shows(page, '12.00')
  await page.keyboard.press('k')
  await shows(page, '11.00')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await page.getByLabel('Note').fill('The bank shows it')
  await page.keyboard.press('Enter')
  await confirm(page, `Resolve 11.00 GBP of customer ${first.id} as captured`)
  // The next one opens by itself.
  await shows(page, '12.00')
  expect(await stateOf(first.paymentId)).toBe('REVIEW')
  await lines(page).first().getByText('captured').waitFor()
  expect(await stateOf(first.paymentId)).toBe('CAPTURED')

  await page.getByRole('radio', { name: /^Voided/ }).check()
  await page.getByLabel('Note').fill('Refunded')
  await page.getByRole('button', { name: 'Resolve …' }).click()
  await confirm(page, `Resolve 12.00 GBP of customer ${second.id} as voided`)
  await shows(page, '13.00')
  await lines(page).nth(1).getByText('voided').waitFor()
  expect(await stateOf(second.paymentId)).toBe('VOIDED')
  await page.getByRole('radio', { name: /^Captured/ }).check()
  await page.getByLabel('Note').fill('Taken')
  await page.getByRole('button', { name: 'Resolve …' }).click()
  await confirm(page, `Resolve 13.00 GBP of customer ${third.id} as captured`)
  await page.getByText('Resolved: captured.').waitFor()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('The inbox is empty.').waitFor()
})

test('one that somebody else resolved meanwhile is not resolved again', async () => {
  const { paymentId, id } = await inReview('14.00')
  const page = await consoles.signedIn()
  await openRoute(page, 'deposit-review')
  await shows(page, '14.00')
  await service.operator('POST', `/operator/v1/deposits/${paymentId}/resolution`, { outcome: 'captured', note: 'n' })
  await page.getByRole('radio', { name: /^Voided/ }).check()
  await page.getByLabel('Note').fill('too late')
  await page.getByRole('button', { name: 'Resolve …' }).click()
  await confirm(page, `Resolve 14.00 GBP of customer ${id} as voided`)
  await page.getByRole('alert').getByText('Only a deposit in state REVIEW can be decided.').waitFor()
  expect(await stateOf(paymentId)).toBe('CAPTURED')
})

test('a resolution is taken back; of a large amount it is a proposal, which another operator confirms', async () => {
  const { paymentId, id } = await inReview('50.01')
  const page = await consoles.signedIn()
  await openRoute(page, `deposits/${paymentId}`)
  const resolve = async (at: Page) => {
    await at.getByRole('radio', { name: /^Captured/ }).check()
    await at.getByLabel('Note').fill('The bank shows it')
    await at.getByRole('button', { name: 'Resolve …' }).click()
    await confirm(at, `Resolve 50.01 GBP of customer ${id} as captured`)
  }
  await resolve(page)
  await tray(page).getByRole('button', { name: 'Undo' }).click()
  await resolve(page)
  await page.getByText('proposes: captured.').waitFor()
  const { proposal } = (await service.operator('GET', `/operator/v1/deposits/${paymentId}`)).body
  expect([await stateOf(paymentId), proposal.outcome]).toEqual(['REVIEW', 'captured'])
  const other = await consoles.signedIn(await tokenOf(service, 'admin', 'Second pair of eyes'))
  await openRoute(other, `deposits/${paymentId}`)
  await other.getByText('proposes: captured.').waitFor()
  await saveScreenshot(other, 'deposit-proposal')
  await resolve(other)
  await expect.poll(() => stateOf(paymentId), { timeout: 60_000 }).toBe('CAPTURED')
  await other.getByRole('region', { name: 'Deposit', exact: true }).locator('.badge', { hasText: 'Captured' }).waitFor()
})

const side = (page: Page, row: string) =>
  page.getByRole('region', { name: 'At the gateway' }).getByRole('row').filter({ hasText: row })

test('what the gateway says otherwise is marked, and can be asked again', async () => {
  const { paymentId } = await inReview('15.00')
  const page = await consoles.signedIn()
  await openRoute(page, `deposits/${paymentId}`)
  // Debited again, and the gateway still holds it.
  await side(page, 'State').getByText('held').first().waitFor()
  expect(await page.getByText('differs').count()).toBe(1)
  const bank = new DatabaseSync(join(service.context.config.dataFolder, 'sandbox-gateway.db'))
  bank.prepare(`update payment set amount = '1499', state = 'captured' where reference = ?`).run(paymentId)
  bank.close()
  await page.getByRole('button', { name: 'Ask again' }).click()
  await side(page, 'Amount').getByText('differs').waitFor()
  expect(await side(page, 'Amount').textContent()).toBe('Amount15.0014.99 Differs')
  expect(await side(page, 'State').textContent()).toBe('Statefailedcaptured Differs')
  expect(await side(page, 'Currency').textContent()).toBe('CurrencyGBPGBP ')
  await saveScreenshot(page, 'deposit-gateway-differs')
})

test('a deposit that needs no review is compared on request', async () => {
  const payer = await newDepositor(service)
  const { paymentId } = (await deposit(service, payer)).json().whoWallets
  await sweepUntil(service, payer.id, ['CAPTURED'])
  const page = await consoles.signedIn()
  await openRoute(page, `deposits/${paymentId}`)
  await page.getByRole('button', { name: 'Compare with the gateway' }).click()
  await page.getByText('This is the gateway’s own record.').waitFor()
  expect(await page.getByText('differs').count()).toBe(0)
})

test('an auditor reads the inbox and decides nothing; on a phone one deposit is shown at a time', async () => {
  await inReview('16.00')
  await inReview('17.00')
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Inbox reader'), PHONE)
  await openRoute(page, 'deposit-review')
  await shows(page, '16.00')
  await page.getByText('You can look at this, but not decide').waitFor()
  expect(await page.getByRole('button', { name: 'Resolve' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Next' }).click()
  await shows(page, '17.00')
  await requestsAnswered(page)
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await saveScreenshot(page, 'deposit-inbox-phone')
})
