// A reference in a real browser.

import type { Locator, Page } from 'playwright-core'

/** Goes to a page of the reference, as a link of it does: what the reader entered stays. */
export async function goTo(page: Page, name: string): Promise<Locator> {
  await page.evaluate(`navigation.navigate('/docs/${name}').finished.then(() => {})`)
  return page.locator('main')
}

/** Sends the form of the page as it is; returns the class and the text of the outcome. */
export async function tryOut(page: Page, answer?: 'Send it' | 'Cancel'): Promise<(string | null)[]> {
  await page.locator('main').getByRole('button', { name: 'Send request' }).click()
  if (answer !== undefined) await page.locator('#confirmation').getByRole('button', { name: answer }).click()
  const outcome = page.locator('.outcome:is(.good, .bad)')
  await outcome.waitFor()
  return [await outcome.getAttribute('class'), await outcome.textContent()]
}

/** Sends the prefilled forms of these operations. By the page itself: to click each would take a minute. */
export async function sendAll(page: Page, names: readonly string[]): Promise<string[][]> {
  const outcomes: string[][] = []
  for (const name of names) {
    await goTo(page, name)
    const [shown, text] = (await page.evaluate(`(async () => {
      const outcome = document.querySelector('.outcome')
      await new Promise((resolve) => {
        new MutationObserver(() => outcome.matches('.good, .bad') && resolve()).observe(outcome, { attributes: true })
        document.getElementById('try').requestSubmit()
        document.querySelector('#confirmation[open] #confirm-request')?.click()
      })
      return [outcome.className, outcome.textContent]
    })()`)) as [string, string]
    outcomes.push([name, shown, text])
  }
  return outcomes
}

/** The reader's credentials are in a dialog. */
export async function openCredentials(page: Page): Promise<Locator> {
  await page.locator('main button.credentials').click()
  return page.locator('#credentials')
}

/**
 * Two families that every browser has, whatever fonts the machine has: letters of `serif` are about as narrow as those of Arial or
 * narrower, and in `monospace` each takes 0.6 em, more than in Verdana and DejaVu Sans, the widest usual ones for text.
 */
export const FAMILIES = ['serif', 'monospace'] as const

export async function setFamily(page: Page, family: (typeof FAMILIES)[number]): Promise<void> {
  await page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(':root { --sans: ${family}; --mono: monospace }')
    document.adoptedStyleSheets = [sheet]
  }`)
}
