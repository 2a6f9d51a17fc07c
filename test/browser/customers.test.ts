import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { type Json, useService } from '../harness/service.ts'
import { newBet, newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { addCard, deposit, newDepositor } from '../harness/wallets.ts'
import { downloaded, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

async function customerNow(id: number): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/customers/${id}`)).body
}

const statusOf = async (id: number): Promise<string> => (await customerNow(id)).status
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the customer' }).getByText(name)

test('a customer is suspended with a reason, after a confirmation; the reason is shown', async () => {
  const { id } = await service.customer({ username: 'suspended-soon' })
  await service.operator('PUT', `/operator/v1/customers/${id}`, { dailyDepositLimit: '50.00', currency: 'EUR' })
  const page = await consoles.signedIn(await tokenOf(service, 'accounts', 'ann'))
  await openRoute(page, `customers/${id}`)
  await page.getByLabel('New status', { exact: true }).selectOption('suspended')
  const change = page.getByRole('button', { name: 'Change status …' })
  expect(await change.isDisabled()).toBe(true)
  await page.getByLabel('Reason for the new status').fill('two accounts with one card')
  const dialog = page.getByRole('dialog')
  await change.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await statusOf(id)).toBe('active')
  await change.click()
  await dialog.getByRole('button', { name: 'Set to suspended' }).click()
  await page.getByText(/Suspended since .*: two accounts with one card/).waitFor()
  const expected = { status: 'suspended', statusReason: 'two accounts with one card', dailyDepositLimit: '50.00' }
  expect(await customerNow(id)).toMatchObject({ ...expected, currency: 'EUR', username: 'suspended-soon' })
  expect(await page.getByLabel('Reason for the new status').inputValue()).toBe('')
  await page.getByText('No active sessions.').waitFor()
  await page.getByRole('button', { name: 'Mark as not verified' }).click()
  await page.getByRole('button', { name: 'Mark as verified' }).waitFor()
  expect((await customerNow(id)).verified).toBe(false)
  await saveScreenshot(page, 'customer-suspended')
  // Only admins reinstate, export and erase, and see deposits and the audit trail.
  expect(await page.getByRole('heading', { name: 'Personal data' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0)
  await tab(page, 'Money').click()
  await page.getByRole('heading', { name: 'Cards' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Latest deposits' }).count()).toBe(0)
})

test('a self-exclusion is lifted only with a reason, after a confirmation', async () => {
  const { id } = await service.customer({ status: 'self-excluded' })
  const page = await consoles.signedIn()
  await openRoute(page, `customers/${id}`)
  await page.getByLabel('New status', { exact: true }).waitFor()
  expect(await page.getByLabel('New status', { exact: true }).locator('option').allTextContents()).toEqual(['closed'])
  const reinstate = page.getByRole('button', { name: 'Reinstate' })
  expect(await reinstate.isDisabled()).toBe(true)
  await page.getByLabel('Reason for the reinstatement').fill('the period is over')
  await reinstate.click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Reinstate', exact: true })
  expect([await confirm.isDisabled(), await statusOf(id)]).toEqual([true, 'self-excluded'])
  await dialog.getByRole('textbox').fill(String(id))
  await saveScreenshot(page, 'reinstatement')
  await confirm.click()
  await page.getByText(`Customer ${id} is active again.`).waitFor()
  expect(await statusOf(id)).toBe('active')
})

test('sessions are listed, ended one by one, and all at once', async () => {
  const { id, ticket } = await service.customer()
  const others = `/operator/v1/customers/${id}/tickets`
  for (let turn = 0; turn < 2; turn++) await service.operator('POST', others, {})
  const page = await consoles.signedIn()
  await openRoute(page, `customers/${id}`)
  const rows = page.getByRole('table', { name: 'Active sessions' }).locator('tbody').getByRole('row')
  await rows.first().waitFor()
  expect(await rows.count()).toBe(3)
  await page.getByRole('button', { name: 'End session 1', exact: true }).click()
  await page.getByText('The session ends within 5 seconds.').waitFor()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('button', { name: 'End all sessions …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click()
  await page.getByText('No active sessions.').waitFor()
  expect((await service.call('HEAD', `/v1/sessions/tickets/${ticket}`)).status).toBe(404)
})

test('a customer gets a ticket, is exported, and is erased', async () => {
  const { id, profileId } = await service.member()
  const page = await consoles.signedIn()
  await openRoute(page, `customers/${id}`)
  await page.getByRole('button', { name: 'Issue ticket' }).click()
  const ticket = await page.getByLabel('Ticket', { exact: true }).inputValue()
  expect((await service.call('GET', '/v1/profiles/me', { ticket })).status).toBe(200)
  expect(JSON.parse(await downloaded(page, 'Download all data'))).toMatchObject({
    customer: { id: String(id) },
    profile: { id: String(profileId) },
  })
  await page.getByRole('button', { name: 'Erase …' }).click()
  const confirm = page.getByRole('button', { name: 'Erase permanently' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel(/to confirm/).fill(String(id))
  await confirm.click()
  await page.getByText('is erased.').waitFor()
  expect((await customerNow(id)).username).toBeNull()
})

test('the deposit limit is changed, and a card is closed and reopened', async () => {
  const customer = await newDepositor(service)
  await deposit(service, { ...customer, amount: '12.50' })
  const page = await consoles.signedIn()
  await openRoute(page, `customers/${customer.id}?tab=money`)
  await page.getByText('12.50 of 10000.00 GBP').waitFor()
  await page.getByLabel('Daily limit in GBP').fill('20.00')
  await page.getByRole('button', { name: 'Change limit …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('From the limit of the service to 20.00 GBP.').waitFor()
  await dialog.getByRole('button', { name: 'Change limit' }).click()
  await page.getByText('12.50 of 20.00 GBP').waitFor()
  expect((await customerNow(customer.id)).depositableToday).toBe('7.50')

  const deposits = page.getByRole('table', { name: 'Latest deposits' })
  expect(await deposits.textContent()).toContain('12.50 GBP')
  expect(await page.getByRole('link', { name: 'All deposits' }).getAttribute('href')).toContain(`=${customer.id}`)
  await page.getByRole('button', { name: 'Close card 411111******1111' }).click()
  const close = dialog.getByRole('button', { name: 'Close card' })
  expect(await close.isDisabled()).toBe(true)
  await dialog.getByLabel('Reason').fill('reported stolen')
  await saveScreenshot(page, 'customer-close-card')
  await close.click()
  await page.getByRole('button', { name: 'Reopen card 411111******1111' }).waitFor()
  expect((await deposit(service, { ...customer, amount: '5.00' })).text).not.toContain('paymentId')
  await saveScreenshot(page, 'customer-money')
  await page.getByRole('button', { name: 'Reopen card 411111******1111' }).click()
  await dialog.getByRole('button', { name: 'Reopen card' }).click()
  await page.getByRole('button', { name: 'Close card 411111******1111' }).waitFor()
  expect((await deposit(service, { ...customer, amount: '5.00' })).text).toContain('paymentId')
})

/** Somebody who deposited, bet, tipped, flagged and was flagged, and whom a moderator decided on. */
async function busyCustomer() {
  const [customer, other] = [await service.member(), await service.member()]
  const method = await addCard(service, customer)
  await deposit(service, { ...customer, method, amount: '12.50' })
  const [one, two] = (await newMatch(service)) as [TestOutcome, TestOutcome]
  const [tip, theirs] = [await newTip(service, customer, one.id), await newTip(service, other, two.id)]
  const bets = []
  for (let turn = 0; turn < 11; turn++) bets.push(await newBet(service, customer.id, [one.id, two.id]))
  await service.call('POST', `/v1/communities/comments/${tip}/flag`, { ticket: other.ticket })
  await service.call('POST', `/v1/communities/comments/${theirs}/flag`, { ticket: customer.ticket })
  await service.operator('POST', `/operator/v1/moderation/comments/${tip}`, { action: 'remove' })
  return { ...customer, other, tip, theirs, one, two, bets }
}

test('bets, tips and flags are listed, each in pages; one that fails leaves the others', async () => {
  const { id, other, tip, theirs, one, two } = await busyCustomer()
  const page = await consoles.signedIn()
  await page.route('**/customers/*/comments', (route) =>
    route.fulfill({ status: 503, json: { title: 'Busy', detail: 'Later.' } }),
  )
  await openRoute(page, `customers/${id}?tab=activity`)
  const bets = page.getByRole('region', { name: 'Bets' })
  await bets.getByRole('row').nth(1).waitFor()
  expect(await bets.getByRole('row').nth(1).textContent()).toMatch(
    new RegExp(`Outcome ${one.id}.*Match result, Event ${one.eventId}.*Outcome ${two.id}`),
  )
  await bets.getByText('Rows 1 to 12 of 12').waitFor()
  const lists = page.getByRole('navigation', { name: 'Lists of the customer' })
  await lists.getByRole('link', { name: 'Tips' }).click()
  const tips = page.getByRole('region', { name: 'Tips' })
  await tips.getByRole('alert').getByText('Later.').waitFor()
  await page.unroute('**/customers/*/comments')
  await tips.getByRole('button', { name: 'Try again' }).click()
  await tips.getByRole('link', { name: /^Outcome/ }).waitFor()
  expect(await tips.getByRole('row').nth(1).textContent()).toContain('Removed')
  const flagged = async (name: string) => {
    await lists.getByRole('link', { name }).click()
    return page.getByRole('region', { name }).getByRole('row').nth(1).textContent()
  }
  expect(await flagged('Flags received')).toMatch(new RegExp(`${other.profileId}Tip ${tip}Decided`))
  expect(await flagged('Flags given')).toMatch(new RegExp(`Tip ${theirs}Open`))
  await saveScreenshot(page, 'customer-activity')
})

test('the timeline tells what happened, newest first, and leads to it', async () => {
  const { id, tip, one } = await busyCustomer()
  await service.operator('PUT', `/operator/v1/customers/${id}/status`, { status: 'suspended', reason: 'a reason' })
  const page = await consoles.signedIn()
  await openRoute(page, `customers/${id}`)
  await tab(page, 'Timeline').click()
  const items = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem')
  await items.getByText('Registered').waitFor()
  const texts = (await items.allTextContents()).map((text) => text.replace(/^(just now|\d+ min ago)/, ''))
  expect(texts).toEqual([
    `Operatorbootstrap suspended customer ${id} (reason: a reason)`,
    `Decisionbootstrap removed tip ${tip}`,
    expect.stringMatching(new RegExp(`^TipTip on Outcome ${one.id}, Event ${one.eventId} \\(.* UTC\\)$`)),
    expect.stringMatching(/^MoneyDeposit of 12\.50 GBP with VISA … 1111, now \w+$/),
    expect.stringMatching(/^Operatorbootstrap added or replaced card/),
    'AccountRegistered',
  ])
  await saveScreenshot(page, 'customer-timeline')
  await page.getByRole('link', { name: `bootstrap removed tip ${tip}` }).click()
  await page.getByRole('heading', { level: 1, name: /^Tip on Outcome/ }).waitFor()
})

test('on a phone every tab fits, and a customer is closed', async () => {
  const { id } = await busyCustomer()
  const page = await consoles.signedIn(undefined, { ...PHONE, colorScheme: 'dark' })
  for (const name of ['account', 'money', 'activity', 'timeline']) {
    await openRoute(page, `customers/${id}?tab=${name}`)
    await page.getByRole('navigation', { name: 'Parts of the customer' }).waitFor()
    await requestsAnswered(page)
    expect([name, await overflowOf(page, PHONE.viewport.width)]).toEqual([name, { page: 390, over: [] }])
    await page.getByRole('navigation', { name: 'Parts of the customer' }).scrollIntoViewIfNeeded()
    await saveScreenshot(page, `customer-${name}-phone`)
  }
  await openRoute(page, `customers/${id}`)
  await page.getByLabel('New status', { exact: true }).selectOption('closed')
  await page.getByLabel('Reason for the new status').fill('moved away')
  await page.getByRole('button', { name: 'Change status …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Set to closed' }).click()
  await page.getByText(/Closed since .*: moved away/).waitFor()
})
