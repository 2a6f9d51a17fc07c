// The inbox of withdrawals: a money action is confirmed with amount and name, and can be taken back before it is sent.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { deposit, paidOrFaultCode } from '../harness/wallets.ts'
import {
  APPROVE,
  anotherOperator,
  decideWithdrawal,
  player,
  reviewedWithdrawal,
  sweepUntilPaid,
  waitingWithdrawal,
  win,
  withdrawn,
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
  await openRoute(page, 'withdrawals?show=requested')
  await choose(page, id, 'Hold', ['Reason', 'Please send us a proof of your address.'])
  await eventually(async () => (await read(id)).holdReason).toBe('Please send us a proof of your address.')
  await card(page, id).getByText('An operator holds it: nobody can approve it until it is released.').waitFor()
  await card(page, id).getByRole('button', { name: 'Release', exact: true }).waitFor()
  await choose(page, id, 'Refuse', ['Reason', 'Not your card.'])
  await service.operator('POST', `/operator/v1/withdrawals/${id}/refusal`, { reason: 'First.' })
  await tray(page).getByText('Not done:').waitFor({ timeout: 60_000 })
  expect((await read(id)).holdReason).toBe('First.')
})

test('one without a result is resolved with a note; who leaves the page first has sent nothing', async () => {
  const { id } = await reviewedWithdrawal(service)
  const page = await consoles.signedIn()
  await openRoute(page, 'withdrawals?show=review')
  await choose(page, id, 'Returned', ['Note', 'The bank has no such payment'])
  await openRoute(page, 'ledger')
  await page.getByText('Taken back, because you left the page').waitFor()
  await openRoute(page, 'withdrawals?show=review')
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
  await card(page, id).getByText('VISA … 1111 12/49').first().waitFor()
  await page.getByText('Requested', { exact: true }).last().waitFor()
  await requestsAnswered(page)
  expect(await overflowOf(page, 390)).toEqual({ page: 390, over: [] })
  await saveScreenshot(page, 'withdrawal-phone')
  await openRoute(page, 'withdrawals?show=all')
  await card(page, id).getByText('VISA … 1111').waitFor()
})

test('a decision has beside it what it rests on: balance, net deposits, cards with what each paid in, earlier ones', async () => {
  const { id, customer } = await waitingWithdrawal(service)
  await win(service, customer, '40.00')
  const page = await consoles.signedIn()
  await openRoute(page, `withdrawals/${id}`)
  const basis = page.getByRole('region', { name: 'What the decision rests on' })
  await basis.getByText('340.00 GBP').waitFor()
  await basis.getByRole('link', { name: '300.00 GBP' }).waitFor()
  await basis.getByText('It is their first withdrawal.').waitFor()
  await basis.getByText('No open disputes.').waitFor()
  const row = basis.getByRole('table', { name: 'Cards of the customer' }).locator('tbody tr')
  expect(await row.locator('td').allInnerTexts()).toEqual([
    expect.stringMatching(/ ago$/),
    '1500.00 GBP',
    '0.00 GBP',
    expect.any(String),
  ])
  await openRoute(page, 'withdrawals')
  await card(page, id).getByText('Balance, cards, earlier withdrawals and disputes').click()
  await card(page, id).getByText('340.00 GBP').waitFor()
  await card(page, id).getByRole('button', { name: 'Approve', exact: true }).click()
  const confirming = page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true })
  expect(await confirming.getAttribute('class')).toBe('primary')
})

test('who has given the first approval reads that it waits for a second person, and cannot approve it again', async () => {
  const { id } = await waitingWithdrawal(service)
  const page = await consoles.signedIn()
  await openRoute(page, 'withdrawals')
  await card(page, id).getByText('Waits for you').waitFor()
  await choose(page, id, 'Approve')
  // It is in the list of the others.
  await card(page, id).waitFor({ state: 'detached' })
  await openRoute(page, 'withdrawals?show=another')
  await card(page, id).getByText('Waits for a second person', { exact: true }).waitFor()
  expect(
    await card(page, id)
      .getByRole('button', { name: /^(?!Copy)/ })
      .allInnerTexts(),
  ).toEqual(['Hold', 'Refuse'])
  await card(page, id)
    .getByText(/It waits for a second person: .* has approved it/)
    .waitFor()
  const other = await consoles.signedIn(await anotherOperator(service))
  await openRoute(other, `withdrawals/${id}`)
  await card(other, id).getByText('Waits for you').waitFor()
  await choose(other, id, 'Approve')
  await eventually(async () => (await read(id)).state).toBe('APPROVED')
  await card(other, id).getByText('Approved', { exact: true }).waitFor()
})

test('a withdrawal says of what it is made, and that its card has changed; a second one of the same is a likely repetition', async () => {
  const customer = await player(service, { amount: '600.00' })
  await win(service, customer, '900.00')
  const [method] = customer.cards as [number]
  const first = await withdrawn(service, { ticket: customer.ticket, card: method, amount: '700.00' })
  const second = await withdrawn(service, { ticket: customer.ticket, card: method, amount: '700.00' })
  const page = await consoles.signedIn()
  await openRoute(page, 'withdrawals')
  const parts = (id: string) =>
    card(page, id).getByRole('list', { name: 'Parts' }).getByRole('listitem').allInnerTexts()
  await card(page, first).waitFor()
  expect(await parts(first)).toEqual([
    '600.00 GBP return of a deposit: not sent yet',
    '100.00 GBP payout of winnings: not sent yet',
  ])
  expect(await card(page, first).getByText('Probably sent twice.').count()).toBe(0)
  await card(page, second).getByText('Probably sent twice.').waitFor()
  await card(page, second)
    .getByRole('link', { name: `Withdrawal ${first} of 700.00 GBP` })
    .waitFor()

  // Closed: it takes returns only.
  const path = `/operator/v1/customers/${customer.id}/payment-methods/${method}/closure`
  expect((await service.operator('POST', path, { reason: 'Reported stolen' })).status).toBe(200)
  await openRoute(page, `withdrawals/${first}`)
  await card(page, first).getByText('Its card was changed, closed or removed after the request.').waitFor()
  const table = card(page, first).getByRole('table', { name: 'Parts' })
  await table.getByRole('row', { name: /^Return of a deposit 600\.00 GBP Not sent yet/ }).waitFor()
  await table
    .getByRole('row', { name: /^Payout of winnings 100\.00 GBP Returned 0\.00 100\.00 the card can no longer take it/ })
    .waitFor()
  await openRoute(page, `withdrawals/${second}`)
  await card(page, second).getByText('Returned', { exact: true }).first().waitFor()
  // Nothing of it waits any more.
  expect(await card(page, second).getByText('The customer reads').count()).toBe(0)
  await openRoute(page, `customers/${customer.id}?tab=money`)
  await page.getByRole('table', { name: 'Latest withdrawals' }).getByText('On hold').waitFor()
})

test('a part in review of a large amount is proposed by one person and confirmed by another', async () => {
  const customer = await player(service, { token: 'sandbox:payout-silent', amount: '1500.00' })
  const [method] = customer.cards as [number]
  const id = await withdrawn(service, { ticket: customer.ticket, card: method, amount: '1200.00' })
  for (const token of [undefined, await anotherOperator(service)]) {
    await decideWithdrawal(service, id, APPROVE, token === undefined ? {} : { token })
  }
  await sweep(service.context)
  service.clock.advance(service.context.config.wallets.reviewAfterMs)
  await sweepUntilPaid(service, id, 'REVIEW')
  const page = await consoles.signedIn()
  await openRoute(page, 'withdrawals?show=review')
  await choose(page, id, 'Paid', ['Note', 'The bank shows it'])
  await card(page, id)
    .getByText(/proposes: paid\. The bank shows it .* It waits for a second person\./)
    .waitFor({ timeout: 60_000 })
  expect(
    await card(page, id)
      .getByRole('button', { name: /^(?!Copy)/ })
      .allInnerTexts(),
  ).toEqual(['Returned'])
  const other = await consoles.signedIn(await anotherOperator(service))
  await openRoute(other, 'withdrawals')
  await card(other, id).getByText('It takes effect when you decide the same.').waitFor()
  await choose(other, id, 'Confirm: paid', ['Note', 'The bank has told me too'])
  await eventually(async () => (await read(id)).state).toBe('PAID')
})

test('the options of a customer say what is kept back and why; a withdrawal is requested for them', async () => {
  const customer = await player(service, { amount: '50.00' }, { amount: '30.00' })
  const [first, second] = customer.cards as [number, number]
  expect(paidOrFaultCode(await deposit(service, { ticket: customer.ticket, method: first, amount: '25.00' }))).toBe(
    'paid',
  )
  const page = await consoles.signedIn()
  await openRoute(page, `customers/${customer.id}?tab=money`)
  const section = page.getByRole('region', { name: 'Withdrawals', exact: true })
  await section.getByText('80.00 GBP of the balance of 105.00 GBP may go out now.').waitFor()
  await section.getByText('25.00 GBP kept back. Deposits that the bank of the card has not paid yet.').waitFor()
  const rows = section.getByRole('table', { name: 'What each card can take' }).locator('tbody tr')
  expect(await rows.locator('td').allInnerTexts()).toEqual(
    ['50.00', '30.00'].flatMap((max) => [
      max,
      max,
      '0.00',
      '0.00',
      'What other cards paid in goes back to them first.',
    ]),
  )
  await section.getByText('Request a withdrawal for the customer').click()
  await section.getByLabel('To', { exact: true }).selectOption(`${second}`)
  await section.getByLabel('Amount to withdraw in GBP').fill('30.00')
  await section.getByLabel('How they asked for it').fill('By telephone')
  await section.getByRole('button', { name: 'Request …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Request' }).click()
  const latest = section.getByRole('table', { name: 'Latest withdrawals' })
  await latest.getByText('Waits for a second person').waitFor({ timeout: 60_000 })
  await latest.getByRole('link', { name: '30.00 GBP' }).waitFor()
})
