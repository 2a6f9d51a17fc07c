// Decisions that meet another moderator, the end of the session, or a server that does not answer.

import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { openRoute, passTimeToUndo, saveScreenshot, signIn, useBrowser } from '../harness/browser.ts'
import { type Json, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { actionsOn, emptyQueue, type Member, queueOfProfiles, sectionOf, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATIENCE = { timeout: 60_000, interval: 100 }

async function flaggedTip(text: string): Promise<number> {
  await emptyQueue(service, 'comment')
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const id = await newTip(service, await service.member(), outcome.id, { text })
  const { ticket } = await service.member()
  await service.call('POST', `/v1/communities/comments/${id}/flag`, { ticket })
  return id
}

const tipNow = async (id: number): Promise<Json> =>
  (await service.operator('GET', `/operator/v1/moderation/comments/${id}`)).body
const unsaved = (page: Page) => page.getByLabel('Unsaved decisions')
const undoable = (page: Page) => page.getByRole('region', { name: 'Pending decisions' })

test('the second of two moderators sees what changed, and the decision is not reported as saved', async () => {
  const id = await flaggedTip('Both look at me')
  const ann = await tokenOf(service, 'moderator', 'Ann')
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Bob'))
  await openRoute(page, 'queue?kind=comment')
  await page.locator('article blockquote').getByText('Both look at me').waitFor()
  await service.operator('POST', `/operator/v1/moderation/comments/${id}`, { action: 'remove', note: 'rude' }, ann)
  await page.keyboard.press('o')
  await passTimeToUndo(page)
  await unsaved(page).getByText('Ann decided: remove').waitFor()
  expect(await page.getByText('Saved.').count()).toBe(0)
  const card = page.getByRole('article')
  expect(await card.textContent()).toMatch(/removed by Ann.*rude/)
  expect(await page.getByRole('list', { name: 'In the queue' }).textContent()).toContain('changed meanwhile')
  expect(await card.getByRole('button', { name: 'Keep' }).count()).toBe(0)
  await saveScreenshot(page, 'changed-meanwhile')
  expect((await tipNow(id)).decisions).toHaveLength(1)

  await card.getByRole('button', { name: 'Restore' }).click()
  await unsaved(page).getByRole('listitem').waitFor({ state: 'detached' })
  await passTimeToUndo(page)
  await page.getByText('Both look at me: restored. Saved.').waitFor()
  expect((await tipNow(id)).content.state).toBe('live')
})

test('the page of a removed tip offers to restore it, and not to keep it', async () => {
  const id = await flaggedTip('Restore me')
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Restorer'))
  await openRoute(page, `comments/${id}`)
  await page.getByRole('button', { name: 'Remove' }).waitFor()
  await service.operator('POST', `/operator/v1/moderation/comments/${id}`, { action: 'remove' })
  await page.keyboard.press('f')
  await passTimeToUndo(page)
  await page.getByRole('alert').getByText('bootstrap decided: remove').waitFor()
  const offered = page.getByRole('region', { name: 'Decide' }).getByRole('button')
  expect(await offered.allTextContents()).toEqual(['Restore '])
  await page.keyboard.press('r')
  await passTimeToUndo(page)
  await sectionOf(page, 'Earlier decisions').getByText('restored').waitFor()
  expect((await tipNow(id)).content.state).toBe('live')
})

test('decisions of a session that ended are listed, stored, and sent after signing in again', async () => {
  const [first, second] = (await queueOfProfiles(service, 3, 'Ended')) as [Member, Member]
  const created = (await service.operator('POST', '/operator/v1/tokens', { name: 'Eve', role: 'moderator' })).body
  const page = await consoles.signedIn(created.token)
  await page.getByRole('heading', { name: first.name }).waitFor()
  await page.getByLabel(/^Note/).fill('seen twice')
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('heading', { name: second.name }).waitFor()
  await page.keyboard.press('o')
  await service.operator('DELETE', `/operator/v1/tokens/${created.id}`)
  await passTimeToUndo(page)
  await page.getByLabel('Operator token').waitFor()
  await vi.waitFor(async () => {
    const listed = await unsaved(page).textContent()
    expect(listed).toMatch(/2 decisions were not saved\..*Sign in/)
    for (const { name } of [first, second]) expect(listed).toContain(name)
  }, PATIENCE)
  await saveScreenshot(page, 'sign-in-unsaved')

  await page.reload()
  await signIn(page, await tokenOf(service, 'moderator', 'Eve'))
  await unsaved(page)
    .getByRole('button', { name: `Retry: Deactivate ${first.name}` })
    .click()
  await vi.waitFor(async () => expect(await actionsOn(service, first.profileId)).toEqual(['deactivate']), PATIENCE)
  await unsaved(page)
    .getByRole('button', { name: `Discard: Keep ${second.name}` })
    .click()
  await vi.waitFor(async () => expect(await unsaved(page).getByRole('listitem').count()).toBe(0), PATIENCE)
  expect(await actionsOn(service, second.profileId)).toEqual([])
  const { body } = await service.operator('GET', `/operator/v1/moderation/profiles/${first.profileId}`)
  expect(body.decisions).toMatchObject([{ note: 'seen twice', actor: 'Eve' }])
})

test('decisions that an unreachable server could not save stay in view on other pages, and are sent again', async () => {
  const [first] = (await queueOfProfiles(service, 2, 'Away')) as [Member]
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: first.name }).waitFor()
  await page.route('**/moderation/profiles/*', (route) => route.abort())
  await page.keyboard.press('o')
  await openRoute(page, 'search')
  const again = unsaved(page).getByRole('button', { name: `Retry: Keep ${first.name}` })
  await again.waitFor()
  await saveScreenshot(page, 'unsaved')
  await page.unroute('**/moderation/profiles/*')
  await again.click()
  await vi.waitFor(async () => expect(await actionsOn(service, first.profileId)).toEqual(['keep']), PATIENCE)
  await page.getByText(`${first.name}: kept. Saved.`).waitFor()
})

test('a note stays with its subject while other pages are open', async () => {
  const [first, second] = (await queueOfProfiles(service, 2, 'Thoughts')) as [Member, Member]
  const page = await consoles.signedIn()
  const note = page.getByLabel(/^Note/)
  await page.getByRole('heading', { name: first.name }).waitFor()
  await note.fill('half a thought')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: second.name }).waitFor()
  expect(await note.inputValue()).toBe('')
  await note.fill('another')
  await page.getByRole('button', { name: 'Previous' }).click()
  await page.getByRole('heading', { name: first.name }).waitFor()
  expect(await note.inputValue()).toBe('half a thought')
  await openRoute(page, 'search')
  await openRoute(page, `profiles/${first.profileId}`)
  await vi.waitFor(async () => expect(await note.inputValue()).toBe('half a thought'), PATIENCE)
  await page.reload()
  await vi.waitFor(async () => expect(await note.inputValue()).toBe('half a thought'), PATIENCE)
  await page.getByRole('button', { name: 'Keep' }).click()
  await passTimeToUndo(page)
  await sectionOf(page, 'Earlier decisions').getByText('half a thought').waitFor()
  expect(await note.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Operator token').waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
})

test('only the decision that the shortcut undoes shows the shortcut', async () => {
  const [first, second, third] = (await queueOfProfiles(service, 3, 'Keyed')) as [Member, Member, Member]
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: first.name }).waitFor()
  await page.keyboard.press('o')
  await page.getByRole('heading', { name: second.name }).waitFor()
  await page.keyboard.press('o')
  await page.getByRole('heading', { name: third.name }).waitFor()
  const keys = undoable(page).locator('[data-key]')
  await vi.waitFor(async () => expect(await undoable(page).getByRole('listitem').count()).toBe(2), PATIENCE)
  expect(await keys.count()).toBe(1)
  expect(
    await undoable(page)
      .getByRole('listitem')
      .filter({ has: page.locator('[data-key]') })
      .textContent(),
  ).toContain(second.name)
})

test('only actions that would change something are offered', async () => {
  const { profileId, ticket } = await service.member()
  const page = await consoles.signedIn()
  const offered = page.getByRole('region', { name: 'Decide' }).getByRole('button')
  await openRoute(page, `profiles/${profileId}`)
  await offered.first().waitFor()
  expect(await offered.allTextContents()).toEqual(['Deactivate '])
  await service.call('PUT', '/v1/profiles/me?biography=Mine', { ticket })
  await page.reload()
  await offered.first().waitFor()
  expect(await offered.allTextContents()).toEqual(['Deactivate ', 'Reset biography '])
})
