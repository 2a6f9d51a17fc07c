// Looks for faults of layout in a page at several widths, with letters as they are and wide ones (test/browser/geometry-in-page.js).

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const SOURCE = readFileSync(new URL('../browser/geometry-in-page.js', import.meta.url), 'utf8').replaceAll(
  'export ',
  '',
)

const HEIGHTS = { 320: 640, 390: 844, 768: 1024, 1024: 768, 1280: 800, 1440: 900 }
export type Width = keyof typeof HEIGHTS
export const WIDTHS: readonly Width[] = [320, 390, 768, 1024, 1440]

export type Appearances = {
  readonly widths: readonly Width[]
  readonly letters: readonly ('narrow' | 'wide')[]
  readonly schemes: readonly ('light' | 'dark')[]
}

export const ALL_APPEARANCES: Appearances = { widths: WIDTHS, letters: ['narrow', 'wide'], schemes: ['light', 'dark'] }
/** In `npm test`: the widest letters where there is the least room, and where columns begin. */
export const FEW_APPEARANCES: Appearances = { widths: [320, 1024], letters: ['wide'], schemes: ['light'] }

/** A fifth wider than what the browser has: Verdana beside Arial. A style sheet of a script needs no leave of the content security policy. */
const LETTERS = `(async () => {
  const faces = [[400, ['Open Sans Regular', 'OpenSans-Regular', 'DejaVu Sans', 'Liberation Sans', 'Noto Sans Regular', 'Arial', 'Segoe UI']],
    [700, ['Open Sans Bold', 'OpenSans-Bold', 'DejaVu Sans Bold', 'Liberation Sans Bold', 'Noto Sans Bold', 'Arial Bold', 'Segoe UI Bold']]]
    .map(([weight, names]) => '@font-face { font-family: "Wide"; font-weight: ' + weight + '; size-adjust: 120%; src: ' +
      names.map((name) => 'local("' + name + '")').join(', ') + ' }')
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(faces.join(' ') + ' :root { --sans: "Wide" !important; --mono: "Wide" !important }')
  document.adoptedStyleSheets = [sheet]
  return (await document.fonts.load('16px "Wide"').catch(() => [])).length
})()`

/** Another width or scheme starts transitions, and components that measure draw again. */
const SETTLED = `(async () => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  for (let turn = 0; turn < 2; turn++) {
    await painted()
    for (const one of document.getAnimations()) { try { one.finish() } catch {} }
  }
})()`

/** Fault and appearance, one line for each. The page keeps the last appearance; its letters are its own again. */
export async function geometryFaults(page: Page, appearances: Appearances): Promise<string[]> {
  const faults: string[] = []
  for (const letters of appearances.letters) {
    if (letters === 'wide') expect(await page.evaluate(LETTERS), 'a font for wide letters').toBeGreaterThan(0)
    for (const colorScheme of appearances.schemes) {
      await page.emulateMedia({ colorScheme })
      for (const width of appearances.widths) {
        await page.setViewportSize({ width, height: HEIGHTS[width] })
        await page.evaluate(SETTLED)
        const found = (await page.evaluate(`(() => { ${SOURCE}; return geometryFaults() })()`)) as string[]
        faults.push(...found.map((fault) => `${width} ${letters} ${colorScheme}: ${fault}`))
      }
    }
  }
  await page.evaluate('void (document.adoptedStyleSheets = [])')
  return faults
}

export async function expectGeometry(page: Page, name: string, appearances: Appearances): Promise<void> {
  expect([name, await geometryFaults(page, appearances)]).toEqual([name, []])
}
