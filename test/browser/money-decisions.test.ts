// What two persons decide about money in the console: the first proposes, the second confirms, and both see it. And what the gateway said
// that was not applied.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openRoute, useBrowser } from '../harness/browser.ts'
import {
  captured,
  debtor,
  disputed,
  moneyOf,
  refundStates,
  spend,
  tell,
  unappliedNotification,
  waitingRefund,
} from '../harness/refunds.ts'
import { type Json, useService } from '../harness/service.ts'
import { anotherOperator, player, win } from '../harness/withdrawals.ts'

const service = useService()
const consoles = useBrowser(service)

/** Sends are 5 seconds late. */
const SENT = { timeout: 60_000 }

const read = async (path: string): Promise<Json> => (await service.operator('GET', `/operator/v1${path}`)).body

async function confirm(page: Page, button: string, fields: Record<string, string> = {}): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
  await dialog.getByRole('button', { name: button, exact: true }).click()
}

const proposals = (page: Page) => page.getByRole('table', { name: 'Decisions that wait' })

test('a payment outside is recorded by one person and booked by another; the first cannot confirm it, but take it back', async () => {
  const customer = await service.customer()
  await win(service, customer, '75.00')
  const open = async (page: Page) => {
    await openRoute(page, 'queue')
    await openRoute(page, `customers/${customer.id}?tab=money`)
    await page.getByText('Record a payment to a bank account').click()
  }
  const record = async (page: Page) => {
    await page.getByLabel('Amount paid in GBP').fill('75.00')
    await page.getByLabel('Reference of the bank’s transfer').fill('FT-2026-42')
    await page.getByLabel('Proof').fill('Letter of the bank')
    await page.getByRole('button', { name: 'Record …' }).click()
    await confirm(page, 'Record')
  }
  const page = await consoles.signedIn()
  const other = await consoles.signedIn(await anotherOperator(service))
  await open(page)
  await record(page)
  await page.getByText(/proposes: 75\.00 GBP by FT-2026-42\./).waitFor(SENT)
  await openRoute(page, 'money-proposals')
  await proposals(page)
    .getByRole('row', {
      name: /A payment outside 75\.00 GBP by FT-2026-42 Letter of the bank .* Waits for a second person/,
    })
    .waitFor()
  await page.getByRole('button', { name: 'Take back the decision about a payment outside' }).click()
  await confirm(page, 'Take back')
  await page.getByText('Nothing waits for a second person.').waitFor()

  await open(page)
  await record(page)
  await page
    .getByText(/proposes: 75\.00 GBP by FT-2026-42\. Letter of the bank .* It waits for a second person\./)
    .waitFor(SENT)
  await openRoute(other, 'money-proposals')
  await proposals(other).getByText('Waits for you').waitFor()
  await proposals(other).getByRole('link', { name: 'A payment outside' }).click()
  await other.getByText(/proposes: 75\.00 GBP .* It takes effect when you decide the same\./).waitFor()
  await open(other)
  await record(other)
  await other.getByRole('table', { name: 'Latest withdrawals' }).getByText('Paid', { exact: true }).last().waitFor(SENT)
  expect(await moneyOf(service, customer)).toEqual([0n, 0n])
})

test('a debt is written off by two persons, who see each other’s decision', async () => {
  const customer = await debtor(service)
  const route = `customers/${customer.id}?tab=money`
  const [page, other] = [await consoles.signedIn(), await consoles.signedIn(await anotherOperator(service))]
  const writeOff = async (at: Page) => {
    await openRoute(at, route)
    const debt = at.getByRole('region', { name: 'Debt', exact: true })
    await debt.getByLabel('Reason').fill('The customer has died')
    await debt.getByRole('button', { name: 'Write off …' }).click()
    await confirm(at, 'Write off')
  }
  await writeOff(page)
  await page.getByText(/proposes: 20\.00 GBP\. .* It waits for a second person\./).waitFor(SENT)
  expect(await moneyOf(service, customer)).toEqual([0n, 2000n])
  await openRoute(other, route)
  await other
    .getByText(/proposes: 20\.00 GBP\. The customer has died .* It takes effect when you decide the same\./)
    .waitFor()
  await writeOff(other)
  await other.getByRole('region', { name: 'Debt', exact: true }).waitFor({ ...SENT, state: 'detached' })
  expect(await moneyOf(service, customer)).toEqual([0n, 0n])
})

test('that the account behind a card is closed is recorded by two persons', async () => {
  const customer = await player(service, { amount: '20.00' })
  const route = `customers/${customer.id}?tab=money`
  const [page, other] = [await consoles.signedIn(), await consoles.signedIn(await anotherOperator(service))]
  await openRoute(page, route)
  const cards = page.getByRole('table', { name: 'Cards' })
  await cards.getByRole('button', { name: /^Account closed/ }).click()
  await confirm(page, 'Record', { Proof: 'Letter of the bank' })
  await cards.getByText(/proposes: the account behind it is closed\. .* It waits for a second person\./).waitFor()
  expect(await cards.getByRole('button').allInnerTexts()).toEqual(['Close …'])
  await openRoute(other, route)
  await other.getByRole('button', { name: /^Account closed/ }).click()
  await confirm(other, 'Confirm', { Proof: 'I have read the letter' })
  await other.getByRole('table', { name: 'Cards' }).getByText('Account closed').first().waitFor()
  const closedAt = async () => (await read(`/customers/${customer.id}/payment-methods`)).items[0].accountClosedAt
  await expect.poll(closedAt).toMatch(/^20/)
})

test('a dispute shows its steps and the house’s part, and is ended by two persons', async () => {
  const { id, paymentId } = await captured(service)
  await tell(service, paymentId, 'NOTIFICATION_OF_CHARGEBACK')
  await tell(service, paymentId, 'CHARGEBACK', '25.00')
  await tell(service, paymentId, 'CHARGEBACK_REVERSED', '2.00')
  const [page, other] = [await consoles.signedIn(), await consoles.signedIn(await anotherOperator(service))]
  for (const at of [page, other]) await openRoute(at, `deposits/${paymentId}`)
  const table = (at: Page) => at.getByRole('table', { name: 'Disputes' })
  await table(page).getByText('20.00 of 23.00 charged; the house’s part 3.00').waitFor()
  const steps = await table(page).getByRole('list', { name: 'Steps' }).getByRole('listitem').allInnerTexts()
  expect(steps.map((text) => text.replace(/(\.\d\d) .*/, '$1'))).toEqual([
    'Chargeback announced 20.00',
    'Charged back 25.00',
    'Returned by the bank 2.00',
  ])
  await table(page)
    .getByRole('button', { name: /^End the dispute/ })
    .click()
  await confirm(page, 'End', { Note: 'The bank has closed the case' })
  await table(page).getByText('It waits for a second person.').waitFor()
  expect(await table(page).getByRole('button').count()).toBe(0)
  await openRoute(other, `customers/${id}?tab=money`)
  await table(other)
    .getByRole('button', { name: /^Confirm the end/ })
    .click()
  await confirm(other, 'Confirm the end', { Note: 'I have asked the bank' })
  await table(other)
    .getByText(/The bank has closed the case|I have asked the bank/)
    .waitFor()
  expect((await read(`/disputes?paymentId=${paymentId}`)).items[0].endedAt).toMatch(/^20/)
})

test('a refund is offered for approval to others than who requested it', async () => {
  const refundId = await waitingRefund(service)
  const own = await captured(service, 'sandbox:approve', '1500.00')
  const body = { amount: '1300.00', reason: 'asked for it' }
  expect((await service.operator('POST', `/operator/v1/deposits/${own.paymentId}/refunds`, body)).status).toBe(201)
  const page = await consoles.signedIn()
  await openRoute(page, 'refunds?show=another')
  const rows = page.getByRole('table', { name: 'Refunds' }).locator('tbody tr')
  await rows.getByText('Waits for a second person').waitFor()
  expect(await rows.getByRole('button', { name: /^(?!Copy)/ }).allInnerTexts()).toEqual(['Refuse …'])
  await openRoute(page, 'refunds')
  await rows.getByText('Waits for you').waitFor()
  expect(await rows.getByRole('button', { name: /^(?!Copy)/ }).allInnerTexts()).toEqual(['Approve …', 'Refuse …'])
  await rows.getByRole('button', { name: 'Approve …' }).click()
  await confirm(page, 'Approve')
  await page.getByText('No refund waits for you.').waitFor(SENT)
  const { items } = await read('/refunds?limit=50')
  expect(items.find(({ id }: Json) => id === refundId).needsApproval).toBe(false)
  expect(await refundStates(service, own.paymentId)).toEqual(['REQUESTED'])
})

test('a notification that contradicts our books is counted in the menu, said in words, and settled with a note', async () => {
  const { paymentId, disputeId } = await disputed(service)
  await tell(service, paymentId, 'CHARGEBACK_REVERSED', '5.00')
  const id = await unappliedNotification(service)
  const { waiting } = await read('/notifications/unapplied')
  const page = await consoles.signedIn()
  const menu = page.getByRole('navigation', { name: 'Console' })
  await menu.getByRole('listitem').filter({ hasText: 'Unapplied' }).getByText(`${waiting} waiting`).waitFor()
  await menu.getByRole('link', { name: 'Unapplied' }).click()
  const one = page.getByRole('article', { name: `notification ${id}` })
  await one.getByText('A refund failed or was reversed that is not among ours.').waitFor()
  await one.getByRole('heading', { name: 'Refund failed 20.00 GBP' }).waitFor()
  await page.getByRole('link', { name: `dispute ${disputeId}` }).waitFor()
  await one.getByRole('button', { name: `Settle notification ${id}` }).click()
  await confirm(page, 'Settle', { Note: 'The gateway has corrected it' })
  await one.waitFor({ state: 'detached' })
  await menu
    .getByRole('listitem')
    .filter({ hasText: 'Unapplied' })
    .getByText(`${waiting - 1} waiting`)
    .waitFor()
})

test('the balance of an excluded customer is listed, and leads to where it is paid out', async () => {
  const customer = await player(service, { amount: '20.00' })
  await service.operator('PUT', `/operator/v1/customers/${customer.id}/status`, {
    status: 'self-excluded',
    reason: 'Asked by telephone',
  })
  const page = await consoles.signedIn()
  await openRoute(page, 'balances-to-pay')
  const row = page.getByRole('row', { name: new RegExp(`^Customer ${customer.id} .*20\\.00 GBP`) })
  await row.getByRole('link', { name: `Money of Customer ${customer.id}` }).click()
  await page.getByText('20.00 GBP of the balance of 20.00 GBP may go out now.').waitFor()
  expect(await spend(service, customer.id, '1.00')).toBe(false)
})
