// The customer's account: what they have, and what goes out to their cards.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sweep } from '../../src/wallets/sweeper.ts'
import { openRoute, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { depositStates } from '../harness/wallets.ts'
import { openApp } from './app.ts'

const service = useService({ SANDBOX_SEED: 'on', WITHDRAWAL_APPROVED_UP_TO: '10.00' })
const browser = useBrowser(service)

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Your withdrawals' }).getByRole('listitem')
const PATIENCE = { timeout: 60_000 }

async function withdraw(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Amount to withdraw').fill(amount)
  await page.getByRole('button', { name: `Withdraw £${amount}` }).click()
}

test('a deposit is in the balance, and can be withdrawn; each step and each refusal has its words', async () => {
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, 'account')
  await page.getByText('There is nothing to withdraw.').waitFor()
  await page.getByText('You have made no withdrawals').waitFor()
  const balance = page.getByRole('status', { name: 'Balance' })
  expect(await balance.innerText()).toBe('You have £0.00.')
  await page.getByRole('link', { name: 'Deposit, and your deposits' }).click()
  await page.getByRole('button', { name: 'Deposit £20.00' }).click()
  await page.getByRole('heading', { name: '£20.00 deposited' }).waitFor()
  await expect.poll(() => balance.innerText(), PATIENCE).toBe('You have £20.00.')
  await expect.poll(() => sweep(service.context).then(() => depositStates(service, 1)), PATIENCE).toEqual(['CAPTURED'])

  await openRoute(page, 'account')
  await page.getByText('VISA ending in 1111: up to £20.00').waitFor({ state: 'attached' })
  await withdraw(page, '20.01')
  await page
    .getByRole('alert')
    .getByText(/This is more than (you have|may go to this card)/)
    .waitFor()
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

  // Beyond what the rule approves: two operators decide, and the customer reads why it waits.
  await withdraw(page, '15.00')
  await expect.poll(() => rowsOf(page).first().innerText(), PATIENCE).toMatch(/^£15\.00\s+Requested/)
  expect(await balance.innerText()).toBe('You have £1.00. £15.00 is on its way to your card.')
  const { items } = (await service.operator('GET', '/operator/v1/withdrawals?state=REQUESTED')).body
  const path = `/operator/v1/withdrawals/${items[0].id}`
  await service.operator('PUT', `${path}/hold`, { reason: 'We need your new address' })
  await rowsOf(page).first().getByText('Reason: We need your new address').waitFor()
  expect((await service.operator('POST', `${path}/refusal`, { reason: 'The address is wrong' })).status).toBe(200)
  await rowsOf(page).first().getByText('It is in your account again. Reason: The address is wrong').waitFor()
  await expect.poll(() => balance.innerText(), PATIENCE).toBe('You have £16.00.')
})
