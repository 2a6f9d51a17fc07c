// The reference in a real browser, of a service with the sandbox's world.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allOperations } from '../../src/service.ts'
import { LAPTOP, overflowOf, PHONE, saveScreenshot, setLetters, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'

const service = useService({ SANDBOX_SEED: 'on' })
const { openAt } = useBrowser(service)
const reference = (options: BrowserContextOptions = LAPTOP) => openAt(service.publicUrl, options)

/** Sends the form of an operation as it is; returns the class and the text of the outcome. */
async function tryOut(page: Page, name: string) {
  const article = page.locator(`article#${name}`)
  const details = article.locator('details.try')
  if ((await details.getAttribute('open')) === null) await details.locator('> summary').click()
  await article.getByRole('button', { name: 'Send request' }).click()
  const outcome = article.locator('.outcome:is(.good, .bad)')
  await outcome.waitFor()
  return [await outcome.getAttribute('class'), await outcome.textContent()]
}

test('the root redirects to the reference, and every prefilled form works', async () => {
  const page = await reference()
  expect(page.url()).toBe(`${service.publicUrl}/docs`)
  // By the page itself: thirty times to scroll and click would take a minute.
  const outcomes: string[][] = await page.evaluate(`(async () => {
    const outcomes = []
    for (const form of document.querySelectorAll('.try form')) {
      const outcome = form.querySelector('.outcome')
      const answered = new Promise((resolve) => {
        const look = () => outcome.matches('.good, .bad') && resolve()
        new MutationObserver(look).observe(outcome, { attributes: true })
      })
      form.requestSubmit()
      await answered
      outcomes.push([form.closest('article').id, outcome.className, outcome.textContent.slice(0, 3)])
    }
    return outcomes
  })()`)
  const expected = allOperations.map(({ name, answer }) => [name, 'outcome good', `${answer.status}`])
  expect(outcomes.toSorted()).toEqual(expected.toSorted())
})

test('a fault inside a 200 is shown as a fault, in XML and JSON', async () => {
  const page = await reference()
  const article = page.locator('article#makeTransaction')
  await article.locator('details.try > summary').click()
  await article.getByLabel('amount').fill('1.00')
  for (const form of ['JSON', 'XML']) {
    await article.locator('.response-format').getByLabel(form).check()
    const [shown, words] = await tryOut(page, 'makeTransaction')
    expect(shown).toBe('outcome bad')
    expect(words).toMatch(/^Fault 24002: The deposit is less than the allowed minimum · HTTP 200 · /)
  }
})

test('cleared credentials stay cleared, and requests without them are refused', async () => {
  const page = await reference()
  await page.locator('#credentials').getByRole('button', { name: 'Clear' }).click()
  await page.reload()
  expect(await page.locator('#credentials').getByLabel('who-apiKey', { exact: true }).inputValue()).toBe('')
  expect((await tryOut(page, 'getMyProfile'))[1]).toMatch(/^Fault 10010: .* · HTTP 400 · /)
  await page.locator('#credentials').getByRole('button', { name: 'Use sandbox credentials' }).click()
  expect((await tryOut(page, 'getMyProfile'))[1]).toMatch(/^200 /)
})

test('filtering finds a fault’s code', async () => {
  const page = await reference()
  await page.locator('#side').getByLabel('Filter operations').fill('30520')
  expect(await page.locator('#side li:visible').allTextContents()).toEqual([
    'Errors',
    expect.stringContaining('createCommentOnOutcomeId'),
  ])
  await page.locator('#side').getByLabel('Filter operations').fill('24007 funds')
  expect(await page.locator('#side li:visible').allTextContents()).toEqual([
    'Errors',
    expect.stringContaining('makeTransaction'),
  ])
})

test.each([
  ['a phone', PHONE],
  ['a narrow phone', { ...PHONE, viewport: { width: 320, height: 700 } }],
  ['a laptop', LAPTOP],
])('nothing overflows the width of %s, opened or not, in narrow and wide letters', async (_what, options) => {
  const page = await reference(options)
  const { width } = options.viewport
  const open = (isOpen: boolean) =>
    page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = ${isOpen}`)
  for (const letters of ['narrow', 'wide'] as const) {
    await setLetters(page, letters)
    expect(await overflowOf(page, width)).toEqual({ page: width, over: [] })
    await open(true)
    await tryOut(page, 'getProfile')
    expect(await overflowOf(page, width)).toEqual({ page: width, over: [] })
    await saveScreenshot(page, `reference-${width}-${letters}`)
    await open(false)
  }
})

test('the TypeScript of a request follows what one enters, and is copied', async () => {
  const page = await reference()
  const article = page.locator('article#getProfile')
  const sample = article.locator('#getProfile-typescript')
  expect(await sample.textContent()).toBe('const profile = await paddock.getProfile({ id: 2 })')
  await article.locator('details.try > summary').click()
  await article.getByLabel('id path, required').fill('3')
  await article.getByLabel('communities').selectOption('Y')
  expect(await sample.textContent()).toBe('const profile = await paddock.getProfile({ id: 3, communities: true })')
  expect(await article.locator('#getProfile-curl').textContent()).toContain('/v1/profiles/3?communities=Y')
  expect(await sample.locator('.token-key').allTextContents()).toEqual(['id', 'communities'])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await article.locator('[data-copies="getProfile-typescript"]').click()
  await article.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    'const profile = await paddock.getProfile({ id: 3, communities: true })',
  )
})

test('curl and TypeScript are side by side on a laptop', async () => {
  const page = await reference()
  const [curl, typescript] = await Promise.all(
    ['curl', 'typescript'].map((language) => page.locator(`#getProfile-${language}`).boundingBox()),
  )
  expect(typescript?.y).toBe(curl?.y)
  expect(typescript?.x).toBeGreaterThan((curl?.x ?? 0) + (curl?.width ?? 0))
  expect(await page.locator('.languages:visible').count()).toBe(0)
})

test('on a phone one chooses, with the keyboard too, and the choice is remembered', async () => {
  const page = await reference(PHONE)
  const article = page.locator('article#getProfile')
  const shown = () => article.locator('.requests pre:visible').evaluateAll((all) => all.map(({ id }) => id))
  const button = article.getByRole('button', { name: 'TypeScript' })
  expect(await shown()).toEqual(['getProfile-curl'])
  expect(await button.getAttribute('aria-pressed')).toBe('false')
  await button.focus()
  // Safari does not keep the place by itself.
  await page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { overflow-anchor: none }')
    document.adoptedStyleSheets = [sheet]
  }`)
  const before = await button.boundingBox()
  await page.keyboard.press('Enter')
  expect(await shown()).toEqual(['getProfile-typescript'])
  expect(await button.getAttribute('aria-pressed')).toBe('true')
  // The samples above have become shorter: the button stays where it was pressed.
  expect(Math.abs(((await button.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2)
  await page.reload()
  expect(await shown()).toEqual(['getProfile-typescript'])
  await article.getByRole('button', { name: 'curl' }).click()
  expect(await shown()).toEqual(['getProfile-curl'])
})

test('without JavaScript both are shown', async () => {
  const page = await reference({ ...PHONE, javaScriptEnabled: false })
  await page.locator('#getProfile-curl').waitFor()
  expect(await page.locator('#getProfile-typescript').isVisible()).toBe(true)
  expect(await page.locator('.languages:visible').count()).toBe(0)
})
