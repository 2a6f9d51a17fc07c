import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LAPTOP, PHONE, saveScreenshot } from './browser.ts'
import { isEachChange } from './each-change.ts'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rows and bars of the charts are alike: two thousand elements of the overview. */
const LOOKED_AT = JSON.stringify({
  include: ['body'],
  exclude: ['.chart tbody tr:nth-child(n+4)', '.chart svg > :nth-child(n+10)'],
})

/** What axe finds in the page: its rule, and the elements. */
export async function violations(page: Page): Promise<string[]> {
  const options = JSON.stringify({
    runOnly: { type: 'tag', values: STANDARDS },
    resultTypes: ['violations'],
    preload: false,
    iframes: false,
  })
  // The result is nothing, because Playwright would copy all of axe from the page.
  if (await page.evaluate('globalThis.axe === undefined'))
    await page.evaluate(`void (0, eval)(${JSON.stringify(axe.source)})`)
  return page.evaluate(`axe.run(${LOOKED_AT}, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => [id, target, failureSummary.split('\\n').at(-1)].join(' '))))`)
}

/**
 * In `npm test` axe looks at each screen in one of the first two, in turn: layout depends on the device,
 * colours on the scheme, and these have all of both. In `npm run test:all` it looks at each screen in all of them.
 */
const APPEARANCES = [
  { device: 'laptop', viewport: LAPTOP.viewport, colorScheme: 'light' },
  { device: 'phone', viewport: PHONE.viewport, colorScheme: 'dark' },
  { device: 'laptop', viewport: LAPTOP.viewport, colorScheme: 'dark' },
  { device: 'phone', viewport: PHONE.viewport, colorScheme: 'light' },
].slice(0, isEachChange ? 2 : 4) as {
  device: string
  viewport: typeof LAPTOP.viewport
  colorScheme: 'light' | 'dark'
}[]
/** Another scheme starts transitions of colours. What goes on without end cannot be finished. */
const FINISH_TRANSITIONS = `for (const one of document.getAnimations()) { try { one.finish() } catch {} }`

let turn = 0

/** `alsoCheck`: in each appearance, with the width of the screen. */
export async function expectNothingFound(
  page: Page,
  name: string,
  alsoCheck: (width: number) => Promise<void> = async () => {},
): Promise<void> {
  turn++
  for (const [index, { device, viewport, colorScheme }] of APPEARANCES.entries()) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await page.evaluate(FINISH_TRANSITIONS)
    if (!isEachChange || turn % APPEARANCES.length === index)
      expect([name, device, await violations(page)]).toEqual([name, device, []])
    await alsoCheck(viewport.width)
    await saveScreenshot(page, `${name}-${device}-${colorScheme}`)
  }
}
