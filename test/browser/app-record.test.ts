// What the showcase says a tip won or lost: the same figures on the card, on the tip's page and in the record.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { utcDayText } from '../../web/relative-time.ts'
import { violations } from '../harness/axe.ts'
import { LAPTOP, openRoute, PHONE, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { gradedTips, recordOf, recordTipsOf } from '../harness/records.ts'
import { useService } from '../harness/service.ts'
import { newBet, newMatch, newTip, operatorOk, settle, type TestOutcome } from '../harness/sportsbook.ts'
import { openApp, TICKETS, tipOf } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)
const CAROL = { id: 3, ticket: TICKETS.Carol }
const FIFTH = { num: 1, den: 5, places: 3 }

/** A tip of Carol's on a bet with these terms, settled. */
async function settledTip(text: string, leg: object, told: object): Promise<number> {
  const [outcome] = (await newMatch(service, { sportId: 21 })) as [TestOutcome]
  await operatorOk(service, 'PATCH', `/outcomes/${outcome.id}`, { price: { num: 20, den: 1 } })
  const betId = await newBet(service, CAROL.id, [outcome.id])
  const legs = [{ outcomeId: `${outcome.id}`, ...leg }]
  await operatorOk(service, 'PUT', `/bets/${betId}`, { customerId: CAROL.id, outcomeIds: [outcome.id], legs })
  const id = await newTip(service, CAROL, outcome.id, { betId, text })
  await settle(service, outcome, told)
  return id
}

const settlementOn = (page: Page) => page.getByRole('region', { name: 'How it was settled' })
const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')

test('a tip, its card and the record say the same of each way and Rule 4', async () => {
  const terms = { price: { num: 7, den: 2 }, eachWay: FIFTH }
  const id = await settledTip('Both ways to be safe', terms, { result: 'win', rule4: '0.10' })
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, `tips/${id}`)
  await settlementOn(page).getByText('+3.78 points from 2 points staked').waitFor()
  await settlementOn(page).getByText('one on a place at 1/5 of the odds').waitFor()
  await settlementOn(page).getByText('Rule 4: 10p in the pound off the winnings').waitFor()
  await requestsAnswered(page)
  expect(await violations(page)).toEqual([])
  await saveScreenshot(page, 'app-settled-phone')

  await openRoute(page, 'profiles/3')
  await expect
    .poll(() => results(page).first().innerText())
    .toMatch(/^Won[\s\S]*each way · Rule 4 10p[\s\S]*\+3\.78\s+2 points at 7\/2$/)
  await page.getByRole('button', { name: 'Winning selections' }).click()
  await expect
    .poll(() => tipOf(page, 'Both ways to be safe').innerText())
    .toMatch(/Won\s*\+3\.78\s*points\s*each way · Rule 4 10p/)
})

test.each([
  {
    name: 'a dead heat',
    leg: { price: { num: 10, den: 1 } },
    told: { result: 'win', deadHeat: { num: 1, den: 2 } },
    badge: 'Won',
    texts: ['+4.50 points from 1 point staked', 'Dead heat: 1/2 of the stake to win counts.'],
  },
  {
    name: 'a place that loses, each way',
    leg: { price: { num: 2, den: 1 }, eachWay: FIFTH },
    told: { result: 'place' },
    badge: 'Placed',
    texts: ['−0.60 points from 2 points staked', 'Each way'],
  },
  {
    name: 'a place, not each way',
    leg: { price: { num: 2, den: 1 } },
    told: { result: 'place' },
    badge: 'Lost',
    texts: ['−1.00 points from 1 point staked'],
  },
  {
    name: 'void',
    leg: { price: { num: 2, den: 1 } },
    told: { result: 'void' },
    badge: 'Void',
    texts: ['The stake was returned: nothing won, nothing lost.'],
  },
])('$name', async ({ name, leg, told, badge, texts }) => {
  const id = await settledTip(`About ${name}`, leg, told)
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, `tips/${id}`)
  for (const text of texts) await settlementOn(page).getByText(text).waitFor()
  await tipOf(page, `About ${name}`).getByText(badge, { exact: true }).waitFor()
})

test('a tip that does not count says why it won nothing', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await newTip(service, CAROL, outcome.id)
  const second = await newTip(service, CAROL, outcome.id, { text: 'Once more' })
  await settle(service, outcome, 'win')
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, `tips/${second}`)
  await tipOf(page, 'Once more').getByText('This tip is not in the record').waitFor()
})

test('a record says what was staked, how small it is, and what was withdrawn; losers can be listed', async () => {
  const page = await openApp(browser, service, 'Alice', LAPTOP)
  await openRoute(page, 'me')
  const own = await recordOf(service, 1)
  const record = page.getByRole('region', { name: /^Record of/ })
  const numCounted = Number(own.numWon) + Number(own.numLost)
  await record.getByText(`points from ${Number(own.staked)} points staked`).waitFor()
  await record.getByText(`Small sample. ${numCounted} tips that won or lost`).waitFor()

  const withdrawing = await tipsterWhoWithdraws()
  await openRoute(page, `profiles/${withdrawing.id}`)
  await record
    .getByText(`${withdrawing.numWithdrawn} of ${withdrawing.numSettled} settled tips were withdrawn.`)
    .waitFor()
  expect(await record.getByText('Small sample').count()).toBe(0)
  await record.getByRole('button', { name: 'Lost' }).click()
  const lost = await recordTipsOf(service, withdrawing.id, '?status=L&blockSize=10')
  await expect.poll(() => results(page).count()).toBe(lost.length)
  for (const text of await results(page).allInnerTexts()) expect(text).toMatch(/^Lost[\s\S]*−1\.00/)
  await expect.poll(() => results(page).getByText('withdrawn').count()).toBeGreaterThan(0)
  await requestsAnswered(page)
  expect(await violations(page)).toEqual([])
  await saveScreenshot(page, 'app-record-laptop')
  await record.getByRole('button', { name: 'Void' }).click()
  await record.getByText('No tip was void').waitFor()
})

/** The places of the points of the curve, from left to right. Run in the page, where the root tsconfig has no DOM types. */
const CURVE = `document.querySelector('figure polyline').getAttribute('points').split(' ').map((point) => Number(point.split(',')[0]))`

test.each([
  ['Alice', 1],
  ['Bob', 2],
  ['Carol', 3],
] as const)('the results and the curve of %s are in the order of settlement', async (name, id) => {
  // Each later tip was settled on an earlier day.
  const tips = ([0, 2, 40] as const).map((daysAgo) => ({ grade: 'L', daysAgo }) as const)
  await gradedTips(service, { id, profileId: id }, tips)
  const page = await openApp(browser, service, name, LAPTOP)
  await openRoute(page, 'me')
  await results(page).first().waitFor()
  const places = (await page.evaluate(CURVE)) as number[]
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  const days = (await recordTipsOf(service, id, '?blockSize=10')).map(({ settled }) => settled)
  expect(days).toEqual(days.toSorted().toReversed())
  const shown = await results(page).locator('.row-text .quiet').allInnerTexts()
  expect(shown.map((text) => text.split(' · ')[1])).toEqual(days.map((day) => utcDayText(new Date(day))))
})

async function tipsterWhoWithdraws(): Promise<{ id: number; numWithdrawn: number; numSettled: number }> {
  for (let id = 21; id < 60; id++) {
    const { numWithdrawn, numSettled } = await recordOf(service, id)
    if (Number(numWithdrawn) > 20) return { id, numWithdrawn: Number(numWithdrawn), numSettled: Number(numSettled) }
  }
  throw new Error('no tipster of the sandbox withdraws tips')
}

test('odds are fractions, decimals or American, everywhere and after a reload', async () => {
  const page = await openApp(browser, service, 'Alice', PHONE)
  const price = tipOf(page, 'Travels well and stays further')
  await price.getByText('5/2', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await page.getByRole('group', { name: 'Odds as' }).getByRole('button', { name: 'American' }).click()
  await expect.poll(() => results(page).first().innerText()).toMatch(/ at [+−]\d+$/)
  await page.getByRole('link', { name: 'Feed' }).click()
  await price.getByText('+250', { exact: true }).waitFor()
  await page.reload()
  await price.getByText('+250', { exact: true }).waitFor()
  await page.setViewportSize(LAPTOP.viewport)
  await page.getByLabel('Odds', { exact: true }).selectOption('Decimals')
  await price.getByText('3.50', { exact: true }).waitFor()
})
