// One decision on several subjects of the queue: selected, pending, undone and sent together.

import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { ownDecisions } from '../harness/appeals.ts'
import { overflowOf, PHONE, passTimeToUndo, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { actionsOn, type Member, queueOfProfiles, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATIENCE = { timeout: 60_000, interval: 100 }

const box = (page: Page, { name }: Member) => page.getByRole('checkbox', { name: `Select ${name}` })
const bulk = (page: Page) => page.getByRole('region', { name: /selected$/ })
const pending = (page: Page) => page.getByRole('region', { name: 'Pending decisions' })
const unsaved = (page: Page) => page.getByLabel('Unsaved decisions')

/** Those with more than one open flag come first; the others in the order of their ids. */
async function openQueue(prefix: string, count: number): Promise<[Page, Member[]]> {
  const members = await queueOfProfiles(service, count, prefix)
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', `${prefix} Mo`))
  await page.getByRole('heading', { level: 2, name: members[0]?.name ?? '' }).waitFor()
  return [page, members]
}

test('several are deactivated with one click, one note and one statement', async () => {
  const [page, members] = await openQueue('Bulk', 4)
  const [first, second, third, last] = members as [Member, Member, Member, Member]
  await box(page, first).check()
  await box(page, third).click({ modifiers: ['Shift'] })
  await bulk(page).getByRole('heading', { name: '3 profiles selected' }).waitFor()
  await bulk(page).getByLabel(/^Note/).fill('one ring')
  await bulk(page).getByText('To the author, if restricted').click()
  await bulk(page).getByLabel('Clause').selectOption('spam')
  await bulk(page).getByLabel('Statement to the author').fill('You advertise together.')
  await saveScreenshot(page, 'bulk')
  await bulk(page).getByRole('button', { name: 'Deactivate' }).click()
  await pending(page).getByText('3 profiles deactivated.').waitFor()
  expect(await pending(page).getByRole('listitem').count()).toBe(1)
  await page.getByRole('heading', { level: 2, name: last.name }).waitFor()
  expect(await actionsOn(service, first.profileId)).toEqual([])
  await saveScreenshot(page, 'bulk-pending')
  await passTimeToUndo(page)
  await page.getByText('3 profiles: deactivated. Saved.').waitFor()
  for (const member of [first, second, third]) {
    expect(await actionsOn(service, member.profileId)).toEqual(['deactivate'])
    expect(await ownDecisions(service, member)).toMatchObject([
      { clause: 'spam', statement: 'You advertise together.' },
    ])
  }
  const { body } = await service.operator('GET', `/operator/v1/moderation/profiles/${second.profileId}`)
  expect(body.decisions).toMatchObject([{ note: 'one ring', actor: 'Bulk Mo' }])
  expect(await actionsOn(service, last.profileId)).toEqual([])
})

test('one key undoes all of them, with the keyboard alone; the selection and its note are back', async () => {
  const [page, members] = await openQueue('Undone', 3)
  await page.keyboard.press('s')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+S')
  await bulk(page).getByRole('heading', { name: '3 profiles selected' }).waitFor()
  await page.keyboard.press('Escape')
  await bulk(page).waitFor({ state: 'detached' })
  await page.keyboard.press('a')
  await page.keyboard.press('w')
  await page.keyboard.type('hasty')
  await page.keyboard.press('Escape')
  await page.keyboard.press('o')
  await pending(page).getByText('3 profiles kept.').waitFor()
  await page.keyboard.press('u')
  await page.getByText('3 profiles: undone, nothing was sent.').waitFor()
  expect(await bulk(page).getByLabel(/^Note/).inputValue()).toBe('hasty')
  await bulk(page).getByRole('heading', { name: '3 profiles selected' }).waitFor()
  await passTimeToUndo(page)
  expect(await pending(page).getByRole('listitem').count()).toBe(0)
  for (const { profileId } of members) expect(await actionsOn(service, profileId)).toEqual([])
})

test('what somebody else decided meanwhile is refused alone', async () => {
  const [page, members] = await openQueue('Partly', 3)
  const [first, second, third] = members as [Member, Member, Member]
  await page.getByLabel('Select all shown (3)').check()
  await service.operator('POST', `/operator/v1/moderation/profiles/${second.profileId}`, { action: 'deactivate' })
  await page.keyboard.press('o')
  await passTimeToUndo(page)
  await page.getByText('3 profiles: kept. 2 of 3 saved.').waitFor()
  await unsaved(page).getByText('bootstrap decided: deactivate').waitFor()
  expect(await unsaved(page).getByRole('listitem').count()).toBe(1)
  expect(
    await page
      .getByRole('list', { name: 'In the queue' })
      .getByRole('listitem')
      .filter({ hasText: second.name })
      .textContent(),
  ).toContain('changed meanwhile')
  await saveScreenshot(page, 'bulk-partly')
  for (const { profileId } of [first, third]) expect(await actionsOn(service, profileId)).toEqual(['keep'])
  expect(await actionsOn(service, second.profileId)).toEqual(['deactivate'])
})

test('all that an unreachable server could not save is sent again with one click', async () => {
  const [page, members] = await openQueue('Lost', 3)
  await page.keyboard.press('a')
  await page.route('**/moderation/profiles/*', (route) => route.abort())
  await page.keyboard.press('o')
  await passTimeToUndo(page)
  await vi.waitFor(async () => expect(await unsaved(page).getByRole('listitem').count()).toBe(3), PATIENCE)
  await page.unroute('**/moderation/profiles/*')
  await unsaved(page).getByRole('button', { name: 'Retry all 3' }).click()
  await page.getByText('3 profiles: kept. Saved.').waitFor()
  for (const { profileId } of members) expect(await actionsOn(service, profileId)).toEqual(['keep'])
})

test('closing the page sends all of them', async () => {
  const [page, members] = await openQueue('Closed', 3)
  await page.keyboard.press('a')
  await page.keyboard.press('o')
  await pending(page).getByText('3 profiles kept.').waitFor()
  await page.close({ runBeforeUnload: true })
  for (const { profileId } of members) {
    await vi.waitFor(async () => expect(await actionsOn(service, profileId)).toEqual(['keep']), PATIENCE)
  }
})

test('on a phone each card can be selected', async () => {
  const members = await queueOfProfiles(service, 2, 'Handheld')
  const page = await consoles.signedIn(undefined, { ...PHONE, colorScheme: 'dark' })
  await page.getByLabel('Select, to decide on several').check()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { level: 2, name: members[1]?.name ?? '' }).waitFor()
  await page.getByLabel('Select, to decide on several').check()
  await bulk(page).getByRole('heading', { name: '2 profiles selected' }).waitFor()
  expect(await overflowOf(page, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await saveScreenshot(page, 'bulk-phone')
  await bulk(page).getByRole('button', { name: 'Keep' }).click()
  await page.getByRole('button', { name: 'Undo: Keep 2 profiles' }).click()
  await bulk(page).getByRole('heading', { name: '2 profiles selected' }).waitFor()
})
