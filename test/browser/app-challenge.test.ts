// A deposit whose bank asks the customer: to the bank's page and back.

import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { changeLimit } from '../../src/wallets/limits/limits.ts'
import { violations } from '../harness/axe.ts'
import { openRoute, overflowOf, PHONE, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { depositStates } from '../harness/wallets.ts'
import { openApp } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)

async function atBank(options?: BrowserContextOptions) {
  const page = await openApp(browser, service, 'Alice', options)
  await openRoute(page, 'wallet')
  await page.getByText('The bank asks you to confirm', { exact: true }).click()
  await page.getByRole('button', { name: 'Deposit £20.00' }).click()
  await page.getByRole('heading', { name: 'Confirm your payment' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/sandbox\/issuer\//)
  return page
}

test('approved at the bank: deposited', async () => {
  const page = await atBank()
  await page.getByText('20.00 GBP').waitFor()
  await page.getByRole('link', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: '£20.00 deposited' }).waitFor()
  expect(page.url()).not.toContain('redirectResult')
  expect((await depositStates(service, 1)).at(-1)).toMatch(/^(AUTHORISED|CAPTURED)$/)
  await page.getByRole('button', { name: 'Make another deposit' }).click()
  await page.getByRole('button', { name: 'Deposit £20.00' }).waitFor()
})

test('refused at the bank: said so, and not as deposited', async () => {
  const page = await atBank()
  await page.getByRole('link', { name: 'Refuse' }).click()
  const panel = page.getByRole('status', { name: 'Deposit with your bank' })
  await panel.getByText('Deposit of £20.00: refused').waitFor()
  await panel.getByText('Nothing was taken.').waitFor()
  expect(await panel.getByText('deposited').count()).toBe(0)
  await page.getByRole('button', { name: 'Make another deposit' }).click()
})

test('a tab that was closed finds its deposit again', async () => {
  const page = await atBank()
  await page.getByRole('link', { name: 'Close without an answer' }).click()
  await page.getByText('Deposit of £20.00: waiting for you').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Go to your bank' }).click()
  await page.getByRole('link', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: '£20.00 deposited' }).waitFor()
})

test('a challenge that was closed says when it ends, and can be given up', async () => {
  const page = await atBank()
  await page.getByRole('link', { name: 'Close without an answer' }).click()
  const panel = page.getByRole('status', { name: 'Deposit with your bank' })
  await panel.getByText(/You can confirm it until .*: it ends in (9:\d\d|10:00)/).waitFor()
  await panel.getByRole('button', { name: 'Cancel this deposit' }).click()
  await panel.getByText('Deposit of £20.00: not made').waitFor()
  await panel.getByText('It was not confirmed. Nothing was taken.').waitFor()
  await panel.getByRole('button', { name: 'Make another deposit' }).click()
  await page.getByRole('button', { name: 'Deposit £20.00' }).waitFor()
  // Before anything is sent.
  for (const [amount, problem] of [
    ['1e5', 'Enter pounds and pence, such as 20 or 12.50.'],
    ['4.99', 'The least is £5.00.'],
    ['100000', 'The most is £2500.00.'],
  ] as const) {
    await page.getByLabel('Amount in pounds').fill(amount)
    await page.getByRole('button', { name: 'Deposit', exact: true }).click()
    await page.getByText(problem).waitFor()
  }
})

test('a deposit that waits for the bank is found in another browser, and its end is shown as it happens', async () => {
  const page = await atBank()
  const other = await openApp(browser, service, 'Alice')
  await openRoute(other, 'wallet')
  await other.getByText('Deposit of £20.00: waiting for you').waitFor()
  await page.getByRole('link', { name: 'Refuse' }).click()
  await other.getByText('Deposit of £20.00: refused').waitFor()
})

test.each(['light', 'dark'] as const)(
  'on a phone of 320 pixels, %s: nothing is too wide, and axe finds nothing',
  async (colorScheme) => {
    const page = await atBank({ ...PHONE, viewport: { width: 320, height: 640 }, colorScheme, reducedMotion: 'reduce' })
    const expectFit = async () => {
      expect(await overflowOf(page, 320)).toEqual({ page: 320, over: [] })
      expect(await violations(page)).toEqual([])
    }
    await expectFit()
    await page.getByRole('link', { name: 'Close without an answer' }).click()
    await page.getByText('Deposit of £20.00: waiting for you').waitFor()
    await requestsAnswered(page)
    await expectFit()
    await page.getByRole('button', { name: 'Go to your bank' }).click()
    await page.getByRole('link', { name: 'Refuse' }).click()
    await page.getByText('Deposit of £20.00: refused').waitFor()
  },
)

// Last: nothing takes the limit back.
test('one that is no longer allowed when the bank confirms says why', async () => {
  const page = await atBank()
  await changeLimit(service.context, 1, 'day', 100n)
  await page.getByRole('link', { name: 'Approve' }).click()
  const panel = page.getByRole('status', { name: 'Deposit with your bank' })
  await panel.getByText('Deposit of £20.00: not made').waitFor()
  await panel.getByText('This is more than your limit of the day. Nothing was taken.').waitFor()
})
