import { expect, test } from 'vitest'
import { TEST_CARDS } from '../../showcase/src/test-cards.ts'
import { SANDBOX } from '../../src/sandbox/world/customers.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { boardUpToDate } from '../harness/records.ts'
import { useService } from '../harness/service.ts'
import { depositStates } from '../harness/wallets.ts'
import { type Name, openApp, switchTo, tipOf } from './app.ts'

// Longer than the slow card takes; two cards wait for it twice.
const service = useService({ SANDBOX_SEED: 'people', GATEWAY_TIMEOUT_MS: '2300' })
const browser = useBrowser(service)

test('a tip is written on one of one’s bets; refused words are masked, and one click takes the wording', async () => {
  const page = await openApp(browser, service, 'Alice')
  await page.getByRole('link', { name: 'Write a tip' }).click()
  const bets = page.getByRole('group', { name: 'Your bet' })
  await bets.getByText('Desert Lantern').click()
  await page.getByLabel('Why it wins').fill('Nothing but shit can beat this one')
  await page.getByRole('button', { name: 'Publish tip' }).click()
  const refused = page.getByRole('alert')
  await refused.getByText('Some words are not allowed').waitFor()
  await refused.getByText('Nothing but **** can beat this one').waitFor()
  await refused.getByRole('button', { name: 'Use this wording' }).click()
  expect(await page.getByLabel('Why it wins').inputValue()).toBe('Nothing but **** can beat this one')
  await page.getByLabel('Why it wins').fill('Nothing can beat this one')
  await page.getByRole('button', { name: 'Publish tip' }).click()
  await tipOf(page, 'Nothing can beat this one').getByText('Tipped at').waitFor()
  await page.getByRole('log').getByText('Your tip is published').waitFor()
  await page.getByRole('link', { name: 'Write a tip' }).click()
  await bets.waitFor()
  expect(await bets.getByText('Desert Lantern').count()).toBe(0)
})

test('a profile: follow and unfollow, record, curve, followers', async () => {
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, 'profiles/21')
  await page.getByRole('heading', { level: 1, name: 'Uma Underround' }).waitFor()
  await page.getByText('0 followers').waitFor()
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('1 follower', { exact: true }).waitFor()
  await page.getByRole('img', { name: /points from .* to .*; lowest .*, highest / }).waitFor()
  const figures = page.getByRole('region', { name: 'Record of Uma Underround' }).locator('dl')
  expect(await figures.innerText()).toMatch(/Profit\s*\+39\.06[\s\S]*Won\s*63 %\s*94 of 150/)
  await page.getByRole('button', { name: 'Followers' }).click()
  await page.getByRole('list', { name: 'Followers' }).getByRole('link', { name: 'Alice Ascot' }).waitFor()
  await page.getByRole('button', { name: 'Following', exact: true }).first().click()
  await page.getByText('0 followers').waitFor()
})

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('one’s own profile: name, biography, and a picture that is shown before it is sent', async () => {
  const page = await openApp(browser, service, 'Bob')
  await page.getByRole('link', { name: 'Me' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  const file = page.getByLabel('Choose a picture')
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await page.getByText('No preview').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('This is not a picture we can read').waitFor()
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PIXEL })
  await page.getByRole('img', { name: 'Preview' }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  const picture = page.locator('main img[src^="/pictures/"]')
  await picture.waitFor()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await picture.waitFor({ state: 'detached' })

  await page.getByLabel('Name').fill('Alice Ascot')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Somebody has this name already').waitFor()
  await page.getByLabel('Name').fill('Bob of Both Teams')
  await page.getByLabel('Biography').fill('Goals, always goals.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bob of Both Teams' }).waitFor()
  await page.getByText('Goals, always goals.').waitFor()
})

/** How many places in their rows the buttons have: from where to where, and whether beside the name or below it. */
const PLACES_OF_BUTTONS = `new Set([...document.querySelectorAll('ol > li button')].map((button) => {
  const { left, right, top } = button.getBoundingClientRect()
  const isBelow = top >= button.parentElement.querySelector('a').getBoundingClientRect().bottom
  return [Math.round(left), Math.round(right), isBelow].join()
})).size`

test('boards of records, of followers and of selections; search', async () => {
  await boardUpToDate(service)
  const page = await openApp(browser, service, 'Alice')
  await page.getByRole('link', { name: 'Discover' }).click()
  const rows = page.locator('ol > li')
  await expect.poll(() => rows.first().innerText()).toMatch(/^1\s[\s\S]*Uma Underround\s+\+39\.06 points/)
  await rows.getByRole('button', { pressed: false }).last().click()
  await rows.getByRole('button', { pressed: true }).first().waitFor()
  await rows.getByRole('button', { pressed: false }).first().waitFor()
  for (const width of [320, 360, 375, 390, 768]) {
    await page.setViewportSize({ width, height: 844 })
    expect([width, await page.evaluate(PLACES_OF_BUTTONS)]).toEqual([width, 1])
  }
  await page.getByRole('button', { name: 'Most followed' }).click()
  await expect.poll(() => rows.first().innerText()).toMatch(/\d+ followers · \d+ open tips?/)
  await page.getByRole('button', { name: 'Top selections' }).click()
  await expect.poll(() => rows.first().innerText()).toMatch(/· \d+ tips\s+\d+\/\d+/)
  await page.getByLabel('Search for tipsters and tips').fill('fifteen')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Tipsters found' }).getByRole('link', { name: 'Lucky Fifteen' }).waitFor()
  await page.getByRole('list', { name: 'Tips found' }).getByText('Second leg of the next fifteen').waitFor()
})

/** What each fault is called on the screen. */
const TITLES: Readonly<Record<string, string>> = {
  '24005': 'The bank did not authorise the payment',
  '24006': 'The bank does not know this card number',
  '24007': 'There is not enough money on the card',
  '24009': 'The security code is wrong',
  '24010': 'The card has expired',
}

/** Cards whose bank challenges the customer have a test of their own (app-challenge.test.ts). */
const cardsOf = (name: Name) =>
  TEST_CARDS.filter(({ username, challenges }) => username === name.toLowerCase() && !challenges)

test('a deposit with each test card: a receipt, or the fault in plain words', async () => {
  // Nobody can log in to see the cards of the customer on the register of exclusions.
  const seen = SANDBOX.cards.filter(({ customerId }) => customerId !== SANDBOX.registered.id)
  expect(TEST_CARDS.map(({ id }) => id)).toEqual(seen.map(({ id }) => id))
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, 'wallet')
  for (const name of ['Alice', 'Bob', 'Carol'] satisfies Name[]) {
    if (name !== 'Alice')
      await page
        .getByRole('button', { name: new RegExp(`^${name} `) })
        .last()
        .click()
    for (const { shows, code } of cardsOf(name)) {
      await page.getByText(shows, { exact: true }).click()
      await page.getByRole('button', { name: 'Deposit £20.00' }).click()
      const result = code === null ? page.getByRole('status', { name: 'deposited' }) : page.getByRole('alert')
      await result.getByText(code === null ? '£20.00 deposited' : (TITLES[code] as string)).waitFor()
      if (code === null) continue
      await result.getByText('For support').click()
      await result.getByText(`Fault ${code}`).waitFor()
    }
  }
  // Authorised; the bank refuses to pay.
  await page.getByText('Paid, then refused: manual review', { exact: true }).click()
  await page.getByRole('button', { name: 'Deposit £20.00' }).click()
  await page.getByRole('status', { name: 'deposited' }).getByText('£20.00 deposited').waitFor()
  await sweep(service.context)
  await page.getByText('Deposit of £20.00: being checked').waitFor()
  expect(await page.getByRole('heading', { name: 'deposited' }).count()).toBe(0)
})

test('an amount out of the limits is explained', async () => {
  const page = await openApp(browser, service, 'Alice')
  await switchTo(page, 'Alice')
  await openRoute(page, 'wallet')
  await page.getByLabel('Amount in pounds').fill('2')
  await page.getByRole('button', { name: 'Deposit', exact: true }).click()
  await page.getByText('The least is £5.00.').waitFor()
  await page.getByRole('button', { name: '£50' }).click()
  await page.getByRole('button', { name: 'Deposit £50.00' }).click()
  await page.getByRole('status', { name: 'deposited' }).getByText('£50.00 deposited').waitFor()
  await requestsAnswered(page)
})

test('a deposit whose answers are lost is made once, whatever is clicked', async () => {
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, 'wallet')
  const before = (await depositStates(service, 1)).length
  const transactions = /\/v1\/wallets\/me$/
  await page.route(transactions, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Deposit £20.00' }).click()
  await page.getByText('the card is charged only once').waitFor()
  await page.unroute(transactions)
  await page.getByRole('button', { name: 'Deposit £20.00' }).click()
  await page.getByRole('status', { name: 'deposited' }).getByText('£20.00 deposited').waitFor()
  expect(await depositStates(service, 1)).toHaveLength(before + 1)
})
