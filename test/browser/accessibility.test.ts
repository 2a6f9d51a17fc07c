import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sweep } from '../../src/wallets/sweeper.ts'
import { LAPTOP, openRoute, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { boardUpToDate, gradedTips } from '../harness/records.ts'
import { useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { deposit, depositStates, newDepositor } from '../harness/wallets.ts'
import { endedDelivery } from '../operator/cases.ts'
import { flaggedProfiles, type Member } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
let member: Member
let tip: number
let paymentId: string
let webhookId: string

beforeAll(async () => {
  const [first, flagger] = (await flaggedProfiles(service, 2, 'Access')) as [Member, Member]
  member = first
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  tip = await newTip(service, member, outcome.id)
  await service.call('POST', `/v1/communities/comments/${tip}/flag`, { ticket: flagger.ticket })
  await gradedTips(service, member, 'WL'.repeat(15))
  await boardUpToDate(service)
  const payer = await newDepositor(service, { token: 'sandbox:capture-refused' })
  paymentId = (await deposit(service, payer)).json().whoWallets.paymentId
  await sweep(service.context)
  expect(await depositStates(service, payer.id)).toEqual(['REVIEW'])
  webhookId = (await endedDelivery(service)).id
})

const routes = () => [
  'queue',
  'queue?kind=comment',
  `comments/${tip}`,
  'words',
  'deposits',
  `deposits/${paymentId}`,
  'ledger',
  'overview',
  'tipsters',
  `tipsters/${member.profileId}`,
  'find',
  `profiles/${member.profileId}`,
  `customers/${member.id}`,
  'applications',
  'tokens',
  'webhooks',
  `webhooks/${webhookId}`,
  'audit',
]

/** Run in the page, where the root tsconfig has no DOM types: hence text. */
const headingsIn = (within: string) => `[...document.querySelectorAll('${within} :is(h1, h2, h3, h4)')]
  .filter((one) => one.checkVisibility()).map((one) => Number(one.tagName[1]))`
const FOCUS_MARK = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return outlineStyle + ' ' + (parseFloat(outlineWidth) >= 2)
})()`
const CONTRASTS = `(() => {
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')
  const known = new Map()
  const rgba = (color) => {
    if (known.has(color)) return known.get(color)
    context.clearRect(0, 0, 1, 1); context.fillStyle = color; context.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data
    known.set(color, [r, g, b, a / 255])
    return known.get(color)
  }
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((one) => one / 255).map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = rgba(getComputedStyle(one).backgroundColor)
      if (color[3] > 0.99) return color
    }
    return [255, 255, 255]
  }
  const low = []
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim())
    if (!text || !element.checkVisibility() || element.closest(':disabled, svg, .hidden-text')) continue
    const [one, other] = [light(rgba(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a)
    const contrast = (one + 0.05) / (other + 0.05)
    if (contrast < 4.5) low.push(element.className + ' "' + element.textContent.slice(0, 30) + '" ' + contrast.toFixed(2))
  }
  return low
})()`

async function visit(page: Page, route: string): Promise<void> {
  await openRoute(page, route)
  await page.locator('main h1').waitFor()
  await requestsAnswered(page)
}

test('every screen has its landmarks, one h1, headings in order, and the focus on its h1', async () => {
  const page = await consoles.signedIn()
  for (const route of routes().toReversed()) {
    await visit(page, route)
    const levels = (await page.evaluate(headingsIn('body'))) as number[]
    expect([route, levels.filter((level) => level === 1)]).toEqual([route, [1]])
    expect([route, levels.every((level, index) => level - (levels[index - 1] ?? 0) <= 1)]).toEqual([route, true])
    expect([route, await page.evaluate('document.activeElement.tagName')]).toEqual([route, 'H1'])
    for (const landmark of ['banner', 'main'] as const) expect(await page.getByRole(landmark).count()).toBe(1)
    expect(await page.getByRole('navigation', { name: 'Console' }).count()).toBe(1)
    expect(await page.title()).toContain((await page.locator('h1').textContent()) ?? '?')
  }
})

/** Lines of the tree that a screen reader is given. */
const CONTROL = /^ *- '?(button|link|textbox|searchbox|spinbutton|combobox|checkbox|radio|switch|slider|listbox)\b/
const WAITS = { timeout: 60_000 }
const NAMED = /^ *- '?\w+ ".+"/

test('every control has a name', async () => {
  const page = await consoles.signedIn()
  for (const route of routes()) {
    await visit(page, route)
    const named = async () =>
      (await page.locator('body').ariaSnapshot()).split('\n').filter((line) => CONTROL.test(line))
    // A control that is missing from the accessibility tree has no name. The screen may still load between the two.
    await expect
      .poll(async () => {
        const controls = await page
          .locator('button:visible, a:visible, input:visible, select:visible, textarea:visible')
          .count()
        return { route, enough: controls > 3, withoutName: controls - (await named()).length }
      }, WAITS)
      .toEqual({ route, enough: true, withoutName: 0 })
    expect([route, (await named()).filter((line) => !NAMED.test(line))]).toEqual([route, []])
    const images = await page.locator('img:visible').all()
    for (const image of images) expect(await image.getAttribute('alt')).toBeTruthy()
  }
})

test('the focused element is always visibly marked', async () => {
  const page = await consoles.signedIn()
  await visit(page, 'applications')
  await page.reload()
  await page.getByRole('button', { name: 'New secret for Tests' }).waitFor()
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(FOCUS_MARK)).toBe('solid true')
  }
})

test('the first Tab stop skips the menu', async () => {
  const page = await consoles.signedIn()
  await page.reload()
  await page.locator('main h1').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('main')
})

test.each(['light', 'dark'] as const)('text has enough contrast: %s', async (colorScheme) => {
  const page = await consoles.signedIn(undefined, { ...LAPTOP, colorScheme })
  for (const route of routes()) {
    await visit(page, route)
    expect([route, await page.evaluate(CONTRASTS)]).toEqual([route, []])
    await saveScreenshot(page, `${route.replace(/\/.*/, '-one').replace(/\W/g, '-')}-${colorScheme}`)
  }
})

/** Both, with everything opened that can be. */
async function openedReferences(options: BrowserContextOptions = LAPTOP): Promise<[name: string, page: Page][]> {
  const opened: [string, Page][] = []
  for (const [name, url] of [
    ['public', service.publicUrl],
    ['operator', service.operatorUrl],
  ] as const) {
    const page = await consoles.openAt(url, options)
    await page.goto('/docs')
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
    opened.push([name, page])
  }
  return opened
}

test('both references have landmarks, one h1, headings in order, and a name for every control', async () => {
  for (const [name, page] of await openedReferences()) {
    const levels = (await page.evaluate(headingsIn('main'))) as number[]
    expect([name, levels.filter((level) => level === 1)]).toEqual([name, [1]])
    expect([name, levels.every((level, index) => level - (levels[index - 1] ?? 0) <= 1)]).toEqual([name, true])
    for (const landmark of ['banner', 'main'] as const) expect(await page.getByRole(landmark).count()).toBe(1)
    expect(await page.getByRole('navigation', { name: 'Reference' }).count()).toBe(1)
    const controls = (await page.locator('body').ariaSnapshot()).split('\n').filter((line) => CONTROL.test(line))
    expect(controls.length).toBeGreaterThan(100)
    expect([name, controls.filter((line) => !NAMED.test(line))]).toEqual([name, []])
  }
})

test('in both references the first Tab stop skips the menu, and the focus is visibly marked', async () => {
  for (const [, page] of await openedReferences()) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.className')).toBe('skip')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(FOCUS_MARK)).toBe('solid true')
    }
  }
})

test.each(['light', 'dark'] as const)('text of both references has enough contrast: %s', async (colorScheme) => {
  for (const [name, page] of await openedReferences({ ...LAPTOP, colorScheme })) {
    expect([name, await page.evaluate(CONTRASTS)]).toEqual([name, []])
    await page.evaluate(`document.querySelector('article .warning, article .try')?.scrollIntoView({ block: 'center' })`)
    await saveScreenshot(page, `reference-${name}-${colorScheme}`)
  }
})
