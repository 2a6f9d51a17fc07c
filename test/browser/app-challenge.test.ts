// A deposit whose bank asks the customer: to the bank's page and back.

import { expect, test } from 'vitest'
import { openRoute, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { depositStates } from '../harness/wallets.ts'
import { openApp } from './app.ts'

const service = useService({ SANDBOX_SEED: 'on' })
const browser = useBrowser(service)

async function atBank() {
  const page = await openApp(browser, service, 'Alice')
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
  await page.getByText('Your bank has refused it. Nothing was taken.').waitFor()
  expect(await page.getByText('deposited', { exact: false }).count()).toBe(0)
  await page.getByRole('button', { name: 'Make another deposit' }).click()
})

test('a tab that was closed finds its deposit again', async () => {
  const page = await atBank()
  await page.getByRole('link', { name: 'Close without an answer' }).click()
  await page.getByText('Your bank waits for your answer.').waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Go to your bank' }).click()
  await page.getByRole('link', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: '£20.00 deposited' }).waitFor()
})
