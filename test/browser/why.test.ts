// What operators are told of deposits and tips: states, times and reasons in words.

import { expect, test } from 'vitest'
import { openRoute, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { deposit, insertDeposits, newDepositor } from '../harness/wallets.ts'

const service = useService()
const consoles = useBrowser(service)

const STATES = [
  ['VOIDING', 'Being voided', 'wait'],
  ['CAPTURED', 'Captured', 'good'],
  ['DECLINED', 'Declined', 'bad'],
  ['REVIEW', 'Needs review', 'warn'],
] as const

test('a state has its meaning in words, in its colour and in its shape', async () => {
  const payer = await newDepositor(service)
  const cases = STATES.map(([state], index) => `when ${index + 1} then '${state}'`).join(' ')
  const review = `case i when 4 then 'capture-refused' end, case i when 4 then ${service.clock.now()} end`
  const fault = `case i when 1 then 'authorisationFailed' when 3 then 'insufficientFunds' end`
  await insertDeposits(service, payer, STATES.length, `500, 'GBP', case i ${cases} end, ${fault}, ${review}`)
  const page = await consoles.signedIn()
  await openRoute(page, `deposits?customerId=${payer.id}`)
  const badges = page.getByRole('table', { name: 'Deposits' }).locator('.badge')
  await expect.poll(() => badges.count()).toBe(STATES.length)
  const shapes: unknown[] = []
  for (const [, words, look] of STATES) {
    const badge = badges.filter({ hasText: words })
    expect([await badge.textContent(), await badge.getAttribute('class')]).toEqual([words, `badge ${look}`])
    shapes.push(await badge.locator('svg path').getAttribute('d'))
  }
  expect(new Set(shapes).size).toBe(STATES.length)
  await saveScreenshot(page, 'states')
})

test('a failed deposit says why in words: in the list, on its page, on the customer’s page and in the timeline', async () => {
  const { id, ticket, method } = await newDepositor(service, { token: 'sandbox:insufficient-funds' })
  await deposit(service, { ticket, method, amount: '12.34' })
  const WORDS = [
    /The bank reports that there is less on the card than the amount/,
    /There is not enough money on the card\. Deposit less, or use another card\./,
    /Nothing: the card works/,
  ]
  const page = await consoles.signedIn()
  for (const [route, place] of [
    [`deposits?customerId=${id}`, page.getByRole('table', { name: 'Deposits' })],
    [`customers/${id}?tab=money`, page.getByRole('table', { name: 'Latest deposits' })],
    [`customers/${id}?tab=timeline`, page.getByRole('region', { name: 'Timeline' })],
  ] as const) {
    await openRoute(page, route)
    await place.locator('summary', { hasText: 'Not enough money' }).click()
    for (const words of WORDS) await place.getByText(words).waitFor()
    await saveScreenshot(page, `why-${route.replaceAll(/\W+|\d+/g, '-')}`)
  }
  await openRoute(page, `deposits?customerId=${id}`)
  await page.getByRole('table', { name: 'Deposits' }).getByRole('link', { name: /GBP$/ }).first().click()
  const card = page.getByRole('region', { name: 'Deposit', exact: true })
  for (const words of WORDS) await card.getByText(words).waitFor()
  await card.getByText('Code 24007.').waitFor()
  await card.getByText('VISA … 1111 12/49').waitFor()
  await saveScreenshot(page, 'why-deposit')
})

test('a time within the hour ticks', async () => {
  const page = await consoles.signedIn()
  await page.clock.setFixedTime(service.clock.now())
  const { id } = await service.customer()
  await openRoute(page, `customers/${id}?tab=timeline`)
  const time = page.getByRole('region', { name: 'Timeline' }).locator('time').last()
  await expect.poll(() => time.textContent()).toBe('just now')
  await page.clock.setFixedTime(service.clock.now() + 10 * 60_000)
  await expect.poll(() => time.textContent()).toBe('10 min ago')
  await page.clock.setFixedTime(service.clock.now() + 2 * 3_600_000)
  await expect.poll(() => time.textContent()).toMatch(/^\d+ \w{3} \d{4}, \d\d:\d\d$/)
})

test('charts of the overview have axes from 0, the same height, rates up to 100%, and the period before', async () => {
  const payer = await newDepositor(service)
  await insertDeposits(service, payer, 3, `1234567, 'NOK', 'CAPTURED', null, null, null`)
  const now = service.clock.now()
  const move = (number: number, days: number) =>
    `update deposit set created_at = ${now - days * 86_400_000} where id = 'inserted-${payer.method}-${number}';`
  await service.context.database.script(`${move(1, 1)}${move(2, 8)}${move(3, 9)}`)
  const page = await consoles.signedIn()
  await openRoute(page, 'overview')
  await page.getByLabel('Period').selectOption('7 days')
  const figure = (title: string) =>
    page.locator('figure').filter({ has: page.getByRole('img', { name: `${title} per day` }) })
  const axis = (title: string) => figure(title).locator('svg[aria-hidden] text').allTextContents()
  const amounts = async () => (await axis('Amount deposited, NOK')).slice(0, 4).join(' ')
  await expect.poll(amounts).toMatch(/^0 5k 10k 15k$/i)
  expect((await axis('Approval rate')).slice(0, 3)).toEqual(['0%', '50%', '100%'])
  const title = figure('Amount deposited, NOK').locator('svg[role=img]')
  expect(await title.locator('polyline').getAttribute('points')).toMatch(/^34\.28\d*,[\d.]+( [\d.]+,[\d.]+){6}$/)
  await figure('Amount deposited, NOK').getByText('the 7 days before', { exact: true }).waitFor()
  const plots = await page.locator('figure svg[role=img]').all()
  const heights = await Promise.all(plots.map(async (plot) => (await plot.boundingBox())?.height))
  expect(heights.length).toBeGreaterThan(5)
  expect(new Set(heights).size).toBe(1)
  await saveScreenshot(page, 'overview-axes')
})

test('every entry of the menu has an icon', async () => {
  const page = await consoles.signedIn()
  const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
  await links.first().waitFor()
  const icons = await links.locator('svg path').evaluateAll((paths) => paths.map((path) => path.getAttribute('d')))
  expect(icons.length).toBe(await links.count())
  expect(icons.every((path) => typeof path === 'string')).toBe(true)
})
