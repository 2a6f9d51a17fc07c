// Refunds and disputes in the console: a money action is confirmed with amount and name, and can be taken back.

import { expect, test } from 'vitest'
import { openRoute, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { captured, refundStates, tell } from '../harness/refunds.ts'
import { useService } from '../harness/service.ts'

const service = useService()
const consoles = useBrowser(service)

test('a refund is confirmed with its amount, can be taken back, and is sent after 5 seconds', async () => {
  const { id, paymentId } = await captured(service)
  const page = await consoles.signedIn()
  await openRoute(page, `deposits/${paymentId}`)
  await page.getByLabel('Amount in GBP').fill('7.50')
  await page.getByLabel('Reason').fill('deposited twice')
  const start = async () => {
    await page.getByRole('button', { name: 'Refund …' }).click()
    await page.getByRole('heading', { name: `Refund 7.50 GBP of customer ${id}?` }).waitFor()
    await page.getByRole('button', { name: 'Refund 7.50 GBP' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  }
  await start()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  expect(await refundStates(service, paymentId)).toEqual([])
  await start()
  await expect.poll(() => refundStates(service, paymentId), { timeout: 60_000 }).toEqual(['REQUESTED'])
  await page.getByRole('table', { name: 'Refunds' }).getByText('deposited twice').waitFor()
  await saveScreenshot(page, 'deposit-refunds')
})

test('disputes are listed with their deadline, on their own page and with their deposit and customer', async () => {
  const { id, paymentId } = await captured(service)
  await tell(service, paymentId, 'CHARGEBACK')
  const page = await consoles.signedIn()
  for (const route of ['disputes', `deposits/${paymentId}`, `customers/${id}?tab=money`]) {
    await openRoute(page, route)
    const table = page.getByRole('table', { name: 'Disputes' })
    await table.getByText('Charged back', { exact: true }).waitFor()
    expect(await table.getByRole('cell', { name: '20.00', exact: true }).count()).toBe(1)
    expect(await table.locator('time').count()).toBe(3)
  }
})
