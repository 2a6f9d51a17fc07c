// The inbox of withdrawals: a money action is confirmed with amount and name, and can be taken back before it is sent.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import {
  APPROVE,
  anotherOperator,
  decideWithdrawal,
  reviewedWithdrawal,
  waitingWithdrawal,
} from '../harness/withdrawals.ts'

const service = useService({ REVIEW_AFTER_SECONDS: '60' })
const consoles = useBrowser(service)

const read = async (id: string) => (await service.operator('GET', `/operator/v1/withdrawals/${id}`)).body
const card = (page: Page, id: string) => page.getByRole('article', { name: `Withdrawal ${id}`, exact: true })
const tray = (page: Page) => page.getByRole('region', { name: 'Pending money' })

async function choose(page: Page, id: string, label: string, field?: [label: string, text: string]): Promise<void> {
  await card(page, id).getByRole('button', { name: label, exact: true }).click()
  if (field !== undefined) await page.getByRole('dialog').getByLabel(field[0]).fill(field[1])
  await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
}

/** Sends are 5 seconds late. */
const eventually = (look: () => Promise<unknown>) => expect.poll(look, { timeout: 60_000, interval: 100 })

test('an approval asks with amount and customer, can be undone, and is sent after 5 seconds', async () => {
  const { id, customer } = await waitingWithdrawal(service)
  await decideWithdrawal(service, id, APPROVE, { token: await anotherOperator(service) })
  const page = await consoles.signedIn()
  await page.getByRole('link', { name: 'Withdrawals' }).click()
  await card(page, id).getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('dialog', { name: `Approve 1200.00 GBP of customer ${customer.id}?` }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await tray(page).getByText('Sends in 5 seconds.').waitFor()
  await saveScreenshot(page, 'withdrawals')
  await tray(page).getByRole('button', { name: 'Undo' }).click()
  await tray(page).getByText('1200.00').waitFor({ state: 'detached' })
  expect((await read(id)).state).toBe('REQUESTED')
  await choose(page, id, 'Approve')
  expect((await read(id)).state).toBe('REQUESTED')
  await eventually(async () => (await read(id)).state).toBe('APPROVED')
  await card(page, id).waitFor({ state: 'detached' })
})

test('one that somebody else decided meanwhile is refused, and shown so', async () => {
  const { id } = await waitingWithdrawal(service)
  const page = await consoles.signedIn()
  await openRoute(page, 'withdrawals')
  await choose(page, id, 'Hold', ['Reason', 'Please send us a proof of your address.'])
  await eventually(async () => (await read(id)).holdReason).toBe('Please send us a proof of your address.')
  await card(page, id).getByRole('button', { name: 'Release', exact: true }).waitFor()
  await choose(page, id, 'Refuse', ['Reason', 'Not your card.'])
  await service.operator('POST', `/operator/v1/withdrawals/${id}/refusal`, { reason: 'First.' })
  await tray(page).getByText('Not done:').waitFor({ timeout: 60_000 })
  expect((await read(id)).holdReason).toBe('First.')
})

test('one without a result is resolved with a note; who leaves the page first has sent nothing', async () => {
  const { id } = await reviewedWithdrawal(service)
  const page = await consoles.signedIn()
  await openRoute(page, 'withdrawals?state=REVIEW')
  await choose(page, id, 'Returned', ['Note', 'The bank has no such payment'])
  await openRoute(page, 'ledger')
  await page.getByText('Taken back, because you left the page').waitFor()
  await openRoute(page, 'withdrawals?state=REVIEW')
  expect((await read(id)).state).toBe('REVIEW')
  await choose(page, id, 'Returned', ['Note', 'The bank has no such payment'])
  await eventually(async () => (await read(id)).state).toBe('RETURNED')
})

test('a withdrawal names its card, and has a page with its history, which the timeline leads to', async () => {
  const { id, customer } = await waitingWithdrawal(service)
  const page = await consoles.signedIn(undefined, PHONE)
  await openRoute(page, `customers/${customer.id}?tab=timeline`)
  await page.getByRole('link', { name: /^Withdrawal of 1200\.00 GBP to VISA … 1111, now requested$/ }).click()
  await page.getByRole('heading', { level: 1, name: `Withdrawal ${id}` }).waitFor()
  await card(page, id).getByText('VISA … 1111 12/49').waitFor()
  await page.getByText('Requested', { exact: true }).last().waitFor()
  await requestsAnswered(page)
  expect(await overflowOf(page, 390)).toEqual({ page: 390, over: [] })
  await saveScreenshot(page, 'withdrawal-phone')
  await openRoute(page, 'withdrawals?state=all')
  await card(page, id).getByText('VISA … 1111').waitFor()
})
