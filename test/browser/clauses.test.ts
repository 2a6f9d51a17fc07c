// The clauses of decisions: admins edit them, moderators read them.

import { expect, test } from 'vitest'
import { LAPTOP, openRoute, overflowOf, PHONE, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATH = '/operator/v1/moderation/clauses'

const stored = async () => (await service.operator('GET', PATH)).body

test('an admin adds, changes and removes clauses; the edits survive another page, and a conflict loses nothing', async () => {
  const before = await stored()
  const page = await consoles.signedIn(await tokenOf(service, 'admin', 'Clauses editor'), LAPTOP)
  await page.getByRole('link', { name: 'Clauses' }).click()
  const general = page.getByRole('group', { name: 'Community rules' })
  await general.getByText('it cannot be removed').waitFor()
  expect(await general.getByRole('button').count()).toBe(0)
  expect(await general.getByLabel('Key').isEditable()).toBe(false)

  await page.getByRole('button', { name: 'Add a clause' }).click()
  const added = page.getByRole('group', { name: 'New clause' })
  await added.getByLabel('Key').fill('odds-boasting')
  await added.getByLabel('Ground').selectOption('Law')
  await added.getByLabel('Statement to the author').fill('It boasts of odds that nobody could get.')
  await added.getByLabel('Title').fill('Boasting')
  await page.getByRole('button', { name: 'Remove Spam and advertising' }).click()
  await page.getByLabel('Texts for notes').fill('Seen\n\nSeen\nWaits for a colleague')
  await openRoute(page, 'words')
  await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor()
  await page.goBack()
  await page.getByText('Unsaved changes.').waitFor()
  await saveScreenshot(page, 'clauses')

  // Somebody else saves first.
  await service.operator('PUT', PATH, { clauses: before.clauses, notes: before.notes })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Another person has saved the clauses').waitFor()
  expect(await page.getByRole('group', { name: 'Boasting' }).getByLabel('Key').inputValue()).toBe('odds-boasting')
  expect((await stored()).clauses).toEqual(before.clauses)

  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('group', { name: 'Spam and advertising' }).waitFor()
  await page.getByRole('group', { name: 'Spam and advertising' }).getByLabel('Statement to the author').fill('No spam.')
  await page.getByRole('button', { name: 'Add a clause' }).click()
  await added.getByLabel('Key').fill('boasting')
  await added.getByLabel('Statement to the author').fill('It boasts.')
  await added.getByLabel('Title').fill('Boasting')
  await page.getByLabel('Texts for notes').fill('Seen\n\nSeen\nWaits for a colleague')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Clauses saved.').waitFor()
  expect(await page.getByText('Unsaved changes.').count()).toBe(0)
  const { clauses, notes } = await stored()
  expect(clauses.find(({ key }: { key: string }) => key === 'spam')).toMatchObject({ template: 'No spam.' })
  expect(clauses.at(-1)).toEqual({ key: 'boasting', ground: 'terms', title: 'Boasting', template: 'It boasts.' })
  expect([clauses.length, notes]).toEqual([before.clauses.length + 1, ['Seen', 'Waits for a colleague']])

  await page.getByRole('button', { name: 'Remove Boasting' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await stored()).clauses.length).toBe(before.clauses.length)
})

test('a moderator reads them; the form fits a phone', async () => {
  const reader = await consoles.signedIn(await tokenOf(service, 'moderator', 'Clauses reader'), LAPTOP)
  await openRoute(reader, 'clauses')
  await reader.getByRole('table', { name: 'Clauses' }).getByRole('rowheader', { name: 'Community rules' }).waitFor()
  expect(await reader.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await saveScreenshot(reader, 'clauses-moderator')
  const editor = await consoles.signedIn(await tokenOf(service, 'admin', 'Clauses on a phone'), PHONE)
  await openRoute(editor, 'clauses')
  await editor.getByRole('group', { name: 'Community rules' }).waitFor()
  await saveScreenshot(editor, 'clauses-phone')
  expect(await overflowOf(editor, PHONE.viewport.width)).toEqual({ page: PHONE.viewport.width, over: [] })
})
