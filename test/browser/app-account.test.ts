// The customer's account: what they have, and what goes out to their cards.

import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { expectNothingFound } from '../harness/axe.ts'
import { openRoute, overflowOf, PHONE, useBrowser } from '../harness/browser.ts'
import { movementLine, newReference, sendLines, type TestMovement } from '../harness/movements.ts'
import { useService } from '../harness/service.ts'
import { deposit, depositStates, paidOrFaultCode } from '../harness/wallets.ts'
import { payIn } from '../harness/withdrawals.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'
import { openApp, TICKETS } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people', WITHDRAWAL_APPROVED_UP_TO: '10.00' })
const browser = useBrowser(service)

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Your withdrawals' }).locator('> li')
const PATIENCE = { timeout: 60_000 }
/** Colours that are still changing have no contrast. */
const STILL = { ...PHONE, reducedMotion: 'reduce' } as const

/** Of the newest withdrawal. */
const progressOf = (page: Page) => rowsOf(page).first().getByRole('list', { name: 'Progress' })
const stepsOf = (page: Page) => progressOf(page).getByRole('listitem').allInnerTexts()
const currentStep = (page: Page) => progressOf(page).locator('[aria-current="step"]').allInnerTexts()

async function requestOf(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Amount to withdraw').fill(amount)
  await page.getByRole('button', { name: /^Withdraw/ }).click()
}

/** Asked once, then sent. */
async function withdraw(page: Page, amount: string): Promise<void> {
  await requestOf(page, amount)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Withdraw £${amount}` })
    .click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

test('a deposit is in the balance, and can be withdrawn; each step and each refusal has its words', async () => {
  const page = await openApp(browser, service, 'Alice', STILL)
  await openRoute(page, 'account')
  await page.getByText('There is nothing to withdraw now.').waitFor()
  await page.getByText('You have made no withdrawals').waitFor()
  const balance = page.getByRole('status', { name: 'Balance' })
  expect(await balance.innerText()).toBe('You have £0.00.')
  await page.getByRole('link', { name: 'Deposit, and your deposits' }).click()
  await page.getByRole('button', { name: 'Deposit £20.00' }).click()
  await page.getByRole('heading', { name: '£20.00 deposited' }).waitFor()
  await expect.poll(() => balance.innerText(), PATIENCE).toBe('You have £20.00.')
  await expect.poll(() => sweep(service.context).then(() => depositStates(service, 1)), PATIENCE).toEqual(['CAPTURED'])

  await openRoute(page, 'account')
  await page.getByText('Up to £20.00', { exact: true }).waitFor()
  // Nothing is sent that the service would refuse.
  for (const [amount, problem] of [
    ['20.01', 'The most is £20.00.'],
    ['', 'Enter pounds and pence, such as 20 or 12.50.'],
    ['0', 'The least is £0.01.'],
    ['1e1', 'Enter pounds and pence, such as 20 or 12.50.'],
    ['1.001', 'Enter pounds and pence, such as 20 or 12.50.'],
  ] as const) {
    await requestOf(page, amount)
    await page.getByText(problem).waitFor()
    // It offers no amount that it would not take.
    await page.getByRole('button', { name: 'Withdraw', exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  }
  await requestOf(page, '4')
  const dialog = page.getByRole('dialog', { name: 'Withdraw £4.00?' })
  expect(await dialog.getByRole('definition').allInnerTexts()).toEqual([
    'Deposits: paid at once · VISA ending in 1111, expires 12/49',
    '£4.00',
    expect.stringContaining('after we have approved it'),
    '£16.00',
  ])
  await expectNothingFound(page, 'app-account-withdrawal-dialog')
  await dialog.getByRole('button', { name: 'Change it' }).click()
  expect(await rowsOf(page).count()).toBe(0)
  await withdraw(page, '4.00')
  await expect.poll(() => rowsOf(page).first().innerText(), PATIENCE).toMatch(/^£4\.00\s+(Approved|Sent|Paid)/)
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await balance.innerText()).toContain('You have £16.00.')
  // Sent by the sweeper; the page learns of it by the stream.
  await expect
    .poll(async () => {
      await sweep(service.context)
      return rowsOf(page).first().innerText()
    }, PATIENCE)
    .toMatch(/Paid\s+It is on your card\./)
  expect(await currentStep(page)).toEqual(['Paid'])

  // Beyond what the rule approves: two operators decide, and the customer reads why it waits.
  await withdraw(page, '15.00')
  await expect.poll(() => rowsOf(page).first().innerText(), PATIENCE).toMatch(/^£15\.00\s+Waiting for approval/)
  // Everywhere the same: nothing says that it is sent.
  await page.getByRole('log', { name: 'Messages' }).getByText('Withdrawal of £15.00: waiting for approval').waitFor()
  await rowsOf(page)
    .first()
    .getByText('Two persons approve it before it is sent. It normally arrives within 3 working days after that.')
    .waitFor()
  expect(await balance.innerText()).toBe('You have £1.00. £15.00 is in withdrawals that are not paid yet.')
  const { items } = (await service.operator('GET', '/operator/v1/withdrawals?state=REQUESTED')).body
  const path = `/operator/v1/withdrawals/${items[0].id}`
  await service.operator('PUT', `${path}/hold`, { reason: 'We need your new address' })
  await rowsOf(page).first().getByText('Reason: We need your new address').waitFor()
  expect(await stepsOf(page)).toEqual(['Requested', 'Approved', 'Sent', 'Paid'])
  expect(await currentStep(page)).toEqual(['Requested'])
  expect((await service.operator('POST', `${path}/refusal`, { reason: 'The address is wrong' })).status).toBe(200)
  await rowsOf(page).first().getByText('It is in your account again. Reason: The address is wrong').waitFor()
  await expect.poll(() => balance.innerText(), PATIENCE).toBe('You have £16.00.')
  expect([await stepsOf(page), await currentStep(page)]).toEqual([['Requested', 'Refused'], ['Refused']])
  await expectNothingFound(page, 'app-account-withdrawals')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflowOf(page, 320)).toEqual({ page: 320, over: [] })
})

test('what a card can take is made of what it paid in and of winnings; a withdrawal of both is paid in part', async () => {
  const customer = { id: 2, ticket: TICKETS.Bob }
  // Its deposits cannot be returned; payouts are paid.
  await payIn(service, customer, 218, '5.00')
  await sendLines(service, [
    movementLine({ reference: newReference(), customerId: 2, kind: 'winnings', amount: '1.00' }),
  ])
  // Not captured yet: it stays for now.
  expect(paidOrFaultCode(await deposit(service, { ticket: customer.ticket, method: 201, amount: '6.00' }))).toBe('paid')
  const page = await openApp(browser, service, 'Bob', STILL)
  await openRoute(page, 'account')
  await page.getByRole('list', { name: 'Kept back' }).getByText('£6.00 stays for now.').waitFor()
  await page.getByText('Up to £6.00: £5.00 that this card paid in, £1.00 of winnings.').waitFor()
  await page.getByLabel('To', { exact: true }).selectOption('206')
  await page.getByText('Nothing can go to this card now. What other cards paid in goes back to them first.').waitFor()
  await requestOf(page, '1.00')
  await page.getByText('The most is £0.00.').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByLabel('To', { exact: true }).selectOption('218')
  await withdraw(page, '6.00')
  await expect
    .poll(async () => {
      await sweep(service.context)
      return rowsOf(page).first().innerText()
    }, PATIENCE)
    .toMatch(/Partly paid\s+£1\.00 is on your card\. £5\.00 came back: it is in your account again\./)
  expect(await stepsOf(page)).toEqual(['Requested', 'Approved', 'Sent', 'Partly paid'])
  expect(await currentStep(page)).toEqual(['Partly paid'])
  expect(await rowsOf(page).first().getByRole('list', { name: 'Parts' }).getByRole('listitem').allInnerTexts()).toEqual(
    ['£5.00 back to the card that paid it in: in your account again', '£1.00 winnings: paid'],
  )
  await expectNothingFound(page, 'app-account-parts')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflowOf(page, 320)).toEqual({ page: 320, over: [] })
})

test('a test card shows what becomes of a withdrawal that the bank does not take', async () => {
  await payIn(service, { id: 2, ticket: TICKETS.Bob }, 212, '8.00')
  const page = await openApp(browser, service, 'Bob')
  await openRoute(page, 'account')
  const cards = page.getByLabel('To', { exact: true }).getByRole('option')
  await cards.getByText('Withdrawals come back · VISA ending in 1111, expires 12/49').waitFor({ state: 'attached' })
  const names = await cards.allInnerTexts()
  expect(new Set(names).size).toBe(names.length)
  await page.getByLabel('To', { exact: true }).selectOption('212')
  await page.getByText('Up to £8.00', { exact: true }).waitFor()
  await withdraw(page, '8.00')
  await expect
    .poll(async () => {
      await sweep(service.context)
      return rowsOf(page).first().innerText()
    }, PATIENCE)
    .toMatch(/Came back\s+It was not paid: it is in your account again\./)
  expect(await currentStep(page)).toEqual(['Came back'])
  expect(await stepsOf(page)).toEqual(['Requested', 'Approved', 'Sent', 'Came back'])
})

const linesOf = (page: Page) => page.getByRole('list', { name: 'Lines of the statement, newest first' }).locator('> li')

/** Lines of days ago, in their order. */
async function age(customerId: number, days: readonly (readonly [lines: number, days: number])[]): Promise<void> {
  const { database } = service.context
  await withoutTriggers(database, async () => {
    for (const [line, ago] of days)
      await database.script(`update transfer set at = at - ${ago * DAY_MS} where line = ${line} and customer_account_id in
        (select id from account where customer_id = ${customerId} and kind = 'customer')`)
  })
}

test('the statement has the newest line first, says what each was, and has pages with their days', async () => {
  const { Carol: ticket } = TICKETS
  const page = await openApp(browser, service, 'Carol', STILL)
  await openRoute(page, 'account')
  const statement = page.getByRole('region', { name: 'Statement' })
  await statement.getByText('Nothing happened in this time').waitFor()
  // A deposit is told by the stream, and shows at once.
  expect(paidOrFaultCode(await deposit(service, { ticket, method: 301, amount: '20.00' }))).toBe('paid')
  await expect.poll(() => linesOf(page).allInnerTexts(), PATIENCE).toHaveLength(1)
  expect(await linesOf(page).first().innerText()).toMatch(
    /^Deposit\s+MASTERCARD ending in 4444\s[\s\S]+\+£20\.00\s+Balance £20\.00$/,
  )

  const moved = (kind: TestMovement['kind'], amount: string, betId?: number) =>
    movementLine({ reference: newReference(), customerId: 3, kind, amount, ...(betId === undefined ? {} : { betId }) })
  // A bet of the sandbox.
  const reply = await fetch(`${service.publicUrl}/sandbox/bets`, { headers: { 'who-ticket': ticket } })
  const [bet] = ((await reply.json()) as { bets: { id: number; outcome: { name: string; event: string } }[] }).bets
  const stakes = Array.from({ length: 40 }, () => moved('stake', '0.25'))
  await sendLines(service, [
    ...stakes,
    moved('winnings', '7.50', bet?.id),
    moved('void', '0.25'),
    moved('adjustment', '-1.00'),
  ])
  await age(3, [[1, 200], ...Array.from({ length: 39 }, (_, index) => [index + 2, 40] as const)])
  const sums = () => statement.getByRole('definition').allInnerTexts()
  // Of this month: the last stake and what came after it.
  await statement.getByRole('button', { name: 'This month' }).click()
  await expect.poll(() => linesOf(page).allInnerTexts(), PATIENCE).toHaveLength(4)
  expect(await sums()).toEqual(['£10.25', '£16.75', '£20.00'])
  const texts = (await linesOf(page).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  expect(texts.map((text) => text.replace(/ \d+ \w+ \d{4}, \d\d:\d\d/, ''))).toEqual([
    'Adjustment −£1.00 Balance £16.75',
    'Stake returned +£0.25 Balance £17.75',
    `Winnings ${bet?.outcome.name}, ${bet?.outcome.event} +£7.50 Balance £17.50`,
    'Stake −£0.25 Balance £10.00',
  ])
  // Of three months: 43 lines, a page at a time.
  const pages = statement.getByRole('navigation', { name: 'Pages of the statement' })
  const [newer, older] = ['Newer', 'Older'].map((name) => pages.getByRole('button', { name })) as [Locator, Locator]
  await statement.getByRole('button', { name: '3 months' }).click()
  await pages.getByText('1 to 20 of 43').waitFor()
  expect(await sums()).toEqual(['£20.00', '£16.75', '£20.00'])
  expect(await newer.isDisabled()).toBe(true)
  await older.click()
  await pages.getByText('21 to 40 of 43').waitFor()
  await older.click()
  await pages.getByText('41 to 43 of 43').waitFor()
  expect([await linesOf(page).count(), await older.isDisabled()]).toEqual([3, true])
  const dayOf = (ago: number) =>
    new Date(service.clock.now() - ago * DAY_MS).toLocaleDateString('en-GB', {
      ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
    })
  expect(await pages.getByRole('status').innerText()).toContain(`${dayOf(40)}, UTC`)
  await newer.click()
  await pages.getByText('21 to 40 of 43').waitFor()
  await statement.getByRole('button', { name: '1 year' }).click()
  await pages.getByText('1 to 20 of 44').waitFor()
  expect(await sums()).toEqual(['£0.00', '£16.75', '£20.00'])

  // Another deposit, while a year is shown: as many lines as before, and the new sums.
  expect(paidOrFaultCode(await deposit(service, { ticket, method: 301, amount: '5.00' }))).toBe('paid')
  await expect.poll(sums, PATIENCE).toEqual(['£0.00', '£21.75', '£25.00'])
  await expectNothingFound(page, 'app-account-statement')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflowOf(page, 320)).toEqual({ page: 320, over: [] })
})
