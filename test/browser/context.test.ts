// What a moderator sees beside a subject, and does from there; lanes and reporters.

import type { Page } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import { reweighFlagsOfReporters } from '../../src/flags/weights.ts'
import {
  LAPTOP,
  openRoute,
  overflowOf,
  PHONE,
  passTimeToUndo,
  requestsAnswered,
  saveScreenshot,
  useBrowser,
} from '../harness/browser.ts'
import { gradedTips } from '../harness/records.ts'
import { type Json, type TestCustomer, useService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'
import { actionsOn, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATIENCE = { timeout: 60_000, interval: 50 }

type Member = TestCustomer & { profileId: number; name: string }
let author: Member
let loud: Member
let league: Member
let tip: number
let other: number

async function named(name: string): Promise<Member> {
  const member = await service.member()
  await service.call('PUT', `/v1/profiles/me?name=${encodeURIComponent(name)}`, { ticket: member.ticket })
  return { ...member, name }
}

const flagTip = (id: number, { ticket }: Member, text: Record<string, string> = {}) =>
  service.call('POST', `/v1/communities/comments/${id}/flag?${new URLSearchParams(text)}`, { ticket })
const decide = (id: number, action: string, note = '') =>
  service.operator('POST', `/operator/v1/moderation/comments/${id}`, { action, note })
const reporterNow = async ({ profileId }: Member): Promise<Json> =>
  (await service.operator('GET', `/operator/v1/reporters/${profileId}`)).body

beforeAll(async () => {
  author = await named('Barry Boast')
  loud = await named('Loud Lou')
  league = await named('League Watch')
  await gradedTips(service, author, 'WLLWL')
  const [first, second, third] = await newMatch(service, { outcomes: 3 })
  const removed = await newTip(service, author, first!.id, { text: 'Cannot lose, ring me on 0700 000 0000' })
  await flagTip(removed, league, { reason: 'spam' })
  await decide(removed, 'remove', 'A telephone number')
  other = await newTip(service, author, second!.id, { text: 'A quiet one' })
  await flagTip(other, loud, { reason: 'other' })
  tip = await newTip(service, author, third!.id, { text: 'The jockey told me himself: this one is not trying today.' })
  await service.operator('PUT', `/operator/v1/reporters/${league.profileId}`, { trusted: true })
  await reweighFlagsOfReporters(service.context.database)
  await flagTip(tip, loud, { reason: 'abuse' })
  await flagTip(tip, league, { reason: 'inside-information', note: 'He rode for the stable last week.' })
})

async function openQueue(options = LAPTOP, query = 'kind=comment', token?: string): Promise<Page> {
  const page = await consoles.signedIn(token, options)
  await openRoute(page, `queue?${query}`)
  await panelOf(page).getByText('Flagged by').waitFor()
  return page
}
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Context' })
const section = (page: Page, name: string) => panelOf(page).getByRole('region', { name, exact: true })

test('the queue shows reasons and weights, and beside the tip who flagged it, its author, tips and decisions', async () => {
  const page = await openQueue()
  const rows = page.getByRole('list', { name: 'In the queue' }).getByRole('listitem')
  expect(await rows.first().textContent()).toMatch(
    /not trying today.*2 flags, weight 1\.17.*Trusted reporter.*Abuse.*Inside/,
  )
  const flags = await section(page, 'Flagged by').textContent()
  expect(flags).toMatch(
    /League Watch.*Inside information.*Trusted.*He rode for the stable last week\..*Right in 1 of 1, weight 0\.67/,
  )
  expect(flags).toMatch(/Loud Lou.*Abuse.*No flag decided yet, weight 0\.50/)
  expect(await section(page, 'Author').textContent()).toMatch(/Barry Boast.*Active.*Record: 5 settled, 2 won, 3 lost/)
  expect(await section(page, 'Latest tips').textContent()).toMatch(/of 8.*A quiet one.*Removed.*0700/)
  expect(await section(page, 'Decisions on the author').textContent()).toMatch(
    /Tip \d+ removed by bootstrap.*A telephone number/,
  )
  await saveScreenshot(page, 'context')
  await page.emulateMedia({ colorScheme: 'dark' })
  await saveScreenshot(page, 'context-dark')
  await page.keyboard.press('j')
  await section(page, 'Flagged by').getByText('Other').waitFor()
  expect(await panelOf(page).textContent()).not.toContain('He rode')
})

test('the tip is first and large, then its event and what is known of it, and below its author’s tips on the event', async () => {
  const page = await openQueue()
  const card = page.locator('article')
  const quote = card.locator('> :first-child')
  expect(await quote.textContent()).toMatch(/not trying today/)
  const size = (selector: string) =>
    page.evaluate(`Number.parseFloat(getComputedStyle(document.querySelector('${selector}')).fontSize)`)
  expect(await size('article blockquote')).toBeGreaterThan((await size('article h2')) as number)
  expect(await card.textContent()).toMatch(/Match result, Event \d+, starts 1 Jan 2030.*Open flags\s*2.*weight/)
  const thread = card.getByRole('region', { name: 'The author’s tips on this event' })
  expect(await thread.getByRole('listitem').allTextContents()).toMatchObject([
    expect.stringMatching(/removed.*0700/i),
    expect.stringMatching(/A quiet one/),
    expect.stringMatching(/^This one.*not trying today/),
  ])
  const bar = await card.getByRole('region', { name: 'Decide' }).boundingBox()
  expect((await thread.boundingBox())!.y).toBeGreaterThan(bar!.y)
})

test('the page of moderators has what each decided in a period', async () => {
  const page = await consoles.signedIn()
  await page.getByRole('link', { name: 'Moderators' }).click()
  const row = page.getByRole('table', { name: 'Moderators' }).getByRole('row').filter({ hasText: 'bootstrap' })
  expect(await row.textContent()).toMatch(/^bootstrap\d+\d+[\d.]+ min0 \(0%\)$/)
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Nobody decided anything in this period.').waitFor()
})

test('on a phone the context is below the tip, and nothing is wider than the screen', async () => {
  const page = await openQueue(PHONE)
  const card = await page.locator('article').boundingBox()
  const panel = await panelOf(page).boundingBox()
  expect(panel!.y).toBeGreaterThanOrEqual(card!.y + card!.height)
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await panelOf(page).scrollIntoViewIfNeeded()
  await saveScreenshot(page, 'context-phone')
  await page.emulateMedia({ colorScheme: 'dark' })
  await saveScreenshot(page, 'context-phone-dark')
  await openRoute(page, 'reporters')
  await page.getByRole('table', { name: 'Reporters' }).waitFor()
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await saveScreenshot(page, 'reporters-phone')
})

test('a reporter is muted and trusted after a confirmation, and weights follow', async () => {
  const page = await openQueue()
  await page.getByRole('button', { name: 'Mute Loud Lou' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await reporterNow(loud)).toMatchObject({ muted: false })
  await page.getByRole('button', { name: 'Mute Loud Lou' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click()
  await page.getByRole('button', { name: 'Unmute Loud Lou' }).waitFor()
  expect(await reporterNow(loud)).toMatchObject({ muted: true, weight: '0.00' })
  await reweighFlagsOfReporters(service.context.database)
  await page.getByRole('button', { name: 'Refresh' }).click()
  const rows = page.getByRole('list', { name: 'In the queue' }).getByRole('listitem')
  await vi.waitFor(async () => expect(await rows.count()).toBe(1), PATIENCE)
  expect(await rows.first().textContent()).toContain('weight 0.67')

  await openRoute(page, 'reporters?marked=muted')
  const table = page.getByRole('table', { name: 'Reporters' })
  await table.getByText('Loud Lou').waitFor()
  await saveScreenshot(page, 'reporters')
  await page.getByRole('button', { name: 'Unmute Loud Lou' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unmute' }).click()
  await page.getByText('No muted reporters.').waitFor()
  expect(await reporterNow(loud)).toMatchObject({ muted: false, weight: '0.50' })
  await reweighFlagsOfReporters(service.context.database)
})

test('the lane of trusted reporters has only what they flagged', async () => {
  const page = await openQueue()
  await page.getByRole('link', { name: 'Trusted' }).click()
  const rows = page.getByRole('list', { name: 'In the queue' }).getByRole('listitem')
  await vi.waitFor(async () => expect(await rows.count()).toBe(1), PATIENCE)
  expect(await rows.first().textContent()).toContain('not trying today')
  await page.getByRole('link', { name: 'Profiles' }).click()
  await page.getByText('No profile has open flags of trusted reporters.').waitFor()
})

test('an auditor sees the context, and is offered nothing to do', async () => {
  const page = await openQueue(LAPTOP, 'kind=comment', await tokenOf(service, 'auditor', 'Audit Al'))
  expect(await panelOf(page).getByRole('button').count()).toBe(0)
  expect(await panelOf(page).getByText('Decide on the author').count()).toBe(0)
})

test('the author is decided on from the tip’s own page, pending first, and the context shows it afterwards', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Panel Pat'))
  await openRoute(page, `comments/${other}`)
  await panelOf(page).getByText('Decide on the author').click()
  await panelOf(page).getByLabel(/^Why/).fill('Boasts')
  await panelOf(page).getByRole('button', { name: 'Reset name: Barry Boast' }).click()
  await panelOf(page).getByText('Pending: name reset').waitFor()
  expect(await actionsOn(service, author.profileId)).toEqual([])
  await passTimeToUndo(page)
  await vi.waitFor(async () => expect(await actionsOn(service, author.profileId)).toEqual(['reset-name']), PATIENCE)
  await section(page, 'Decisions on the author').getByText('Profile name reset by Panel Pat').waitFor()
  expect(await section(page, 'Author').textContent()).toContain(`player-${author.profileId}`)
  await requestsAnswered(page)
  await saveScreenshot(page, 'context-page')
})
