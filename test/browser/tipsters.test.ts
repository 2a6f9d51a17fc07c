// The board of tipsters and their records in the console.

import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  LAPTOP,
  openRoute,
  overflowOf,
  PHONE,
  requestsAnswered,
  saveScreenshot,
  useBrowser,
} from '../harness/browser.ts'
import { boardUpToDate, gradedTips, type SettledTip } from '../harness/records.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
type Member = TestCustomer & { profileId: number }
const [DARTS, GOLF] = [901, 902]
let steady: Member
let withdrawing: Member

/** On so many days, one after another, the last one today. */
function tips(grades: string, days: number, more: Partial<SettledTip> = {}): SettledTip[] {
  return [...grades].map((grade, index) => ({ ...more, grade: grade as 'W', daysAgo: days - 1 - (index % days) }))
}

async function named(name: string): Promise<Member> {
  const member = await service.member()
  await service.call('PUT', `/v1/profiles/me?${new URLSearchParams({ name })}`, { ticket: member.ticket })
  return member
}

async function shown(page: Page, route: string): Promise<void> {
  await openRoute(page, route)
  await page.locator('main h1').waitFor()
  await requestsAnswered(page)
}

const rowsOf = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('tbody').getByRole('row')
const hashOf = (page: Page) => page.evaluate('location.hash')
const figure = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
    .locator('dd')

/** What moved since the page was opened, in the page: hence text. */
const SHIFTS = `new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => resolve(list.getEntries()
    .filter(({ hadRecentInput }) => !hadRecentInput)
    .flatMap(({ sources }) => sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? String(node)))))
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve([])))
})`

/** With an answer: what gets none is tried again without a click, as soon as there is a connection. */
const refuse = (route: Route) => route.fulfill({ status: 503, json: { title: 'Busy', detail: 'Later.' } })

beforeAll(() => service.clock.hold())

test('an empty board says what a rank needs', async () => {
  await boardUpToDate(service)
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Board reader'))
  await page.getByRole('link', { name: 'Tipsters' }).click()
  await page.getByText('No ranked tipsters').waitFor()
  await page.getByText('at least 20 tips that won or lost, settled on at least 5 days').waitFor()
  await page.getByLabel('Period').selectOption('all time')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('at least 100 tips that won or lost').waitFor()
  await saveScreenshot(page, 'tipsters-empty')
})

describe('with records', () => {
  beforeAll(async () => {
    steady = await named('Steady Eddie')
    withdrawing = await named('Wendy Withdraws')
    await gradedTips(service, steady, [
      ...tips('WWWL'.repeat(5), 5, { sportId: DARTS, closing: { num: 4, den: 5 } }),
      ...tips('WL'.repeat(5), 6, { sportId: GOLF, price: { num: 5, den: 1 } }),
      { grade: 'V', sportId: DARTS },
      ...tips('WLL', 3, { sportId: DARTS, inPlay: true }),
    ])
    await gradedTips(service, withdrawing, [
      ...tips('W'.repeat(8), 5, { sportId: GOLF }),
      ...tips('L'.repeat(12), 5, { sportId: GOLF, withdrawn: true }),
    ])
    await newMatch(service, { sportId: DARTS, outcomes: 1 })
    await boardUpToDate(service)
  })

  const figuresOf = async ({ profileId }: Member, query = ''): Promise<Json> =>
    (await service.operator('GET', `/operator/v1/profiles/${profileId}/record${query}`)).body

  test('the board shows ranks, figures with their intervals, and who withdrew much', async () => {
    const page = await consoles.signedIn()
    await shown(page, 'tipsters')
    const [first, second] = [rowsOf(page, 'Ranking of records').nth(0), rowsOf(page, 'Ranking of records').nth(1)]
    const { record } = await figuresOf(steady, '?numDays=30')
    const [low, high] = [record.yieldLow, record.yieldHigh].map((text) => text.replace('-', '−'))
    expect((await first.textContent())?.replace(/\s+/g, ' ')).toMatch(/^1 Steady Eddie\+/)
    for (const text of [
      `+${record.yield}%`,
      `${low}%`.replace(/^(\d)/, '+$1'),
      `+${high}%`,
      '66.67%',
      '+30.00',
      '31 (1 void)',
    ]) {
      expect(await first.textContent()).toContain(text)
    }
    expect(await second.textContent()).toContain('Wendy Withdraws')
    expect(await second.locator('.badge.warn').textContent()).toBe('12')
    expect(await first.locator('.badge').count()).toBe(0)
    // All bars have their 0 at the same place.
    const zeros = await page
      .locator('tbody svg line[y2="100%"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('x1')))
    expect([zeros.length, new Set(zeros).size]).toEqual([2, 1])
  })

  test('filters are in the address, also of the record that is opened and on the way back', async () => {
    const page = await consoles.signedIn()
    await shown(page, 'tipsters')
    await page.getByLabel('Period').selectOption('7 days')
    await page.getByLabel('Sport', { exact: true }).selectOption(`Sport ${DARTS}`)
    await page.getByLabel('Decimal odds').selectOption('2 to below 4')
    await page.getByRole('button', { name: 'Filter' }).press('Enter')
    const query = `?numDays=7&sportId=${DARTS}&band=2-4`
    await expect.poll(() => hashOf(page)).toBe(`#/tipsters${query}`)
    await expect.poll(() => rowsOf(page, 'Ranking of records').count()).toBe(1)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')

    await page.getByRole('link', { name: 'Steady Eddie' }).click()
    await page.getByRole('heading', { name: 'Steady Eddie' }).waitFor()
    expect(await hashOf(page)).toBe(`#/tipsters/${steady.profileId}${query}`)
    expect(await figure(page, 'Settled tips').first().textContent()).toBe('21')
    await page.reload()
    expect(await figure(page, 'Settled tips').first().textContent()).toBe('21')
    expect(await page.getByLabel('Period').inputValue()).toBe('7')
    await page.getByRole('link', { name: 'All tipsters' }).click()
    await rowsOf(page, 'Ranking of records').first().waitFor()
    expect(await hashOf(page)).toBe(`#/tipsters${query}`)

    await openRoute(page, 'tipsters?band=9-10')
    await page.getByRole('alert').getByText('band').waitFor()
  })

  test('a record shows its figures, the profit curve with a table, and its parts', async () => {
    const page = await consoles.signedIn()
    await shown(page, `tipsters/${steady.profileId}`)
    const { record, days } = await figuresOf(steady)
    expect(await figure(page, 'Profit').first().textContent()).toBe('+30.00 points')
    expect(await figure(page, 'Yield').first().textContent()).toBe('+100.00%')
    expect(await figure(page, 'Closing value').nth(1).textContent()).toContain('mean of 20 tips; 20 were above 0')
    expect(await figure(page, 'Streak').nth(1).textContent()).toBe(`Longest losing streak: ${record.longestLosing}.`)
    await page.getByText('Not ranked', { exact: true }).waitFor()
    await page.getByText('at least 100 tips').waitFor()

    const curve = page.getByRole('img', { name: 'Profit by day of settlement' })
    const points = ((await curve.locator('polyline').getAttribute('points')) ?? '').split(' ')
    expect(points.length).toBe(days.length + 1)
    const rising = (text: string | undefined) => Number(text?.split(',')[1])
    expect(rising(points.at(-1))).toBeLessThan(rising(points[0]))
    expect(await curve.locator('title').last().textContent()).toContain('+30.00 points after 30 tips')
    await page.getByText('Show as table').click()
    const last = days.at(-1)
    const row = page.locator('figure').getByRole('row', { name: last.date })
    expect(await row.getByRole('cell').allTextContents()).toEqual(
      [last.num, `+${last.profit}`, `+${last.low}`, `+${last.high}`].map(String),
    )
    expect(await rowsOf(page, 'By sport').allTextContents()).toEqual([
      expect.stringMatching(/^Sport 90121\+10\.00\+50\.00%/),
      expect.stringMatching(/^Sport 90210\+20\.00\+200\.00%/),
    ])
    expect(await rowsOf(page, 'By price').allTextContents()).toEqual([
      expect.stringMatching(/^2 to below 421\+10\.00/),
      expect.stringMatching(/^4 to below 810\+20\.00/),
    ])
    await saveScreenshot(page, 'tipster')

    await page.getByLabel('Tips made').selectOption('in play')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('Tips in play are not ranked.').waitFor()
    expect(await hashOf(page)).toBe(`#/tipsters/${steady.profileId}?numDays=0&inPlay=Y`)
    expect(await figure(page, 'Profit').first().textContent()).toBe('−1.00 points')
    await openRoute(page, `tipsters/${steady.profileId}?inPlay=Y&sportId=${GOLF}`)
    await page.getByText('No settled tips in this selection').waitFor()
    expect(await page.locator('figure').count()).toBe(0)
  })

  test('many withdrawn tips are called out', async () => {
    const page = await consoles.signedIn()
    await shown(page, `tipsters/${withdrawing.profileId}`)
    await page.getByText('12 of 20 settled tips are withdrawn or removed.').waitFor()
    await shown(page, `tipsters/${steady.profileId}`)
    expect(await page.getByText('are withdrawn').count()).toBe(0)
  })

  test('a recount is equal, names differences, and can be tried again', async () => {
    const member = await named('Tampered Tim')
    const [tip] = await gradedTips(service, member, 'WL')
    const page = await consoles.signedIn()
    await shown(page, `tipsters/${member.profileId}`)
    const recount = page.getByRole('button', { name: 'Recount' })
    await recount.click()
    await page.getByRole('status').getByText('2 tips recounted: every grade and every sum is as stored.').waitFor()
    await service.context.database.script(`update tip_grade set profit = 5000000 where comment_id = ${tip}`)
    await recount.click()
    await page.getByText('not equal').waitFor()
    expect(await rowsOf(page, 'Differences').allTextContents()).toEqual([
      `tip ${tip}profit10000005000000`,
      expect.stringMatching(/^sum of \d{4}-.*profit50000001000000$/),
    ])
    expect(await page.getByRole('link', { name: `tip ${tip}` }).getAttribute('href')).toBe(`#/comments/${tip}`)
    await page.route('**/record/check', refuse)
    await recount.click()
    await page.getByRole('alert').getByText('Later.').waitFor()
    expect(await page.getByText('not equal').count()).toBe(0)
    await page.unroute('**/record/check')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('not equal').waitFor()
  })

  test('a board and a record that cannot be loaded can be tried again', async () => {
    const page = await consoles.signedIn()
    for (const [route, call] of [
      ['tipsters', '**/records/ranking?*'],
      [`tipsters/${steady.profileId}`, '**/record?*'],
    ] as const) {
      await page.route(call, refuse)
      await openRoute(page, route)
      await page.getByRole('alert').getByText('Later.').waitFor()
      await page.unroute(call)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('main').getByText('Steady Eddie').first().waitFor()
    }
    await openRoute(page, 'tipsters/999999')
    await page.getByText('There is no such profile.').waitFor()
  })

  test('a profile and a tip lead to the record of the author, an inactive one is marked on the board', async () => {
    const [outcome] = (await newMatch(service)) as [TestOutcome]
    const tip = await newTip(service, withdrawing, outcome.id)
    const page = await consoles.signedIn()
    for (const route of [`profiles/${withdrawing.profileId}`, `comments/${tip}`]) {
      await openRoute(page, route)
      await page.getByRole('link', { name: 'record', exact: true }).click()
      await page.getByRole('heading', { name: 'Wendy Withdraws' }).waitFor()
      expect(await hashOf(page)).toBe(`#/tipsters/${withdrawing.profileId}`)
    }
    const path = `/operator/v1/moderation/profiles/${withdrawing.profileId}`
    await service.operator('POST', path, { action: 'deactivate' })
    await openRoute(page, 'tipsters')
    await page.getByRole('row', { name: /Wendy Withdraws Not public/ }).waitFor()
    await service.operator('POST', path, { action: 'reactivate' })
  })

  test.each([
    ['laptop', LAPTOP],
    ['phone', PHONE],
  ] as const)('both fit a %s, and nothing moves while they load', async (name, size) => {
    const page = await consoles.signedIn(undefined, size)
    for (const route of ['tipsters', `tipsters/${withdrawing.profileId}`]) {
      await shown(page, route)
      // What moved on the screen before does not count.
      await page.reload()
      await shown(page, route)
      const { width } = size.viewport
      expect([route, await overflowOf(page, width)]).toEqual([route, { page: width, over: [] }])
      expect([route, await page.evaluate(SHIFTS)]).toEqual([route, []])
      await saveScreenshot(page, `${route.replace(/\/.*/, '-one')}-${name}`)
    }
  })
})
