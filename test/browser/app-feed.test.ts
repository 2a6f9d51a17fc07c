import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { LAPTOP, openRoute, PHONE, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { openApp, switchTo, TICKETS, tipOf } from './app.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)
const ALICE = { ticket: TICKETS.Alice, accept: 'application/json' }

const textsOf = (page: Page) => page.getByRole('article').locator('p[id^="tip-"]').allInnerTexts()

async function feedOf(sortOrder: string, status = 'A'): Promise<string[]> {
  const path = `/v1/communities/comments/profiles/me/followings?status=${status}&sortOrder=${sortOrder}`
  const { whoCommunities } = (await service.call('GET', path, ALICE)).json()
  return whoCommunities.comment.map(({ text }: { text: string }) => text)
}

test('one click logs in, another one switches the customer; a reload stays logged in', async () => {
  const page = await openApp(browser, service, 'Alice')
  await tipOf(page, 'Travels well and stays further').waitFor()
  const pressed = page.getByRole('group', { name: 'Logged in as' }).locator('[aria-pressed="true"]')
  expect(await pressed.innerText()).toContain('AA')
  await switchTo(page, 'Bob')
  await page.reload()
  await tipOf(page, 'Quiet on the gallops').waitFor()
  await page.getByRole('link', { name: 'Me' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bob Both Teams' }).waitFor()
})

test('the feed has three orders, and winners', async () => {
  const page = await openApp(browser, service, 'Alice')
  for (const [label, order] of [
    ['Most liked', 'L'],
    ['Starting soon', 'E'],
    ['Latest', 'R'],
  ] as const) {
    const expected = await feedOf(order)
    await page.getByRole('button', { name: label }).click()
    await expect.poll(() => textsOf(page)).toEqual(expected.slice(0, 10))
  }
  await page.getByRole('button', { name: 'Winners' }).click()
  await expect.poll(() => textsOf(page)).toEqual(await feedOf('R', 'W'))
  expect(await page.getByRole('article').getByText('Won', { exact: true }).count()).toBeGreaterThan(0)
})

test('a like shows at once; a refused one is taken back, and said', async () => {
  const page = await openApp(browser, service, 'Alice')
  const tip = tipOf(page, 'Second leg of the next fifteen')
  const like = tip.getByRole('button', { name: 'Like this tip' })
  expect(await like.getAttribute('aria-pressed')).toBe('false')
  const before = lastNumber(await like.innerText())
  await like.click()
  expect(await like.getAttribute('aria-pressed')).toBe('true')
  expect(lastNumber(await like.innerText())).toBe(before + 1)
  await requestsAnswered(page)

  await page.route('**/like', (route) => route.fulfill({ status: 400, contentType: 'application/json', body: REFUSED }))
  await like.click()
  await page.getByRole('log').getByText('Still liked: Tip not found').waitFor()
  expect(await like.getAttribute('aria-pressed')).toBe('true')
  expect(lastNumber(await like.innerText())).toBe(before + 1)
})

const REFUSED = JSON.stringify({ whoFaults: { fault: { faultCode: '30500', faultString: 'No comment found for id' } } })

const lastNumber = (text: string) => Number(/(\d+)\s*$/.exec(text)?.[1])

test('a long list grows when its end comes into view, and by the keyboard', async () => {
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, 'profiles/21')
  await page.getByRole('button', { name: 'Winning selections' }).click()
  const tips = page.getByRole('article')
  await expect.poll(() => tips.count()).toBe(10)
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await expect.poll(() => tips.count()).toBe(20)
  // A click would follow the button, which moves with each block that it brings.
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await expect.poll(() => tips.count()).toBeGreaterThanOrEqual(30)
})

test('a list whose next block is refused says so, and grows on after another try', async () => {
  const page = await openApp(browser, service, 'Alice')
  const secondBlock = /blockNum=2/
  await page.route(secondBlock, (route) =>
    route.fulfill({ status: 400, contentType: 'application/json', body: REFUSED }),
  )
  await openRoute(page, 'profiles/21')
  await page.getByRole('button', { name: 'Winning selections' }).click()
  const tips = page.getByRole('article')
  const more = page.getByRole('button', { name: 'Show more' })
  await more.scrollIntoViewIfNeeded()
  await expect.poll(() => tips.count()).toBe(20)
  await more.scrollIntoViewIfNeeded()
  await page.getByRole('alert').getByText('Tip not found').waitFor()
  expect([await tips.count(), await more.count()]).toEqual([20, 0])
  await page.unroute(secondBlock)
  await page.getByRole('button', { name: 'Try again' }).click()
  const grown = async () => {
    await tips.last().scrollIntoViewIfNeeded()
    return tips.count()
  }
  await expect.poll(grown).toBeGreaterThanOrEqual(30)
})

test('a tip has its author, its price then and now, and its result', async () => {
  const page = await openApp(browser, service, 'Alice')
  const tip = page.getByRole('article')
  await page.getByRole('link', { name: 'Travels well and stays further' }).click()
  await page.waitForURL(/#\/tips\/\d+/)
  await expect.poll(() => tip.count()).toBe(1)
  await tip.getByText('Tipped at').waitFor()
  expect(await tip.innerText()).toMatch(/Tipped at\s*5\/2\s*unchanged/)
  await tip.getByRole('link', { name: 'Carol Cheltenham' }).waitFor()

  await service.operator('PATCH', '/operator/v1/outcomes/80021', { price: { num: 7, den: 4 } })
  await page.reload()
  await tip.getByText('shorter', { exact: true }).waitFor()
  expect(await tip.innerText()).toMatch(/5\/2\s*now\s*7\/4\s*shorter/)
  await service.operator('PATCH', '/operator/v1/outcomes/80021', { price: { num: 5, den: 2 } })

  await openRoute(page, 'tips/3')
  await tip.getByText('Won', { exact: true }).waitFor()
  await tip.getByText('+4.50 points from 1 point staked').waitFor()
})

test('trouble is explained, with a way out', async () => {
  const page = await openApp(browser, service, 'Alice')
  await openRoute(page, 'tips/999999')
  const problem = page.getByRole('alert')
  await problem.getByText('Tip not found').waitFor()
  await problem.getByText('It was removed, or it never existed.').waitFor()
  // Another try would find nothing either. Codes are for support, who ask for them.
  expect(await problem.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await problem.getByText('Fault 30500').isVisible()).toBe(false)
  await problem.getByText('For support').click()
  await problem.getByText(/^Fault 30500 · request \S+$/).waitFor()
  await problem.getByRole('link', { name: 'Back to the feed' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your feed' }).waitFor()
  for (const [route, title] of [
    ['profiles/999999', 'Profile not found'],
    ['events/999999', 'Match not found'],
  ] as const) {
    await openRoute(page, route)
    await problem.getByText(title).waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await problem.getByRole('link', { name: 'Back to the feed' }).waitFor()
  }
  await page.route('**/v1/communities/**', (route) => route.abort())
  await openRoute(page, '')
  await problem.getByText('The service did not answer').waitFor()
  await page.unroute('**/v1/communities/**')
  await problem.getByRole('button', { name: 'Try again' }).click()
  await tipOf(page, 'Travels well and stays further').waitFor()
})

test('the drawer shows each request and answer, as JSON or XML, and as curl', async () => {
  const page = await openApp(browser, service, 'Alice', {
    ...LAPTOP,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const drawer = page.getByRole('complementary', { name: 'Requests and answers' })
  await page.getByRole('button', { name: 'Requests and answers' }).click()
  await page.getByRole('link', { name: 'Travels well and stays further' }).click()
  const line = drawer.locator('details').filter({ hasText: '/v1/communities/comments/18' })
  await line.getByText('200').waitFor()
  await line.locator('summary').click()
  await line.getByText('"text": "Travels well and stays further"').waitFor()
  expect(await line.locator('dl').first().innerText()).toMatch(/who-apikey\s*sandbox-key[\s\S]*who-secret\s*•+/i)
  expect(await line.innerText()).not.toContain('sandbox-secret')
  await drawer.getByRole('button', { name: 'XML' }).click()
  await line.getByText('<text>Travels well and stays further</text>').waitFor()
  await line.getByRole('button', { name: 'Copy as curl' }).click()
  await line.getByText('Copied').waitFor()
  const curl = String(await page.evaluate('navigator.clipboard.readText()'))
  expect(curl).toContain(`curl -X GET '${service.publicUrl}/v1/communities/comments/18?details=Y'`)
  expect(curl).toContain("-H 'accept: application/xml'")
  expect(curl).toContain("-H 'who-secret: sandbox-secret'")

  await page.getByRole('link', { name: 'Feed' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your feed' }).waitFor()
  await page.evaluate(`(async () => {
    for (let turn = 0; turn < 60; turn++) {
      document.querySelectorAll('main fieldset button')[turn % 3].click()
      await new Promise((done) => setTimeout(done))
    }
  })()`)
  await requestsAnswered(page)
  // The last 50, of which most are the same.
  const repeated = drawer.locator('details').filter({ hasText: '/profiles/me/followings' })
  expect(Number(/× (\d+)/.exec(await repeated.innerText())?.[1])).toBeGreaterThan(30)
  expect(await drawer.locator('details').count()).toBeLessThan(20)
  await drawer.getByRole('button', { name: 'Close requests and answers' }).click()
  expect(await drawer.count()).toBe(0)
  expect(await page.evaluate('document.activeElement.title')).toBe('Requests and answers')
})

test('on a phone the drawer opens above the page, and Escape closes it', async () => {
  const page = await openApp(browser, service, 'Alice', PHONE)
  const drawer = page.getByRole('complementary', { name: 'Requests and answers' })
  expect(await drawer.count()).toBe(0)
  await page.getByRole('button', { name: 'Requests and answers' }).click()
  await drawer.getByText('/v1/stream').click()
  await drawer.getByText('event: ready').waitFor()
  // A touch elsewhere leaves the focus nowhere.
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})
