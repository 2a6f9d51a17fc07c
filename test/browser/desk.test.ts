// How moderators share the work: labels, escalation to a group, its queue, and a queue saved under a name.

import { beforeAll, expect, test, vi } from 'vitest'
import { openRoute, overflowOf, PHONE, passTimeToUndo, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { newMatch, newTip } from '../harness/sportsbook.ts'
import { tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATIENCE = { timeout: 60_000, interval: 50 }
const BASE = '/operator/v1/moderation'
const tips: number[] = []

beforeAll(async () => {
  const [author, reporter] = [await service.member(), await service.member()]
  const outcomes = await newMatch(service, { outcomes: 2 })
  for (const [index, text] of ['Join my channel for more', 'A quiet one'].entries()) {
    const id = await newTip(service, author, outcomes[index]!.id, { text })
    await service.call('POST', `/v1/communities/comments/${id}/flag`, { ticket: reporter.ticket })
    tips.push(id)
  }
})

test('an admin names labels and a group; a moderator labels and escalates; the group finds it in its queue and decides', async () => {
  const bob = await tokenOf(service, 'moderator', 'Bob Second')
  const admin = await consoles.signedIn()
  await openRoute(admin, 'moderation-settings')
  await admin.getByLabel('Labels').fill('tout\nwatch')
  await admin.getByLabel('Groups').fill('second line: Bob Second')
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await admin.getByText('Settings saved.').waitFor()

  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Ann First'))
  await openRoute(page, 'queue?kind=comment')
  await page.locator('article blockquote').getByText('Join my channel').waitFor()
  await page.locator('article summary').getByText('Labels').waitFor()
  await page.keyboard.press('l')
  await page.locator('article').getByLabel('tout').click()
  await page.locator('article').getByText('Labels: tout').waitFor()
  await page.locator('article').getByLabel('tout').blur()
  await page.keyboard.press('e')
  await page.locator('article').getByLabel('To', { exact: true }).selectOption('group second line')
  await page.getByLabel('Why (optional)', { exact: true }).fill('Sells tips elsewhere?')
  await page.getByRole('button', { name: 'Assign' }).click()
  await page.getByText(/Assigned to group second line by Ann First.*Sells tips elsewhere\?/).waitFor()
  await saveScreenshot(page, 'desk')

  const other = await consoles.signedIn(bob, PHONE)
  await openRoute(other, 'queue?kind=comment')
  await other.getByRole('link', { name: 'Assigned' }).click()
  await other.locator('article blockquote').getByText('Join my channel').waitFor()
  await other.getByText('1 of 1').waitFor()
  expect(await overflowOf(other, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
  await saveScreenshot(other, 'desk-phone')
  await other.getByRole('button', { name: 'Remove' }).click()
  await passTimeToUndo(other)
  const now = async () => (await service.operator('GET', `${BASE}/comments/${tips[0]}`)).body
  await vi.waitFor(
    async () => expect(await now()).toMatchObject({ content: { state: 'removed' }, assignment: null }),
    PATIENCE,
  )
})

test('a queue with its filters is saved under a name, shared, and opened by another moderator', async () => {
  await service.operator('PUT', `${BASE}/comments/${tips[1]}/labels`, { labels: ['watch'] })
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Cay Third'))
  await openRoute(page, 'queue?kind=comment')
  await page.getByLabel('Label', { exact: true }).selectOption('tout')
  await page.getByText('No tip in it is labelled tout.').waitFor()
  await page.getByLabel('Label', { exact: true }).selectOption('watch')
  await page.locator('article blockquote').getByText('A quiet one').waitFor()
  await page.getByRole('button', { name: 'Save view …' }).click()
  await page.getByLabel('Name of the view').fill('To watch')
  await page.getByLabel('Share with all operators').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved as “To watch”.').waitFor()

  const other = await consoles.signedIn(await tokenOf(service, 'moderator', 'Dee Fourth'))
  await openRoute(other, 'queue?kind=profile')
  await other.getByRole('link', { name: 'To watch' }).click()
  await other.locator('article blockquote').getByText('A quiet one').waitFor()
  expect(other.url()).toContain('#/queue?kind=comment&label=watch')
})

test('an auditor sees labels and who is to decide, and is offered neither', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Audrey Desk'))
  await openRoute(page, `comments/${tips[1]}`)
  await page.locator('article').getByText('watch').first().waitFor()
  expect(
    await page
      .locator('article summary')
      .getByText(/Labels|Escalate/)
      .count(),
  ).toBe(0)
  await openRoute(page, 'moderation-settings')
  await page.getByLabel('Groups').waitFor()
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
})

test('a rule holds a tip; a moderator sees why and publishes it; a profile is pre-moderated from its page', async () => {
  const admin = await consoles.signedIn()
  await openRoute(admin, 'moderation-settings')
  await admin.getByLabel('With one of these words').fill('sure thing')
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await admin.getByText('Settings saved.').waitFor()
  await saveScreenshot(admin, 'moderation-settings')
  const author = await service.member()
  const [first, second] = await newMatch(service, { outcomes: 2 })
  const held = await newTip(service, author, first!.id, { text: 'This is a sure thing' })
  const state = async (id: number) => (await service.operator('GET', `${BASE}/comments/${id}`)).body.content.state

  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Eve Fifth'))
  await openRoute(page, 'queue?kind=comment')
  await page.getByRole('link', { name: 'Held' }).click()
  await page.locator('article blockquote').getByText('This is a sure thing').waitFor()
  await page.locator('article').getByText('The rule on words: the tip has “sure thing”.').waitFor()
  await saveScreenshot(page, 'held')
  expect(await state(held)).toBe('held')
  await page.keyboard.press('p')
  await passTimeToUndo(page)
  await vi.waitFor(async () => expect(await state(held)).toBe('live'), PATIENCE)

  await openRoute(page, `profiles/${author.profileId}`)
  await page.getByText('Pre-moderate', { exact: true }).click()
  await page.getByLabel('Reason', { exact: true }).fill('New and loud')
  await page.getByRole('button', { name: 'Hold every new tip' }).click()
  await page.getByText('Pre-moderated: every new tip is held').waitFor()
  expect(await state(await newTip(service, author, second!.id, { text: 'Harmless' }))).toBe('held')
})
