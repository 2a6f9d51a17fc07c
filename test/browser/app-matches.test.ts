// The match centre, and what reaches its pages by the stream: two customers in two contexts.

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { LAPTOP, openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { openApp, TICKETS, tipOf } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)

const price = (id: number, num: number, den: number) =>
  service.operator('PATCH', `/operator/v1/outcomes/${id}`, { price: { num, den } })

async function matches(page: Page): Promise<string> {
  await requestsAnswered(page)
  return page.getByRole('list', { name: 'Matches' }).innerText()
}

test('matches are listed by state and sport, and lead to their pages', async () => {
  const page = await openApp(browser, service, 'Alice')
  await page.getByRole('link', { name: 'Matches' }).click()
  const list = page.getByRole('list', { name: 'Matches' })
  await list.getByRole('link', { name: 'Leeds v Hull' }).waitFor()
  await page.getByRole('button', { name: 'Settled' }).click()
  await list.getByRole('link', { name: 'Swansea v Derby' }).waitFor()
  expect(await matches(page)).not.toContain('Leeds v Hull')
  await page.getByRole('button', { name: 'Horse racing' }).click()
  await list.getByRole('link', { name: 'Cheltenham race 5' }).waitFor()
  await list.getByRole('link', { name: 'Swansea v Derby' }).waitFor({ state: 'detached' })
  await list.getByRole('link', { name: 'Cheltenham race 5' }).click()
  await page.getByRole('heading', { level: 1, name: 'Cheltenham race 5' }).waitFor()
})

test('the page of a match has its sides, a countdown that ticks, prices over time, and all tips, with the own one marked', async () => {
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, 'events/502')
  await page.getByRole('heading', { level: 1, name: 'Leeds v Hull' }).waitFor()
  const main = page.getByRole('main')
  await page.getByRole('img', { name: /^Chances by price, Match result: Leeds .*Draw .*Hull/ }).waitFor()
  const tips = page.getByRole('region', { name: 'Tips on it' }).getByRole('article')
  await expect.poll(() => tips.count()).toBe(5)
  expect(await tips.filter({ hasText: 'Pool money says draw' }).count()).toBe(1)
  const own = main.getByRole('listitem').filter({ hasText: 'Your tip' })
  expect(await own.count()).toBe(1)
  expect(await own.innerText()).toContain('Neither side can defend a corner')

  const startsIn = (ms: number) =>
    service.operator('PATCH', '/operator/v1/events/502', { startTime: new Date(Date.now() + ms).toISOString() })
  await startsIn(30 * 60_000)
  const countdown = main.getByText(/^in \d+:\d\d$/)
  await countdown.waitFor()
  const before = await countdown.innerText()
  await expect.poll(() => countdown.innerText()).not.toBe(before)
  await startsIn(24 * 3_600_000)
})

test('a settled match says how each outcome was settled', async () => {
  const page = await openApp(browser, service, 'Alice')
  await service.operator('PUT', '/operator/v1/events/9901', {
    ...{ sportId: '21', name: 'Ayr 13:10', startTime: new Date(Date.now() - 60_000).toISOString() },
    markets: [{ id: '9901', name: 'To win', outcomes: RUNNERS }],
  })
  await service.operator('POST', '/operator/v1/markets/9901/settlement', {
    results: {
      99011: { result: 'win', deadHeat: { num: 1, den: 2 }, rule4: '0.10' },
      99012: { result: 'win', deadHeat: { num: 1, den: 2 }, rule4: '0.10' },
      99013: 'void',
    },
  })
  await openRoute(page, 'events/9901')
  const market = page.getByRole('region', { name: 'To win' })
  const line = (name: string) => market.getByRole('listitem').filter({ hasText: name })
  await line('Grey Goose').getByText('Won', { exact: true }).waitFor()
  expect(await line('Grey Goose').innerText()).toMatch(/dead heat: 1\/2 of the stake stands · Rule 4: 10p in the pound/)
  expect(await line('Slow Train').innerText()).toMatch(/stakes are returned[\s\S]*Void/)
  await page.getByText(/^Settled (just now|\d+ min)/).waitFor()
})

const RUNNERS = [
  { id: '99011', name: 'Grey Goose', price: { num: 2, den: 1 } },
  { id: '99012', name: 'Red Kite', price: { num: 3, den: 1 } },
  { id: '99013', name: 'Slow Train', price: { num: 9, den: 1 } },
]

test('a price that changes reaches the feed, a tip, a profile and a match of two customers, without a request', async () => {
  const alice = await openApp(browser, service, 'Alice', LAPTOP)
  const bob = await openApp(browser, service, 'Bob')
  const card = tipOf(alice, 'Travels well and stays further')
  await card.getByText('unchanged').waitFor()
  await openRoute(bob, 'tips/18')
  await bob.getByRole('article').getByText('unchanged').waitFor()
  await requestsAnswered(alice)
  const sent: string[] = []
  for (const page of [alice, bob]) page.on('request', (request) => sent.push(request.url()))
  await price(80021, 7, 4)
  await card.getByText('shorter', { exact: true }).waitFor()
  expect(await card.innerText()).toMatch(/5\/2[\s\S]*7\/4/)
  await bob.getByRole('article').getByText('shorter', { exact: true }).waitFor()
  expect(sent).toEqual([])

  await openRoute(alice, 'events/501')
  await openRoute(bob, 'profiles/3')
  await bob.getByRole('button', { name: 'Open tips' }).click()
  await bob.getByRole('article').getByText('shorter', { exact: true }).waitFor()
  const runner = alice
    .getByRole('region', { name: 'To win' })
    .getByRole('listitem')
    .filter({ hasText: 'Desert Lantern' })
  await runner.getByText('7/4').waitFor()
  await price(80021, 4, 1)
  await runner.getByText('4/1').waitFor()
  await bob.getByRole('article').getByText('longer', { exact: true }).waitFor()
  await price(80021, 5, 2)
  await bob.getByRole('article').getByText('unchanged').first().waitFor()
})

test('nothing is said of a price that is not told as it changes, and nothing is requested again and again', async () => {
  const page = await browser.openAt(`${service.publicUrl}/app/`)
  await page.route('**/v1/stream**', (route) => route.abort())
  await page.getByRole('button', { name: 'Log in as Alice' }).click()
  await tipOf(page, 'Travels well and stays further').getByText('Tipped at').waitFor()
  await requestsAnswered(page)
  expect(await page.getByText('unchanged').count()).toBe(0)

  await page.unroute('**/v1/stream**')
  await page.reload()
  await tipOf(page, 'Travels well and stays further').getByText('unchanged').waitFor()
  for (const route of ['', 'events/501', 'tips/18', 'me', 'account', 'notifications', 'moderation', 'afternoon']) {
    await openRoute(page, route)
    await page.locator('main h1').waitFor()
    await requestsAnswered(page)
    const sent: string[] = []
    const note = (request: { url(): string }) => sent.push(request.url())
    page.on('request', note)
    for (let turn = 0; turn < 3; turn++) {
      await page.clock.fastForward(4_000)
      await requestsAnswered(page)
    }
    page.off('request', note)
    // What is late on a busy machine comes once.
    const repeated = sent.filter((url, index) => !url.includes('/v1/stream') && sent.indexOf(url) < index)
    expect([route, repeated]).toEqual([route, []])
  }
})

test('start, score, a new tip and the settlement of a match reach its page and the tips on it', async () => {
  const start = new Date(Date.now() + 3_600_000).toISOString()
  const outcomes = [
    { id: '99021', name: 'Rovers', price: { num: 1, den: 1 } },
    { id: '99022', name: 'Wanderers', price: { num: 2, den: 1 } },
  ]
  const markets = [{ id: '9902', name: 'Match result', outcomes }]
  await service.operator('PUT', '/operator/v1/events/9902', {
    ...{ sportId: '10', name: 'Rovers v Wanderers', startTime: start, markets },
  })
  await service.operator('PUT', '/operator/v1/bets/99021', { customerId: '3', outcomeIds: ['99021'] })
  const alice = await openApp(browser, service, 'Alice')
  const bob = await openApp(browser, service, 'Bob', LAPTOP)
  const carol = await openApp(browser, service, 'Carol')
  await openRoute(carol, 'events')
  await carol.getByRole('list', { name: 'Matches', exact: true }).getByText('Rovers v Wanderers').waitFor()
  await openRoute(alice, 'events/9902')
  await alice.getByText('No tips yet').waitFor()
  await bob.getByRole('link', { name: 'Feed', exact: true }).waitFor()

  const tip = { ticket: TICKETS.Carol, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const body = 'betId=99021&text=At+home+they+score'
  expect((await service.call('POST', '/v1/communities/comments/me/outcomes/99021', { ...tip, body })).status).toBe(200)
  await tipOf(alice, 'At home they score').waitFor()
  await bob.getByRole('button', { name: /^Show \d+ new tips?$/ }).click()
  await tipOf(bob, 'At home they score').waitFor()

  await service.operator('PATCH', '/operator/v1/events/9902', {
    ...{ startTime: new Date(Date.now() - 60_000).toISOString(), score: '1 – 0', clock: '12’' },
  })
  await alice.getByRole('main').getByText('Now', { exact: true }).waitFor()
  await alice.getByText('1 – 0').waitFor()
  await carol.getByRole('list', { name: 'Matches now' }).getByText('Rovers v Wanderers').waitFor()
  await alice.getByText('12’').waitFor()
  await service.operator('POST', '/operator/v1/markets/9902/settlement', { results: { 99021: 'win', 99022: 'lose' } })
  await alice.getByRole('main').getByText('Settled', { exact: true }).first().waitFor()
  const market = alice.getByRole('region', { name: 'Match result' })
  await market.getByText('Won', { exact: true }).waitFor()
  await market.getByText('Lost', { exact: true }).waitFor()
  await tipOf(alice, 'At home they score').getByText('Won', { exact: true }).waitFor()
  await tipOf(bob, 'At home they score').getByText('Won', { exact: true }).waitFor()
})

test('the record of a tipster grows while one looks at it', async () => {
  await service.operator('PUT', '/operator/v1/events/9903', {
    ...{ sportId: '10', name: 'Town v City', startTime: new Date(Date.now() + 3_600_000).toISOString() },
    markets: [
      { id: '9903', name: 'Match result', outcomes: [{ id: '99031', name: 'Town', price: { num: 1, den: 1 } }] },
    ],
  })
  await service.operator('PUT', '/operator/v1/bets/99031', { customerId: '3', outcomeIds: ['99031'] })
  const tip = { ticket: TICKETS.Carol, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  await service.call('POST', '/v1/communities/comments/me/outcomes/99031', { ...tip, body: 'betId=99031&text=Town' })
  const page = await openApp(browser, service, 'Bob', LAPTOP)
  await openRoute(page, 'profiles/3')
  const record = page.getByRole('region', { name: /^Record of Carol/ })
  await record.waitFor()
  await requestsAnswered(page)
  expect(await record.innerText()).not.toContain('Town v City')
  await service.operator('POST', '/operator/v1/markets/9903/settlement', { results: { 99031: 'win' } })
  await record.getByText('Town v City').waitFor()
})

test('balance, decisions and notifications change while one looks at them', async () => {
  const carol = await openApp(browser, service, 'Carol')
  const bob = await openApp(browser, service, 'Bob')
  await openRoute(bob, 'account')
  await bob.getByText(/You have £/).waitFor()
  await requestsAnswered(bob)
  const movement = { reference: 'browser-1', customerId: '2', kind: 'winnings', amount: '12.34' }
  const { body } = await service.operator('POST', '/operator/v1/movements', movement)
  await bob
    .getByText(`£${(body as { balance: string }).balance}`)
    .first()
    .waitFor()

  await openRoute(carol, 'moderation')
  await carol.getByRole('heading', { level: 1, name: 'Decisions' }).waitFor()
  await requestsAnswered(carol)
  await service.operator('POST', '/operator/v1/moderation/comments/19', { action: 'remove', clause: 'spam', note: '' })
  await carol.getByRole('article').filter({ hasText: 'Tip 19' }).waitFor()
  await carol.getByRole('log').getByText('A moderator removed your tip').waitFor()
})

test('times tick', async () => {
  const page = await openApp(browser, service, 'Alice')
  const tip = { ticket: TICKETS.Carol, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const body = 'betId=70032&text=Holds+serve+all+afternoon'
  await service.call('POST', '/v1/communities/comments/me/outcomes/80041', { ...tip, body })
  await page.getByRole('button', { name: /^Show \d+ new tips?$/ }).click()
  const time = tipOf(page, 'Holds serve all afternoon').getByRole('time')
  await time.getByText('just now').waitFor()
  await page.clock.fastForward(3 * 60_000)
  await expect.poll(() => time.innerText()).toMatch(/^[34] min\.? ago$/)
})

test('a corrected result reaches the match, the tip and the record of those who had loaded the first one', async () => {
  const [alice, bob, carol] = [
    await openApp(browser, service, 'Alice', LAPTOP),
    await openApp(browser, service, 'Bob'),
    await openApp(browser, service, 'Carol', LAPTOP),
  ]
  const settle = (won: string, more = {}) =>
    service.operator('POST', '/operator/v1/markets/6007/settlement', {
      results: { 80061: { result: won, ...more }, 80062: 'lose', 80063: won === 'win' ? 'lose' : 'win' },
    })
  await openRoute(alice, 'events/505')
  const swansea = alice
    .getByRole('region', { name: 'Match result' })
    .getByRole('listitem')
    .filter({ hasText: 'Swansea' })
  await swansea.getByText('Won', { exact: true }).waitFor()
  await openRoute(bob, 'tips/1')
  const settlement = bob.getByRole('region', { name: 'How it was settled' })
  await settlement.getByText('+1.30 points').waitFor()
  await openRoute(carol, 'profiles/1')
  const result = carol
    .getByRole('list', { name: 'Results' })
    .getByRole('listitem')
    .filter({ hasText: 'Swansea v Derby' })
  await result.getByText('+1.30').waitFor()
  for (const page of [alice, bob, carol]) await requestsAnswered(page)
  await settle('lose')
  await swansea.getByText('Lost', { exact: true }).waitFor()
  await settlement.getByText('−1.00 points').waitFor()
  await result.getByText('−1.00').waitFor()
  await settle('win')
  await swansea.getByText('Won', { exact: true }).waitFor()
  await settlement.getByText('+1.30 points').waitFor()
  for (const page of [alice, bob, carol]) await requestsAnswered(page)
  // The result stays as it is.
  await settle('win', { rule4: '0.10' })
  await swansea.getByText('Rule 4: 10p in the pound').waitFor()
  await settlement.getByText('+1.17 points').waitFor()
  await settle('win')
  await settlement.getByText('+1.30 points').waitFor()
})
