// What changes in an open console by itself: counts, new subjects, and who else looks at an item.

import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { appealed, removedTip } from '../harness/appeals.ts'
import { openRoute, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { deposit, newDepositor, sweepUntil } from '../harness/wallets.ts'
import { emptyQueue, flaggedProfiles, type Member, queueOfProfiles, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATIENCE = { timeout: 60_000 }

const menuEntry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('listitem').filter({ hasText: name })
const rows = (page: Page) => page.getByRole('list', { name: 'In the queue' }).locator('[data-name]')

test('the menu counts what waits, as it changes', async () => {
  await emptyQueue(service, 'profile')
  const page = await consoles.signedIn()
  await openRoute(page, 'audit')
  const count = async (name: string) => (await menuEntry(page, name).textContent())?.replace(/\D/g, '')
  expect(await count('Review queue')).toBe('')
  await flaggedProfiles(service, 2, 'Count')
  await expect.poll(() => count('Review queue'), PATIENCE).toBe('2')
  await saveScreenshot(page, 'menu-counts')
  const depositor = await newDepositor(service, { token: 'sandbox:capture-refused' })
  await deposit(service, depositor)
  await sweepUntil(service, depositor.id, ['REVIEW'])
  await expect.poll(() => count('Deposit review'), PATIENCE).toBe('1')
  await emptyQueue(service, 'profile')
  await expect.poll(() => count('Review queue'), PATIENCE).toBe('')
})

test('new subjects are announced, and loaded only on request', async () => {
  const [first] = (await queueOfProfiles(service, 2, 'Old')) as [Member, Member]
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: first.name }).waitFor()
  await expect.poll(() => menuEntry(page, 'Review queue').textContent(), PATIENCE).toContain('2')
  const before = await rows(page).allTextContents()
  const [most] = await flaggedProfiles(service, 3, 'New')
  await page.getByRole('button', { name: '3 new' }).waitFor()
  await saveScreenshot(page, 'queue-new')
  expect(await rows(page).allTextContents()).toEqual(before)
  await page.getByRole('button', { name: '3 new' }).click()
  await vi.waitFor(async () => expect(await rows(page).count()).toBe(5), PATIENCE)
  expect(await rows(page).allTextContents()).toContain(most?.name)
  // What was read stays selected.
  await page.getByRole('heading', { level: 2, name: first.name }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /new$/ }).count(), PATIENCE).toBe(0)
})

test('two people see that they look at the same subject, and when one of them leaves', async () => {
  const [first, second] = (await queueOfProfiles(service, 2, 'Both')) as [Member, Member]
  const ann = await consoles.signedIn(await tokenOf(service, 'moderator', 'ann'))
  const bob = await consoles.signedIn(await tokenOf(service, 'moderator', 'bob'))
  for (const page of [ann, bob]) await page.getByRole('heading', { level: 2, name: first.name }).waitFor()
  await ann.getByText('Also viewing: bob').waitFor()
  await bob.getByText('Also viewing: ann').waitFor()
  await saveScreenshot(ann, 'also-viewing')
  await bob.keyboard.press('j')
  await bob.getByRole('heading', { level: 2, name: second.name }).waitFor()
  await ann.getByText('Also viewing').waitFor({ state: 'detached' })
  expect(await bob.getByText('Also viewing').count()).toBe(0)
  await openRoute(ann, `profiles/${second.profileId}`)
  await bob.getByText('Also viewing: ann').waitFor()
  await ann.getByText('Also viewing: bob').waitFor()
  await openRoute(bob, 'search')
  await ann.getByText('Also viewing').waitFor({ state: 'detached' })
})

test('new appeals and deposits in review are announced too; whoever reads an appeal is seen at its subject', async () => {
  const first = await removedTip(service)
  await appealed(service, first.author, first.decisionId)
  const page = await consoles.signedIn(await tokenOf(service, 'admin', 'finn'))
  await openRoute(page, 'queue?kind=appeal')
  await page.getByRole('heading', { name: 'Appeal of the author' }).waitFor()
  const gil = await consoles.signedIn(await tokenOf(service, 'moderator', 'gil'))
  await openRoute(gil, `comments/${first.tip}`)
  await page.getByText('Also viewing: gil').waitFor()
  await gil.getByText('Also viewing: finn').waitFor()
  const second = await removedTip(service)
  await appealed(service, second.author, second.decisionId)
  await page.getByRole('button', { name: '1 new' }).click()
  await vi.waitFor(async () => expect(await rows(page).count()).toBe(2), PATIENCE)

  await openRoute(page, 'deposit-review')
  await page.getByRole('heading', { name: 'Deposit review' }).waitFor()
  await requestsAnswered(page)
  const depositor = await newDepositor(service, { token: 'sandbox:capture-refused' })
  await deposit(service, depositor)
  await sweepUntil(service, depositor.id, ['REVIEW'])
  await page.getByRole('button', { name: '1 new' }).click()
  await page.getByRole('list', { name: 'In the inbox' }).getByText(`Customer ${depositor.id}`).waitFor()
})

test('a deposit shows who else has it open, to auditors too, who are not shown', async () => {
  const reply = await deposit(service, await newDepositor(service))
  const { paymentId } = reply.json().whoWallets
  const signedIn = async (role: string, name: string) => {
    const page = await consoles.signedIn(await tokenOf(service, role, name))
    await openRoute(page, `deposits/${paymentId}`)
    return page
  }
  const al = await signedIn('auditor', 'al')
  const cy = await signedIn('admin', 'cy')
  const dee = await signedIn('admin', 'dee')
  await al.getByText('Also viewing: cy, dee').waitFor()
  await cy.getByText('Also viewing: dee', { exact: true }).waitFor()
  await dee.getByText('Also viewing: cy', { exact: true }).waitFor()
})

test('after "No response" the console goes on by itself, in a list, on a page and at the sign-in', async () => {
  const page = await consoles.signedIn()
  for (const [route, shown] of [
    ['audit', 'Audit trail'],
    ['applications', 'Applications'],
  ] as const) {
    await openRoute(page, 'search')
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
    await page.context().setOffline(true)
    await openRoute(page, route)
    await page.getByText('No response.').waitFor()
    await page.getByText('No connection.').waitFor()
    await saveScreenshot(page, `no-connection-${route}`)
    await page.context().setOffline(false)
    await page.getByRole('table', { name: shown }).waitFor()
    await page.getByText('No connection.').waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)
  }
  // A request that fails while the server is there is repeated too.
  let refused = 0
  await page.route('**/operator/v1/tokens', (route) => (refused++ === 0 ? route.abort() : route.continue()))
  await openRoute(page, 'tokens')
  await page.getByRole('table', { name: 'Tokens' }).waitFor()

  await page.route('**/operator/v1/me', (route) => route.abort())
  await page.reload()
  await page.getByText('No response.').waitFor()
  await page.unroute('**/operator/v1/me')
  await page.getByRole('table', { name: 'Tokens' }).waitFor()
})
