// Webhooks in the console, with a real receiver.

import { afterEach, expect, test } from 'vitest'
import { writing } from '../../src/platform/database/database.ts'
import { maskedAddress } from '../../src/platform/masking/masked-addresses.ts'
import { LAPTOP, openRoute, overflowOf, PHONE, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import {
  deliveriesOf,
  newWebhook,
  type Receiver,
  startReceiver,
  status,
  untilStates,
  verified,
  webhook,
} from '../harness/webhooks.ts'
import { openFilters, tokenOf } from './fixtures.ts'

const service = useService({ WEBHOOK_PRIVATE_ADDRESSES: 'on' }, { webhooks: true })
const consoles = useBrowser(service)
const receivers: Receiver[] = []

afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answer)
  receivers.push(started)
  return started
}

test('a webhook is created with its secret shown once, tested, rotated, disabled, enabled and deleted', async () => {
  const target = await receiver()
  const page = await consoles.signedIn()
  await openRoute(page, 'webhooks')
  await page.getByText('No webhooks yet').waitFor()
  await page.getByLabel('Address of the new webhook').fill('http://user:password@127.0.0.1/')
  await page.getByRole('button', { name: 'Create' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('user name or password')
  await page.getByLabel('Address of the new webhook').fill(target.url)
  await page.getByText('Events: all').click()
  await page.getByLabel('tip.created').check()
  await page.getByLabel('tip.settled').check()
  await page.getByRole('button', { name: 'Create' }).click()
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  await saveScreenshot(page, 'webhook-secret')
  await page.getByRole('button', { name: 'Done' }).click()
  const [{ id }] = (await service.operator('GET', '/operator/v1/webhooks')).body.items
  expect((await webhook(service, id)).kinds).toEqual(['tip.created', 'tip.settled'])

  await page.getByRole('link', { name: target.url }).click()
  await page.getByText('No deliveries yet').waitFor()
  expect(await page.content()).not.toContain(secret)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('row', { name: / test .*Delivered.*Answered 204.*ms/ }).waitFor()
  verified(secret, target.received[0] as (typeof target.received)[0], service)

  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  const renewed = await page.getByLabel('Secret', { exact: true }).inputValue()
  await page.getByText('Also signed with the previous secret until').waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect.poll(() => target.received.length).toBe(2)
  for (const one of [secret, renewed]) verified(one, target.received[1] as (typeof target.received)[0], service)

  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('The webhook is disabled. Its events wait.').waitFor()
  expect((await webhook(service, id)).enabled).toBe(false)
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('The webhook is enabled.').waitFor()
  await page.getByText('Events: Tip created, Tip settled').last().click()
  await page.getByLabel('tip.settled').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The webhook is changed.').waitFor()
  expect(await webhook(service, id)).toMatchObject({ enabled: true, kinds: ['tip.created'] })

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.keyboard.press('Escape')
  expect((await webhook(service, id)).id).toBe(id)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks yet').waitFor()
})

/** Until so many attempts of the only delivery have failed. */
async function untilRecorded(id: string, attempts: number): Promise<void> {
  const recorded = { attempts, status: 500, nextAttemptAt: expect.any(String) }
  await expect.poll(() => deliveriesOf(service, id)).toMatchObject([recorded])
}

test('deliveries show state, answer and duration, and are sent again', async () => {
  const target = await receiver(status(500))
  const { id } = await newWebhook(service, target.url, ['tip.created'])
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const tip = await newTip(service, await service.member(), outcome.id)
  // The second attempt is made after 5 s by itself. If it came between the new answer and the click, that would send what is
  // delivered already, which is a second row. The third is 5 minutes later.
  await untilRecorded(id, 1)
  service.clock.advance(6_000)
  await untilRecorded(id, 2)
  const page = await consoles.signedIn()
  await openRoute(page, `webhooks/${id}`)
  await page
    .getByRole('row', { name: new RegExp(`tip.created Tip ${tip} .*Waiting next attempt.*Answered 500`) })
    .waitFor()
  await page.getByRole('main').getByText('failing').waitFor()
  await saveScreenshot(page, 'webhook-deliveries')
  target.answerWith(status(200))
  await page.getByRole('button', { name: /^Send again: evt_/ }).click()
  await page.getByRole('row', { name: /tip.created.*Delivered.*Answered 200/ }).waitFor()
  await page.getByText('Enabled', { exact: true }).waitFor()
  target.answerWith(status(410))
  await page.getByRole('button', { name: /^Send again: evt_/ }).click()
  await page.getByText('The endpoint answered 410 Gone.').waitFor()
  await page.getByRole('button', { name: 'Enable' }).waitFor()
  expect(await page.getByRole('button', { name: /^Send evt_/ }).count()).toBe(0)
})

test('a delivery shows its payload and each answer; a range is filtered and sent again', async () => {
  const target = await receiver((response) => response.writeHead(500, { 'x-reason': 'broken' }).end('Out of order'))
  const { id } = await newWebhook(service, target.url, ['tip.created'])
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const tip = await newTip(service, await service.member(), outcome.id)
  await untilRecorded(id, 1)
  await service.context.database.run(failWaiting, { now: service.clock.now() })
  const page = await consoles.signedIn()
  await openRoute(page, `webhooks/${id}`)
  await page.getByRole('link', { name: /^Details of evt_/ }).click()
  const details = page.getByRole('region', { name: /^Delivery / })
  await details.getByText('"type": "tip.created"').first().waitFor()
  for (const text of ['Attempt 1', 'Answered 500.', 'x-reason: …', 'Out of order'])
    await details.getByText(text).waitFor()
  await saveScreenshot(page, 'webhook-delivery')
  await details.getByRole('link', { name: 'Close' }).click()

  await openFilters(page)
  await page.getByLabel('State').selectOption('delivered')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('No matching deliveries').waitFor()
  expect(page.url()).toContain('state=delivered')
  await page.getByText('Choose a time “From”').waitFor()
  await openFilters(page)
  await page.getByLabel('State').selectOption('failed')
  await page.getByLabel('From').fill('2026-01-01T00:00')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('row', { name: new RegExp(`tip.created Tip ${tip} .*failed`, 'i') }).waitFor()
  target.answerWith(status(200))
  await page.getByRole('button', { name: 'Send this range again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await page.getByText('1 delivery is sent again.').waitFor()
  await untilStates(service, id, ['delivered', 'failed'])
  await page.getByRole('row', { name: /failed sent again/i }).waitFor()
  await page.getByRole('button', { name: 'Send this range again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Nothing to send again in this range.').waitFor()
})

const failWaiting = writing<{ now: number }>(
  'failWaitingDeliveries',
  `update webhook_delivery set state = 'failed', due_at = null, finished_at = :now where state = 'waiting'`,
)

test.each([
  ['laptop', LAPTOP],
  ['phone', PHONE],
] as const)('webhooks fit a %s', async (name, size) => {
  const target = await receiver()
  const { id } = await newWebhook(service, `${target.url}&${'long-'.repeat(40)}`)
  await service.operator('POST', `/operator/v1/webhooks/${id}/test`)
  await untilStates(service, id, ['delivered'])
  const page = await consoles.signedIn(undefined, size)
  for (const route of ['webhooks', `webhooks/${id}`]) {
    await openRoute(page, route)
    await page.getByRole('table').waitFor()
    const { width } = size.viewport
    expect([route, await overflowOf(page, width)]).toEqual([route, { page: width, over: [] }])
    await saveScreenshot(page, `${route.replace(/\/.*/, '-one')}-${name}`)
  }
})

test('an auditor reads webhooks and changes nothing', async () => {
  const target = await receiver()
  const { id } = await newWebhook(service, target.url)
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Webhook auditor'))
  await openRoute(page, 'webhooks')
  await page.getByRole('link', { name: maskedAddress(target.url) }).waitFor()
  expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0)
  await openRoute(page, `webhooks/${id}`)
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  for (const name of ['Send a test', 'Disable', 'Rotate secret', 'Delete', 'Save']) {
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0])
  }
})

test('the explorer of events: the newest first, by type, page by page, each with its JSON', async () => {
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  const member = await service.member()
  const tip = await newTip(service, member, outcome.id)
  await service.member()
  const page = await consoles.signedIn()
  await openRoute(page, 'events')
  const rows = page.getByRole('table', { name: 'Events' }).locator('tbody').getByRole('row')
  await rows.first().waitFor()
  const positions = async () => (await rows.locator('[data-label=Position]').allTextContents()).map(Number)
  const first = await positions()
  expect(first).toEqual(first.toSorted((one, other) => other - one))
  await rows.first().getByText('Show as JSON').click()
  await rows.first().getByText(`"position": ${first[0]}`).waitFor()
  await saveScreenshot(page, 'events')

  await openFilters(page)
  await page.getByLabel('Type').selectOption('tip.created')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('row', { name: new RegExp(`tip.created Tip ${tip} `) }).waitFor()
  expect(page.url()).toContain('type=tip.created')
  await page.getByRole('link', { name: `Tip ${tip}`, exact: true }).waitFor()
  await openRoute(page, 'events?after=3')
  await page.getByRole('cell', { name: '4', exact: true }).first().waitFor()
  await page.keyboard.press('n')
  await page.getByRole('cell', { name: '1', exact: true }).first().waitFor()
  expect(await page.getByRole('button', { name: 'Next page' }).getAttribute('aria-disabled')).toBe('true')
})
