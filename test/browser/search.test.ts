import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openRoute, overflowOf, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { deposit, newDepositor } from '../harness/wallets.ts'
import { type Member, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

let member: Member
let tips: number[]
let paymentId: string

beforeAll(async () => {
  member = { ...(await service.member({ username: 'peregrine' })), name: 'Peregrine Pickle' }
  const query = new URLSearchParams({ name: member.name, biography: 'Adventures in which are included' })
  await service.call('PUT', `/v1/profiles/me?${query}`, { ticket: member.ticket })
  const outcomes = (await newMatch(service, { outcomes: 12 })) as TestOutcome[]
  tips = []
  for (const { id } of outcomes) tips.unshift(await newTip(service, member, id, { text: 'Peregrine flies again' }))
  const payer = await newDepositor(service, { token: 'sandbox:approve' })
  paymentId = (await deposit(service, { ...payer, amount: '47.11' })).json().whoWallets.paymentId
})

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const field = (page: Page) => dialog(page).getByRole('combobox')
/** The page behind it may have lists to choose from too. */
const chosen = (page: Page) => dialog(page).getByRole('option', { selected: true })

test('with the keyboard alone: open, type, choose, open the result, close', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Keyboard'))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('peregrine pick')
  // Half of the words find tips as well.
  await expect.poll(() => page.getByRole('option', { name: /Peregrine Pickle/ }).count(), { timeout: 60_000 }).toBe(1)
  expect(await chosen(page).textContent()).toContain('Peregrine Pickle')
  await page.keyboard.press('ArrowDown')
  expect(await chosen(page).textContent()).toContain('All results for')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: member.name }).waitFor()
  expect(page.url()).toContain(`#/profiles/${member.profileId}`)
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
  await page.keyboard.press('/')
  await page.keyboard.type('zzzz')
  await page.getByText('Nothing found.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(page.url()).toContain(`#/profiles/${member.profileId}`)
})

test('a search that is typed on aborts the one before, and shows the last', async () => {
  const page = await consoles.signedIn()
  let held: (() => void) | undefined
  const aborted: string[] = []
  page.on('requestfailed', (request) => aborted.push(new URL(request.url()).searchParams.get('q') ?? ''))
  await page.route('**/search?q=pere&*', async (route) => {
    await new Promise<void>((resolve) => {
      held = resolve
    })
    await route.continue().catch(() => {})
  })
  await page.getByRole('button', { name: 'Search' }).click()
  await field(page).fill('pere')
  await expect.poll(() => held).toBeDefined()
  await field(page).fill('47.11')
  await page.getByRole('option', { name: /47\.11 GBP/ }).waitFor()
  held?.()
  expect(aborted).toEqual(['pere'])
  expect(await dialog(page).getByRole('option').count()).toBe(2)
  await saveScreenshot(page, 'search-dialog')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /47\.11|Deposit/, level: 1 }).waitFor()
  expect(page.url()).toContain(paymentId)
})

test('the page of results is in the address, grouped, and has more', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'search')
  await page.getByLabel('Search for').fill('peregrine')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Tips', level: 2 }).waitFor()
  expect(page.url()).toContain('#/search?q=peregrine')
  const group = (name: string) => page.getByRole('region', { name }).getByRole('listitem')
  expect([await group('Customers').count(), await group('Profiles').count()]).toEqual([1, 1])
  expect(await group('Tips').count()).toBe(10)
  await page.getByRole('button', { name: 'More tips' }).click()
  await expect.poll(() => group('Tips').count()).toBe(tips.length)
  await saveScreenshot(page, 'search')
  await page.getByRole('link', { name: 'peregrine', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'peregrine' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Profiles', level: 2 }).waitFor()
  expect(await page.getByLabel('Search for').inputValue()).toBe('peregrine')
})

test('each role is offered what it may find', async () => {
  const accounts = await consoles.signedIn(await tokenOf(service, 'accounts', 'Accountant'))
  await openRoute(accounts, 'search?q=peregrine')
  await accounts.getByRole('heading', { name: 'Customers', level: 2 }).waitFor()
  expect(await accounts.locator('main').getByRole('region').count()).toBe(1)
  const feed = await consoles.signedIn(await tokenOf(service, 'feed', 'Feeder'))
  await feed.getByRole('button', { name: 'Sign out' }).waitFor()
  expect(await feed.getByRole('button', { name: 'Search' }).count()).toBe(0)
  await feed.keyboard.press('Control+k')
  expect(await feed.getByRole('dialog').count()).toBe(0)
})

test('pages, saved views and actions are found, and what was opened last is listed', async () => {
  const application = (await service.operator('POST', '/operator/v1/applications', { name: 'Betslip' })).body
  const view = { name: 'Night shift', address: 'deposits?state=REVIEW' }
  await service.operator('POST', '/operator/v1/views', view)
  const page = await consoles.signedIn()
  const find = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await page.getByRole('option', { name: option }).waitFor()
  }
  await openRoute(page, `customers/${member.id}`)
  await page.getByRole('heading', { name: 'peregrine', level: 1 }).waitFor()
  await find('webhooks', /^Webhooks ?Page$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  await find('night', /^Night shift ?View of Deposits$/)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain('#/deposits?state=REVIEW')

  await find('rotate the key of betsl', /^New secret for Betslip/)
  await saveScreenshot(page, 'search-actions')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New secret for Betslip?' }).waitFor()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  await expect.poll(() => page.getByLabel('API key', { exact: true }).inputValue()).toBe(application.apiKey)
  expect(await page.getByRole('dialog').count()).toBe(0)

  // What was not found is not among what was opened last.
  await openRoute(page, 'customers/987654')
  await page.getByRole('alert').waitFor()
  await page.keyboard.press('Control+k')
  expect(await dialog(page).getByRole('option').first().textContent()).toBe(`peregrineCustomer ${member.id}`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'peregrine' }).waitFor()
  await openRoute(page, 'customers')
  const recent = page.getByRole('navigation', { name: 'Recent customers' })
  await recent.getByText('peregrine').waitFor()
  // A moderator finds nothing that only admins may open.
  const moderator = await consoles.signedIn(await tokenOf(service, 'moderator', 'Mod'))
  await moderator.keyboard.press('Control+k')
  await moderator.keyboard.type('webhooks')
  await moderator.getByText('Nothing found.').waitFor()
})

test('the action that rotates the secret of a webhook opens its question', async () => {
  const url = 'https://betslip.example/hooks'
  const webhook = (await service.operator('POST', '/operator/v1/webhooks', { url })).body
  const page = await consoles.signedIn()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('rotate the key of betsl')
  await dialog(page)
    .getByRole('option', { name: `Rotate the secret of ${url}` })
    .click()
  await page.getByRole('dialog', { name: 'Rotate the secret?' }).waitFor()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  await expect.poll(() => page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/)
  expect(await page.getByLabel('Secret', { exact: true }).inputValue()).not.toBe(webhook.secret)
  await service.operator('DELETE', `/operator/v1/webhooks/${webhook.id}`)
})

test('on a phone', async () => {
  const page = await consoles.signedIn(undefined, PHONE)
  await page.getByRole('button', { name: 'Search' }).tap()
  await field(page).fill('peregrine')
  await page.getByRole('option', { name: /^Peregrine Pickle/ }).waitFor()
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await saveScreenshot(page, 'search-dialog-phone')
  await page.getByRole('option', { name: /^Peregrine Pickle/ }).tap()
  await page.getByRole('heading', { name: member.name }).waitFor()
})

test('the form that opens by ID is on the page Search, and nowhere else', async () => {
  const member = await service.member()
  const page = await consoles.signedIn()
  const form = page.getByLabel('ID', { exact: true })
  for (const route of [`profiles/${member.profileId}`, `customers/${member.id}`]) {
    await openRoute(page, route)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await requestsAnswered(page)
    expect([route, await form.count()]).toEqual([route, 0])
  }
  await openRoute(page, 'search')
  await form.waitFor()
})
