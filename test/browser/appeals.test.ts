// Reasons of a decision, appeals in the queue, and the report on moderation.

import { expect, test } from 'vitest'
import { appealed, decide, flagTip, keptTip, ownDecisions, removedTip, tipBy } from '../harness/appeals.ts'
import {
  openRoute,
  overflowOf,
  PHONE,
  passTimeToUndo,
  requestsAnswered,
  saveScreenshot,
  useBrowser,
} from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { emptyQueue, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

/** Of tests before. */
async function noAppeals(): Promise<void> {
  const judge = await tokenOf(service, 'moderator', `Judge ${performance.now()}`)
  const { items } = (await service.operator('GET', '/operator/v1/moderation/queue?kind=appeal')).body
  for (const { id } of items) await decide(service, `appeals/${id}`, { outcome: 'upheld', reply: 'No' }, judge)
}

async function flaggedTip() {
  await emptyQueue(service, 'comment')
  const author = await service.member()
  const tip = await tipBy(service, author)
  await flagTip(service, await service.member(), tip)
  return { author, tip }
}

test('one key removes with the default reasons; t opens them, and undo brings them back', async () => {
  const { author } = await flaggedTip()
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Reasoner'))
  await openRoute(page, 'queue?kind=comment')
  await page.getByText('To the author, if restricted: Community rules').waitFor()
  await page.keyboard.press('t')
  await page.getByLabel('Clause').selectOption('spam')
  expect(await page.getByLabel('Statement to the author').inputValue()).toContain('advertises')
  await page.getByLabel('Statement to the author').fill('You repeat yourself.')
  await saveScreenshot(page, 'reasons')
  await page.keyboard.press('Escape')
  await page.keyboard.press('x')
  await page.keyboard.press('u')
  expect(await page.getByLabel('Statement to the author').inputValue()).toBe('You repeat yourself.')
  await page.getByRole('article').focus()
  await page.keyboard.press('x')
  await passTimeToUndo(page)
  await page.getByText('removed. Saved.').waitFor()
  expect((await ownDecisions(service, author))[0]).toMatchObject({ clause: 'spam', statement: 'You repeat yourself.' })

  const { author: next } = await flaggedTip()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('To the author, if restricted: Community rules').waitFor()
  await page.keyboard.press('x')
  await passTimeToUndo(page)
  await expect.poll(async () => (await ownDecisions(service, next))[0]?.clause).toBe('general')
})

test('an author’s appeal is overturned in the queue, with a reply', async () => {
  await noAppeals()
  const { author, decisionId, tip } = await removedTip(service, { clause: 'abuse', note: 'rude' })
  await appealed(service, author, decisionId)
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Judge Judy'))
  await page.getByRole('link', { name: 'Appeals' }).click()
  const card = page.getByRole('article')
  await card.getByRole('heading', { name: 'Appeal of the author' }).waitFor()
  await expect
    .poll(() => card.textContent())
    .toMatch(/Please read it again.*removed by bootstrap.*rude.*Abuse and harassment, Terms/s)
  // The word before the number is not repeated.
  expect(await card.textContent()).toContain(`Customer${author.id}`)
  await card.getByText('Write a reply first.').waitFor()
  await card.getByLabel('Reply').fill('You are right. Sorry.')
  await requestsAnswered(page)
  await saveScreenshot(page, 'appeal')
  await card.getByRole('button', { name: 'Overturn it' }).click()
  await page.getByText('Appeal overturned. Saved.').waitFor()
  expect((await service.call('GET', `/v1/communities/comments/${tip}`)).status).toBe(200)
  expect((await ownDecisions(service, author)).at(-1).appeal.reply).toBe('You are right. Sorry.')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('No open appeals.').waitFor()
})

test('a reporter’s appeal on a phone, in the dark: the moderator chooses what to do now', async () => {
  await noAppeals()
  const { reporter, decisionId, tip } = await keptTip(service)
  await appealed(service, reporter, decisionId)
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Judge on a phone'), {
    ...PHONE,
    colorScheme: 'dark',
  })
  await openRoute(page, 'queue?kind=appeal')
  await page.getByRole('heading', { name: 'Appeal of the reporter' }).waitFor()
  await page.getByLabel('If overturned').selectOption('remove')
  await page.getByLabel('Reply').fill('Now removed.')
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await saveScreenshot(page, 'appeal-phone')
  await page.getByRole('button', { name: 'Overturn it' }).click()
  await page.getByText('Appeal overturned. Saved.').waitFor()
  expect((await service.call('GET', `/v1/communities/comments/${tip}`)).status).toBe(400)
})

test('whoever decided first is told that somebody else must', async () => {
  await noAppeals()
  const first = await tokenOf(service, 'moderator', 'First Moderator')
  const { author, decisionId } = await removedTip(service, {}, first)
  await appealed(service, author, decisionId)
  const page = await consoles.signedIn(first)
  await openRoute(page, 'queue?kind=appeal')
  await page.getByText('You made this decision').waitFor()
  await page.getByLabel('Reply').fill('I was right.')
  await page.getByRole('button', { name: 'Uphold the decision' }).click()
  await page.getByText('Conflict. You made the decision').waitFor()
  expect((await ownDecisions(service, author))[0].appeal.state).toBe('open')
})

test.each([
  ['laptop', undefined],
  ['phone', { ...PHONE, colorScheme: 'dark' as const }],
])('the report on moderation, on a %s', async (device, options) => {
  const page = await consoles.signedIn(undefined, options)
  await openRoute(page, 'transparency')
  const clauses = page.getByRole('table', { name: 'Decisions' })
  await clauses.getByRole('cell', { name: 'Community rules' }).first().waitFor()
  expect(await clauses.getByText('general', { exact: true }).count()).toBe(0)
  if (options !== undefined)
    expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await saveScreenshot(page, `transparency-${device}`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download statements (CSV)' }).click()
  expect((await download).suggestedFilename()).toBe('statements.csv')
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('None in this period.').first().waitFor()
  expect(page.url()).toContain('from=2020-01-01&to=2020-01-31')
})

test('a period that is refused can be corrected', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'transparency?from=2026-05-02&to=2026-05-01')
  await page.getByRole('alert').waitFor()
  await page.getByLabel('To', { exact: true }).fill('2026-05-03')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  expect(await page.getByLabel('From').inputValue()).toBe('2026-05-02')
})

test('a rejected flag on what was removed since cannot be overturned', async () => {
  await noAppeals()
  const { reporter, tip, decisionId } = await keptTip(service)
  await appealed(service, reporter, decisionId)
  await decide(service, `comments/${tip}`, { action: 'remove' })
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', `Judge ${performance.now()}`))
  await openRoute(page, 'queue?kind=appeal')
  await page.getByText('Nothing is left to restrict').waitFor()
  expect(await page.getByRole('button', { name: 'Overturn it' }).count()).toBe(0)
})
