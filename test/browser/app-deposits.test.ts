// The customer's deposits: words for every state, and no screen that says two things about one of them.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { depositStates, insertDeposits } from '../harness/wallets.ts'
import { type Name, openApp } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)

async function openWallet(name: Name): Promise<Page> {
  const page = await openApp(browser, service, name)
  await openRoute(page, 'wallet')
  return page
}

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Your deposits' }).getByRole('listitem')

async function depositWith(page: Page, card: string): Promise<void> {
  await page.getByText(card, { exact: true }).click()
  await page.getByRole('button', { name: /^Deposit £/ }).click()
  await page.getByRole('button', { name: /^Deposit £/ }).waitFor()
  await requestsAnswered(page)
}

/** What the page says of the last attempt, above the list. */
async function said(page: Page): Promise<string> {
  const results = page.locator('form').locator('[role=status], [role=alert]')
  expect(await results.count()).toBe(1)
  return results.innerText()
}

const PAID = 'Paid at once'
const REFUSED = 'Not enough money'
const ORDERS = [
  [PAID, REFUSED],
  [REFUSED, PAID],
  [PAID, PAID],
  [REFUSED, REFUSED],
]

test.each(ORDERS)('%s, then %s: each time one result is shown, and the list has both', async (first, second) => {
  const page = await openWallet('Bob')
  await page.getByRole('heading', { name: 'Your deposits' }).waitFor()
  await requestsAnswered(page)
  const before = await rowsOf(page).count()
  for (const card of [first, second]) {
    await depositWith(page, card as string)
    const text = await said(page)
    if (card === PAID) expect(text).toContain('£20.00 deposited')
    else
      expect(text).toMatch(
        /^There is not enough money on the card\s+Deposit less, or use another card\.\s+For support$/,
      )
    const row = await rowsOf(page).first().innerText()
    expect(row).toContain(card === PAID ? 'Deposited' : 'Refused')
    expect(row).toContain(
      card === PAID ? 'It is in your account.' : 'There is not enough money on the card. Nothing was taken.',
    )
  }
  expect(await rowsOf(page).count()).toBe(before + 2)
})

test('paid, then refused to pay, then resolved: receipt and list agree at each step', async () => {
  const page = await openWallet('Carol')
  await depositWith(page, 'Paid, then refused: manual review')
  const receipt = page.locator('form').getByRole('status')
  await sweep(service.context)
  await expect.poll(() => depositStates(service, 3)).toEqual(['REVIEW'])
  await receipt.getByText('Deposit of £20.00: being checked').waitFor()
  await receipt.getByText('It is not in your account. We find out whether your bank has taken it.').waitFor()
  await rowsOf(page).first().getByText('Being checked').waitFor()
  expect(await page.getByText('deposited').count()).toBe(0)
  const { items } = (await service.operator('GET', '/operator/v1/deposits?customerId=3')).body
  const path = `/operator/v1/deposits/${items[0].paymentId}/resolution`
  await service.operator('POST', path, { outcome: 'voided', note: 'Not paid' })
  await receipt.getByText('Deposit of £20.00: taken back').waitFor()
  await rowsOf(page).first().getByText('it is no longer in your account').waitFor()
})

const REASON = 'There is not enough money on the card. Nothing was taken.'
const STATES = [
  { state: 'AUTHORISED', words: 'It is in your account.' },
  { state: 'DECLINED', words: REASON },
  { state: 'VOIDING', words: `${REASON} What your bank has reserved, it releases.` },
  { state: 'VOIDED', words: `${REASON} What your bank has reserved, it releases.` },
  { state: 'REVIEW', review: 'capture-unresolved', words: 'It is in your account. Your bank has not paid it yet' },
  { state: 'REVIEW', review: 'cancel-unresolved', words: 'It is not in your account. We find out whether' },
]

test('every state has its words, and more than ten deposits are shown on request', async () => {
  const page = await openWallet('Alice')
  await page.getByText('You have made no deposits').waitFor()
  // The oldest are captured.
  const among = (column: (one: (typeof STATES)[number]) => string, otherwise: string) =>
    `case i ${STATES.map((one, index) => `when ${7 + index} then ${column(one)}`).join(' ')} else ${otherwise} end`
  const columns = [
    among(({ state }) => `'${state}'`, `'CAPTURED'`),
    among(({ state }) => (/^(DECLINED|VOID)/.test(state) ? `'insufficientFunds'` : 'null'), 'null'),
    among(({ review }) => (review === undefined ? 'null' : `'${review}'`), 'null'),
    among(({ review }) => (review === undefined ? 'null' : '1'), 'null'),
  ]
  await insertDeposits(service, { id: 1, method: 101 }, 12, `500, 'GBP', ${columns.join(', ')}`)
  await service.context.database.script(
    `update deposit set captured = amount where customer_id = 1 and state = 'CAPTURED'`,
  )
  await page.reload()
  await rowsOf(page).first().waitFor()
  expect(await rowsOf(page).count()).toBe(10)
  const texts = await rowsOf(page).allInnerTexts()
  expect(STATES.map(({ words }, index) => texts[5 - index]?.includes(words))).toEqual(STATES.map(() => true))
  expect(texts[6]).toContain('It is in your account.')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => rowsOf(page).count()).toBe(12)
})
