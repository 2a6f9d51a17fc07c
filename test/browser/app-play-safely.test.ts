import { expect, test } from 'vitest'
import { openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { openApp, TICKETS } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)

test('the wallet asks for limits once; the customer sets one, requests a higher one, and takes a time-out', async () => {
  const page = await openApp(browser, service, 'Bob')
  await page.goto(`${service.publicUrl}/app/#/wallet`)
  await page.getByText('Before your first deposit').waitFor()
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByText('Before your first deposit').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Play safely/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Play safely' }).waitFor()
  await page.getByLabel('Limit for each week').fill('10')
  await page.getByRole('button', { name: 'Set the limit of the week' }).click()
  await page.getByText('£10.00: £0.00 used, £10.00 left').waitFor()
  await page.getByLabel('Limit for each week').fill('20')
  await page.getByRole('button', { name: 'Set the limit of the week' }).click()
  await page.getByText('£20.00: you can confirm it from').waitFor()
  await page.goto(`${service.publicUrl}/app/#/wallet`)
  await page.getByRole('button', { name: 'Deposit £20.00' }).click()
  await page.getByText('This is more than your limit of the week').waitFor()
  await page.getByRole('link', { name: /Play safely/ }).click()
  expect(await page.getByRole('button', { name: 'Log me out until then' }).isEnabled()).toBe(false)
  await page.getByLabel('I know that this cannot be undone').check()
  await page.getByRole('button', { name: 'Log me out until then' }).click()
  await page.getByText('Nobody can shorten this').waitFor()
  const reply = await service.operator('GET', '/operator/v1/customers/2')
  expect(reply.body.exclusion.kind).toBe('time-out')
  // Sessions end within 5 seconds.
  await expect
    .poll(
      async () => {
        await openRoute(page, 'write')
        await openRoute(page, 'wallet')
        await requestsAnswered(page)
        return (await page.getByRole('alert').allInnerTexts()).join()
      },
      { timeout: 60_000 },
    )
    .toContain('You are logged out')
  await page.getByRole('button', { name: 'Log in again as Bob' }).first().click()
  await page.getByText('You cannot log in now. If you have taken a break, it is not over yet.').first().waitFor()
})

test('a session that is over leads to log in, and back to the same page', async () => {
  const page = await openApp(browser, service, 'Carol')
  await openRoute(page, 'account')
  await page.getByRole('heading', { name: 'Withdraw', exact: true }).waitFor()
  const ended = await service.call('DELETE', `/v1/sessions/tickets/${TICKETS.Carol}`)
  expect(ended.status).toBe(200)
  await openRoute(page, 'wallet')
  await page.getByText('You are logged out').first().waitFor()
  await page.getByRole('button', { name: 'Log in again as Carol' }).first().click()
  await page.getByRole('button', { name: 'Deposit £20.00' }).waitFor()
  expect(await page.evaluate('location.hash')).toBe('#/wallet')
  expect(await page.getByText('You are logged out').count()).toBe(0)
  // Another page of this tab has the new session too.
  await page.reload()
  await page.getByRole('button', { name: 'Deposit £20.00' }).waitFor()
})
