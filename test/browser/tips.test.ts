// Browsing tips in the console.

import { beforeAll, expect, test } from 'vitest'
import {
  LAPTOP,
  openRoute,
  overflowOf,
  PHONE,
  requestsAnswered,
  saveScreenshot,
  useBrowser,
} from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { newMatch, newTip, operatorOk, type TestOutcome } from '../harness/sportsbook.ts'
import { openFilters, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
let liked: number
let plain: number

beforeAll(async () => {
  const [one, other] = [await service.member(), await service.member()]
  const [outcome, second] = (await newMatch(service, { outcomes: 2 })) as [TestOutcome, TestOutcome]
  liked = await newTip(service, one, outcome.id)
  plain = await newTip(service, other, second.id)
  await service.call('POST', `/v1/communities/comments/${liked}/like`, { ticket: other.ticket })
})

test('tips are browsed by order and featured, and featured from the list', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Tip reader'))
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Tips', exact: true }).click()
  const links = page.getByRole('table', { name: 'Tips' }).locator('tbody a[href^="#/comments/"]')
  const shown = () => links.evaluateAll((found) => found.map((link) => link.getAttribute('href')))
  await expect.poll(shown).toEqual([`#/comments/${plain}`, `#/comments/${liked}`])
  await page.getByRole('heading', { name: 'New tips' }).waitFor()
  await page.getByText('Outcomes that gather tips now').click()
  expect(await page.getByRole('table', { name: 'Top outcomes' }).locator('tbody').getByRole('row').count()).toBe(2)

  await openFilters(page)
  await page.getByLabel('Show').selectOption('Most liked')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(shown).toEqual([`#/comments/${liked}`, `#/comments/${plain}`])

  await page.getByRole('button', { name: `Feature tip ${plain}`, exact: true }).click()
  await page.getByRole('button', { name: `Unfeature tip ${plain}` }).waitFor()
  await openFilters(page)
  await page.getByLabel('Show').selectOption('Featured')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(shown).toEqual([`#/comments/${plain}`])
  await requestsAnswered(page)
  await saveScreenshot(page, 'tips')
  expect(await overflowOf(page, LAPTOP.viewport.width)).toEqual({ page: LAPTOP.viewport.width, over: [] })
  await page.getByRole('button', { name: `Unfeature tip ${plain}` }).click()
  await page.getByText('No matching tips').waitFor()
})

test('a tip that lost is not shown as good news', async () => {
  const author = await service.member()
  const [winner, loser] = (await newMatch(service, { outcomes: 2 })) as [TestOutcome, TestOutcome]
  for (const { id } of [winner, loser]) await newTip(service, author, id)
  const results = { [winner.id]: 'win', [loser.id]: 'lose' }
  await operatorOk(service, 'POST', `/markets/${winner.marketId}/settlement`, { results })
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Reader of results'))
  await openRoute(page, `tips?profileId=${author.profileId}`)
  const badge = (result: string) => page.getByRole('table', { name: 'Tips' }).getByText(result, { exact: true })
  await badge('Lost').waitFor()
  expect(await badge('Lost').getAttribute('class')).toBe('badge bad')
  expect(await badge('Won').getAttribute('class')).toBe('badge good')
})

test('whether a tip is seen has the same words in every screen', async () => {
  const author = await service.member()
  const outcomes = (await newMatch(service, { outcomes: 2 })) as [TestOutcome, TestOutcome]
  const [own, taken] = [await newTip(service, author, outcomes[0].id), await newTip(service, author, outcomes[1].id)]
  await service.call('PUT', `/v1/communities/comments/${own}`, { ticket: author.ticket })
  await operatorOk(service, 'POST', `/moderation/comments/${taken}`, { action: 'remove' })
  const page = await consoles.signedIn()
  await openRoute(page, `tips?profileId=${author.profileId}`)
  const table = page.getByRole('table', { name: 'Tips' })
  const shown = async (word: string) => expect(await table.getByText(word, { exact: true }).count()).toBe(1)
  await table.waitFor()
  await shown('Withdrawn')
  await shown('Removed')
  await openFilters(page)
  const states = await page.getByLabel('State').getByRole('option').allTextContents()
  expect(states).toEqual(['Any', 'Live', 'Withdrawn', 'Removed'])
  await openRoute(page, `comments/${own}`)
  await page.getByRole('definition').getByText('Withdrawn', { exact: true }).waitFor()
  await openRoute(page, `customers/${author.id}?tab=activity&list=tips`)
  await page.getByRole('cell', { name: 'Withdrawn' }).waitFor()
  await page.getByRole('cell', { name: 'Removed' }).waitFor()
})

test('tips fit a phone', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Tips on a phone'), PHONE)
  await openRoute(page, 'tips')
  await page.getByRole('table', { name: 'Tips' }).waitFor()
  await requestsAnswered(page)
  expect(await page.getByRole('button', { name: /^Feature/ }).count()).toBe(0)
  await saveScreenshot(page, 'tips-phone')
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
})
