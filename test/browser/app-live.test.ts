import { expect, test } from 'vitest'
import { LAPTOP, openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { caughtUp } from '../harness/notifications.ts'
import { useService } from '../harness/service.ts'
import { openApp, switchTo, TICKETS, tipOf } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' }, { matchDaySecondMs: 200 })
const browser = useBrowser(service)

const asBob = (method: string, path: string) => service.call(method, path, { ticket: TICKETS.Bob })

test('notifications arrive while one looks, are counted, and are marked as read', async () => {
  const page = await openApp(browser, service, 'Alice')
  const link = page.getByRole('link', { name: 'Notifications' })
  await page.getByRole('link', { name: /\d+ unread/ }).waitFor()
  // Those of the seed take a while.
  await caughtUp(service.context.database)
  await asBob('DELETE', '/v1/profiles/me/followings/1')
  await asBob('POST', '/v1/profiles/me/followings/1')
  await page.getByRole('log').getByText('Bob Both Teams').waitFor()
  await link.click()
  const unread = page.getByRole('main').getByRole('link', { name: 'Unread,' })
  await unread.getByText('followed you').first().waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
  expect(await unread.count()).toBe(0)
  expect(await link.innerText()).not.toContain('unread')
  await asBob('POST', '/v1/communities/comments/14/like')
  await unread.getByText('liked your tip').waitFor()
  await expect.poll(() => link.innerText()).toMatch(/^1\s+unread/)
})

test('a new tip of somebody whom one follows is announced above the feed', async () => {
  const page = await openApp(browser, service, 'Alice')
  await requestsAnswered(page)
  const tip = { ticket: TICKETS.Carol, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const body = 'betId=70032&text=Holds+serve+all+afternoon'
  expect((await service.call('POST', '/v1/communities/comments/me/outcomes/80041', { ...tip, body })).status).toBe(200)
  await page.getByRole('button', { name: 'Show 1 new tip' }).click()
  await tipOf(page, 'Holds serve all afternoon').waitFor()
})

test('a tip is flagged with a reason; its author reads the decision, and appeals; the reporter reads how it ended', async () => {
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, 'tips/19')
  await page.getByRole('button', { name: 'Flag' }).click()
  const dialog = page.getByRole('dialog', { name: 'What is wrong with this tip?' })
  await dialog.getByLabel('Claims something that is not true').check()
  await dialog.getByLabel('Note to the moderators').fill('Nobody serves like that.')
  await dialog.getByRole('button', { name: 'Flag this tip' }).click()
  await page.getByText('Flagged by you').waitFor()
  const flagged = (await service.operator('GET', '/operator/v1/moderation/comments/19/context')).body
  expect(JSON.stringify(flagged)).toContain('Nobody serves like that.')

  await page.getByRole('button', { name: 'Remove it as moderator' }).click()
  await page.getByText('Carol Cheltenham gets the reasons and may appeal.').waitFor()
  await page.getByRole('log').getByText('You flagged it, and a moderator agreed').waitFor()
  await page.getByRole('link', { name: 'your decisions' }).click()
  await page.getByRole('heading', { name: 'The tip that you flagged was removed' }).waitFor()

  await switchTo(page, 'Carol')
  const decision = page.getByRole('article').filter({ hasText: 'Tip 19' })
  await decision.getByRole('heading', { name: 'Your tip was removed' }).waitFor()
  expect(await decision.locator('blockquote').innerText()).not.toBe('')
  await decision.getByRole('button', { name: /^Appeal/ }).click()
  await decision.getByLabel('Why the decision is wrong').fill('Watch the second set.')
  await decision.getByRole('button', { name: 'Send appeal' }).click()
  await decision.getByText('You appealed. A moderator will answer.').waitFor()
  await decision.getByText('“Watch the second set.”').waitFor()
})

test('the afternoon is played: matches, prices, results and notifications move while one watches', async () => {
  const page = await openApp(browser, service, 'Alice', LAPTOP)
  await openRoute(page, 'afternoon')
  // The sign is beside its words, as on every button.
  const sign = page.locator('main').getByRole('button', { name: 'Play the afternoon' }).locator('svg')
  expect((await sign.boundingBox())?.width).toBeLessThan(30)
  await page.getByRole('banner').getByRole('button', { name: 'Play the afternoon' }).click()
  await page.getByRole('heading', { level: 1, name: 'The afternoon' }).waitFor()
  await page.getByRole('list', { name: 'Matches' }).getByText('Live', { exact: true }).first().waitFor()
  const lines = page.getByRole('region', { name: 'What happened' }).getByRole('listitem')
  await expect.poll(() => lines.count()).toBeGreaterThan(3)
  await page.getByRole('link', { name: 'Feed', exact: true }).click()
  await page
    .getByRole('article')
    .getByText(/^(shorter|longer)$/)
    .first()
    .waitFor()
  await page.getByRole('log').getByRole('paragraph').first().waitFor()
  await openRoute(page, 'afternoon')
  await page.getByText('Full time', { exact: true }).waitFor()
  await page.getByRole('list', { name: 'Matches' }).getByText('Result', { exact: true }).first().waitFor()
  const again = await page.getByRole('button', { name: 'Play another one' }).boundingBox()
  const bets = await page.getByRole('list', { name: 'Your bets' }).boundingBox()
  expect((again?.y ?? 0) - ((bets?.y ?? 0) + (bets?.height ?? 0))).toBeGreaterThan(10)
})
