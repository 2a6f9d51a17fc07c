import type { Locator, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
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
import { useService } from '../harness/service.ts'
import { actionsOn, type Member, queueOfProfiles, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)

const PATIENCE = { timeout: 60_000, interval: 50 }

/** The focus may follow a moment after the key. */
const isSelected = (page: Page, { name }: Member) =>
  page.locator('article h2').getByText(name, { exact: true }).waitFor()
const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'In the queue' }).getByRole('listitem').filter({ hasText: name })

test('a decision with the mouse is pending first, and sent with its note after the time to undo', async () => {
  const [first, second] = (await queueOfProfiles(service, 2, 'Mouse')) as [Member, Member]
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Mouse Mo'))
  await page.getByRole('heading', { name: first.name }).waitFor()
  expect(await page.locator('article').textContent()).toContain('Nothing to see, says Mouse.')
  expect(await page.locator('article').textContent()).toMatch(/Open flags\s*3/)
  await saveScreenshot(page, 'queue')
  await page.getByLabel(/^Note/).fill('seen it')
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await isSelected(page, second)
  expect(await row(page, first.name).textContent()).toContain('deactivated, pending')
  expect(await actionsOn(service, first.profileId)).toEqual([])
  await saveScreenshot(page, 'queue-pending')
  await passTimeToUndo(page)
  await vi.waitFor(async () => expect(await actionsOn(service, first.profileId)).toEqual(['deactivate']), PATIENCE)
  await page.getByText(`${first.name}: deactivated. Saved.`).waitFor()
  const { body } = await service.operator('GET', `/operator/v1/moderation/profiles/${first.profileId}`)
  expect(body.content.status).toBe('inactive')
  expect(body.decisions).toMatchObject([{ note: 'seen it', actor: 'Mouse Mo' }])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await vi.waitFor(async () => expect(await row(page, first.name).count()).toBe(0), PATIENCE)
})

test('an undone decision is never sent, and its note is still there', async () => {
  const [first, second] = (await queueOfProfiles(service, 2, 'Undo')) as [Member, Member]
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: first.name }).waitFor()
  await page.getByLabel(/^Note/).fill('too hasty')
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page
    .getByRole('button', { name: `Undo: Deactivate ${first.name}` })
    .first()
    .click()
  await isSelected(page, first)
  expect(await page.getByLabel(/^Note/).inputValue()).toBe('too hasty')
  // Another one, decided afterwards, is sent: by then the undone one would have been too.
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Keep' }).click()
  await passTimeToUndo(page)
  await vi.waitFor(async () => expect(await actionsOn(service, second.profileId)).toEqual(['keep']), PATIENCE)
  expect(await actionsOn(service, first.profileId)).toEqual([])
})

test('the keyboard alone can move, note, decide, undo and open help', async () => {
  const [first, second, third] = (await queueOfProfiles(service, 3, 'Keys')) as [Member, Member, Member]
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: first.name }).waitFor()
  await page.keyboard.press('j')
  await isSelected(page, second)
  await page.keyboard.press('ArrowDown')
  await isSelected(page, third)
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowUp')
  await isSelected(page, first)
  expect(await page.evaluate('document.activeElement.tagName')).toBe('ARTICLE')
  await page.keyboard.press('w')
  await page.keyboard.type('odd, jkdun')
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await isSelected(page, second)
  await page.keyboard.press('d')
  await isSelected(page, third)
  await page.keyboard.press('u')
  await isSelected(page, second)
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Shortcuts' })
  await dialog.waitFor()
  await page.keyboard.press('d')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await passTimeToUndo(page)
  await vi.waitFor(async () => expect(await actionsOn(service, first.profileId)).toEqual(['reset-name']), PATIENCE)
  const { body } = await service.operator('GET', `/operator/v1/moderation/profiles/${first.profileId}`)
  expect(body.decisions[0].note).toBe('odd, jkdun')
  expect(await actionsOn(service, second.profileId)).toEqual([])
})

test('shortcuts can be turned off', async () => {
  const [first] = (await queueOfProfiles(service, 2, 'Off')) as [Member, Member]
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: first.name }).waitFor()
  await page.keyboard.press('?')
  await page.getByLabel('Enable shortcuts').uncheck()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('d')
  await page.keyboard.press('j')
  await isSelected(page, first)
  expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
})

test('opening another page sends pending decisions at once', async () => {
  const [first] = (await queueOfProfiles(service, 2, 'Leave')) as [Member, Member]
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: first.name }).waitFor()
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.keyboard.press('o')
  await openRoute(page, 'overview')
  expect((await sent).url()).toContain(`/moderation/profiles/${first.profileId}`)
  await vi.waitFor(async () => expect(await actionsOn(service, first.profileId)).toEqual(['keep']), PATIENCE)
})

test('closing the page sends pending decisions', async () => {
  const [first] = (await queueOfProfiles(service, 2, 'Close')) as [Member, Member]
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: first.name }).waitFor()
  await page.keyboard.press('d')
  await page.close({ runBeforeUnload: true })
  await vi.waitFor(async () => expect(await actionsOn(service, first.profileId)).toEqual(['deactivate']), PATIENCE)
})

test('a refused decision returns to the queue, with the reason', async () => {
  const [first] = (await queueOfProfiles(service, 2, 'Refused')) as [Member, Member]
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: first.name }).waitFor()
  await page.route('**/moderation/profiles/*', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ title: 'Unavailable', detail: 'The database cannot serve now: try again later.' }),
    }),
  )
  await page.keyboard.press('o')
  await row(page, first.name).getByText('not saved: decide again').waitFor()
  await row(page, first.name).getByRole('button').click()
  expect(await page.getByRole('alert').textContent()).toContain('try again later')
  expect(await page.getByRole('button', { name: 'Keep', exact: true }).isVisible()).toBe(true)
})

test('a long queue is loaded page by page, each subject once', async () => {
  const all = await queueOfProfiles(service, 30, 'Many')
  const page = await consoles.signedIn()
  await page.getByRole('heading', { name: all[0]?.name ?? '' }).waitFor()
  const rows = page.getByRole('list', { name: 'In the queue' }).getByRole('listitem')
  expect(await rows.count()).toBe(25)
  for (let step = 0; step < 22; step++) await page.keyboard.press('j')
  await vi.waitFor(async () => expect(await rows.count()).toBe(30), PATIENCE)
  const names = await rows.locator('[data-name]').allTextContents()
  expect([...names].sort()).toEqual(all.map(({ name }) => name).sort())
})

test('an empty queue says so, and comments are reported as not available where the server has none', async () => {
  await queueOfProfiles(service, 0, 'None')
  const page = await consoles.signedIn()
  await page.getByText('The queue is empty.').waitFor()
  const { calls } = (await service.operator('GET', '/operator/v1/me')).body
  await page.getByRole('navigation', { name: 'What to review' }).getByRole('link', { name: 'Tips' }).click()
  const missing = !calls.includes('POST /moderation/comments/{id}')
  await page.getByText(missing ? 'not available on this server' : 'The queue is empty.').waitFor()
})

test.each([
  { name: 'phone', options: { ...PHONE, colorScheme: 'light' as const } },
  { name: 'dark', options: { ...LAPTOP, colorScheme: 'dark' as const } },
  { name: 'dark-phone', options: { ...PHONE, colorScheme: 'dark' as const } },
])('the queue works and fits: $name', async ({ name, options }) => {
  const [first, second] = (await queueOfProfiles(service, 2, name)) as [Member, Member]
  const page = await consoles.signedIn(undefined, options)
  await page.getByRole('heading', { name: first.name }).waitFor()
  await page.getByRole('button', { name: 'Keep' }).click()
  await isSelected(page, second)
  await saveScreenshot(page, `queue-pending-${name}`)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  const background = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
  const [red = 0] = background.match(/\d+/g)?.map(Number) ?? []
  expect(red < 60).toBe(name.startsWith('dark'))
  await page
    .getByRole('button', { name: `Undo: Keep ${first.name}` })
    .last()
    .click()
  await isSelected(page, first)
})

test.each([
  ['laptop', LAPTOP],
  ['phone', PHONE],
] as const)(
  'the choices above the queue take little room on a %s: what is flagged is near the top',
  async (name, size) => {
    const [first] = (await queueOfProfiles(service, 2, `Near ${name}`)) as [Member, Member]
    const page = await consoles.signedIn(undefined, size)
    await page.getByRole('heading', { name: first.name }).waitFor()
    await requestsAnswered(page)
    const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { y: 0, height: 0 }
    const middles = await Promise.all(
      [page.getByRole('navigation', { name: 'Reporter' }), page.getByLabel('Label'), page.getByText('Save view …')].map(
        async (one) => boxOf(one).then(({ y, height }) => y + height / 2),
      ),
    )
    if (name === 'laptop') expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3)
    const { y } = await boxOf(page.getByRole('article'))
    expect(y).toBeLessThan(name === 'laptop' ? 240 : 420)
    expect(await overflowOf(page, size.viewport.width)).toEqual({ page: size.viewport.width, over: [] })
    await saveScreenshot(page, `queue-top-${name}`)
  },
)
