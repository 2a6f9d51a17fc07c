import { expect, test, vi } from 'vitest'
import { openRoute, passTimeToUndo, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { actionsOn, flaggedProfiles, type Member, profileNow, sectionOf, tokenOf } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
const PATIENCE = { timeout: 60_000, interval: 100 }

test('a profile is found by id, decided on, and shows its history', async () => {
  const [member] = (await flaggedProfiles(service, 1, 'Found')) as [Member]
  const page = await consoles.signedIn(await tokenOf(service, 'moderator', 'Finder'))
  await openRoute(page, 'search')
  await page.getByLabel('ID', { exact: true }).fill(String(member.profileId))
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('heading', { name: member.name }).waitFor()
  await page.getByRole('img', { name: `Profile of ${member.name}` }).waitFor()
  expect(await page.evaluate("document.querySelector('main img').naturalWidth")).toBeGreaterThan(0)

  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('Pending: deactivated.').waitFor()
  await page.keyboard.press('u')
  await page.getByText('undone, nothing was sent').waitFor()
  await page.getByLabel(/^Note/).fill('rude')
  await page.getByRole('button', { name: 'Reset biography' }).click()
  await passTimeToUndo(page)
  await page.getByText('No biography.').waitFor({ timeout: PATIENCE.timeout })
  expect(await actionsOn(service, member.profileId)).toEqual(['reset-biography'])
  const history = await sectionOf(page, 'Earlier decisions').textContent()
  expect(history).toMatch(/biography reset by Finder.*rude/)

  await page.getByRole('button', { name: 'Deactivate' }).click()
  await passTimeToUndo(page)
  await page.getByRole('button', { name: 'Reactivate' }).waitFor({ timeout: PATIENCE.timeout })
  expect((await profileNow(service, member.profileId)).content.status).toBe('inactive')
  await saveScreenshot(page, 'profile')
})

test('an unknown id and an invalid id are explained', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'profiles/999999')
  await page.getByText('There is no profile 999999.').waitFor()
  await openRoute(page, 'customers/x')
  await page.getByText('must be an id').waitFor()
})

test('an application is created; its secret is shown once, works, is replaced and revoked', async () => {
  const { ticket } = await service.customer()
  const page = await consoles.signedIn()
  await openRoute(page, 'applications')
  await page.getByLabel('Name of the new application').fill('Browser app')
  await page.getByRole('button', { name: 'Create' }).click()
  const key = await page.getByLabel('API key', { exact: true }).inputValue()
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  await saveScreenshot(page, 'application-secret')
  const use = async (withSecret: string) =>
    (await service.call('GET', '/v1/profiles/me', { key, secret: withSecret, ticket })).status
  expect(await use(secret)).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.reload()
  await page.getByRole('row', { name: /Browser app/ }).waitFor()
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('button', { name: 'New secret for Browser app' }).click()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  const renewed = await page.getByLabel('Secret', { exact: true }).inputValue()
  expect([await use(renewed), await use(secret)]).toEqual([200, 200])

  await page.getByRole('button', { name: 'Revoke Browser app' }).click()
  await page.keyboard.press('Escape')
  expect(await use(renewed)).toBe(200)
  await page.getByRole('button', { name: 'Revoke Browser app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('row', { name: /Browser app.*Revoked/ }).waitFor()
  expect(await use(renewed)).toBe(401)
})

test('a token is created and revoked; a taken name is refused with the reason', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'tokens')
  await page.getByLabel('Name of the new token').fill('Temp')
  await page.getByLabel('Role').selectOption('auditor')
  await page.getByLabel('Owner').fill('Olga')
  await page.getByLabel('Valid for').selectOption('30 days')
  await page.getByRole('button', { name: 'Create' }).click()
  const token = await page.getByLabel('Token', { exact: true }).inputValue()
  const me = await service.operator('GET', '/operator/v1/me', undefined, token)
  expect(me.body).toMatchObject({ name: 'Temp', role: 'auditor' })
  const { items } = (await service.operator('GET', '/operator/v1/tokens')).body
  const created = items.find((one: { name: string }) => one.name === 'Temp')
  expect(created.owner).toBe('Olga')
  const days = (Date.parse(created.expiresAt) - Date.parse(created.createdAt)) / 86_400_000
  expect(Math.round(days)).toBe(30)
  await page.getByRole('row', { name: /Temp.*Olga.*Active/ }).waitFor()
  await page.getByLabel('Name of the new token').fill('Temp')
  await page.getByRole('button', { name: 'Create' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('use another')
  await page.getByRole('button', { name: 'Revoke Temp' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The token of Temp is revoked.').waitFor()
  expect((await service.operator('GET', '/operator/v1/me', undefined, token)).status).toBe(401)
})

test('the overview draws charts, with the numbers in tables', async () => {
  await flaggedProfiles(service, 1, 'Charted')
  const page = await consoles.signedIn()
  await openRoute(page, 'overview')
  const chart = page.getByRole('img', { name: 'Flags per day' })
  await chart.waitFor()
  expect(await chart.locator('rect[data-bar]').count()).toBe(30)
  await saveScreenshot(page, 'overview')
  const table = page.locator('figure').filter({ hasText: 'Flags' }).first()
  await table.locator('summary').click()
  const today = new Date(service.clock.now()).toISOString().slice(0, 10)
  const { series } = (await service.operator('GET', '/operator/v1/statistics')).body
  const { counts, countsBefore } = series.find((one: { name: string }) => one.name === 'flags')
  const row = `${today}${counts.at(-1)}${countsBefore.at(-1)}`
  expect(await table.getByRole('row', { name: today }).textContent()).toBe(row)
  await page.getByLabel('Period').selectOption('7 days')
  await vi.waitFor(async () => expect(await chart.locator('rect[data-bar]').count()).toBe(7), PATIENCE)
})

test('a name that looks like markup stays text', async () => {
  const member = await service.member()
  const name = '<img src=x onerror=1>'
  await service.call('PUT', `/v1/profiles/me?${new URLSearchParams({ name })}`, { ticket: member.ticket })
  const page = await consoles.signedIn()
  await openRoute(page, `profiles/${member.profileId}`)
  await page.getByRole('heading', { name, exact: true }).waitFor()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
})
