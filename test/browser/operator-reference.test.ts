// The operator's reference in a real browser, of a service with the sandbox's world.

import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { operatorOperations } from '../../src/operator/operations.ts'
import { LAPTOP, overflowOf, PHONE, saveScreenshot, setLetters, useBrowser } from '../harness/browser.ts'
import { OPERATOR_TOKEN, useService } from '../harness/service.ts'

const service = useService({ SANDBOX_SEED: 'on' })
const { open, openAt, signedIn } = useBrowser(service)

function reference(options: BrowserContextOptions = LAPTOP): Promise<Page> {
  return openAt(`${service.operatorUrl}/docs`, options)
}

/** A label or a role is looked up here: to do so in the whole page, of 57,000 nodes, takes 1.5 s of processor time. */
const credentials = (page: Page) => page.locator('#credentials')

async function withToken(options?: BrowserContextOptions): Promise<Page> {
  const page = await reference(options)
  await credentials(page).getByLabel('Operator token').fill(OPERATOR_TOKEN)
  return page
}

async function openForm(page: Page, name: string) {
  const article = page.locator(`article#${name}`)
  const details = article.locator('details.try')
  if ((await details.getAttribute('open')) === null) await details.locator('> summary').click()
  return article
}

/** Sends the form of an operation as it is; returns the class and the text of the outcome. */
async function tryOut(page: Page, name: string, answer?: 'Send it' | 'Cancel') {
  const article = await openForm(page, name)
  await article.getByRole('button', { name: 'Send request' }).click()
  if (answer !== undefined) await page.locator('dialog').getByRole('button', { name: answer }).click()
  const outcome = article.locator('.outcome:is(.good, .bad)')
  await outcome.waitFor()
  return [await outcome.getAttribute('class'), await outcome.textContent()]
}

test('a read works with the token that was pasted, and is refused without one', async () => {
  const page = await reference()
  expect(await tryOut(page, 'getCustomer')).toEqual([
    'outcome bad',
    expect.stringMatching(/^Unauthorized: Send an operator token.* · HTTP 401 · /),
  ])
  await credentials(page).getByLabel('Operator token').fill(OPERATOR_TOKEN)
  expect(await tryOut(page, 'getCustomer')).toEqual(['outcome good', expect.stringMatching(/^200 OK · \d+ ms · /)])
  const article = page.locator('article#getCustomer')
  expect(JSON.parse((await article.locator('.result .body').textContent()) ?? '')).toMatchObject({ id: '1' })
  expect(await article.locator('.headers').textContent()).toMatch(/^cache-control: no-store$/m)
  await article.getByLabel('id path').fill('999999')
  expect((await tryOut(page, 'getCustomer'))[1]).toMatch(/^Not found: There is no customer 999999\..* · HTTP 404 · /)
})

test('a write is sent only when the reader confirms it', async () => {
  const page = await withToken()
  const article = await openForm(page, 'putSport')
  await article.getByLabel('id path').fill('42')
  await article.locator('textarea').fill('{"name":"Curling"}')
  expect(await article.locator('pre').first().textContent()).toContain(`--data-binary '{"name":"Curling"}'`)
  await article.getByRole('button', { name: 'Use the example' }).click()
  expect(JSON.parse(await article.locator('textarea').inputValue())).toEqual({ name: 'Darts', communities: true })
  await article.getByRole('button', { name: 'Send request' }).click()
  const dialog = page.locator('dialog').filter({ has: page.getByRole('heading', { name: 'Send this request?' }) })
  expect(await dialog.locator('code').textContent()).toBe('PUT /operator/v1/sports/42')
  await saveScreenshot(page, 'operator-reference-confirmation')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await article.locator('.outcome').textContent()).toBe('')
  // Had it been sent, this would change the sport (200) instead of creating it (201).
  expect(await tryOut(page, 'putSport', 'Send it')).toEqual(['outcome good', expect.stringMatching(/^201 Created · /)])

  // A feed is sent as the lines of the text area.
  expect((await tryOut(page, 'importFeed', 'Send it'))[1]).toMatch(/^200 OK · /)
  const body = JSON.parse((await page.locator('article#importFeed .result .body').textContent()) ?? '')
  expect(body).toMatchObject({ lines: 2, applied: { sport: 1, bet: 1 }, refused: 0 })
})

/** What they name is not in the sandbox until somebody creates it. */
const ABSENT = ['getAppeal', 'getDeposit', 'getWebhook', 'listWebhookDeliveries', 'readGatewayView']

test('every prefilled read that names nothing random works', async () => {
  const page = await withToken()
  const outcomes = await page.evaluate(`(async () => {
    const outcomes = []
    for (const form of document.querySelectorAll('.try form[data-method=GET]')) {
      const outcome = form.querySelector('.outcome')
      const answered = new Promise((resolve) => {
        const look = () => outcome.matches('.good, .bad') && resolve()
        new MutationObserver(look).observe(outcome, { attributes: true })
      })
      form.requestSubmit()
      await answered
      outcomes.push([form.closest('article').id, outcome.textContent.slice(0, 6)])
    }
    return outcomes
  })()`)
  const reads = operatorOperations.filter(({ method, name }) => method === 'GET' && !ABSENT.includes(name))
  expect(outcomes).toEqual(expect.arrayContaining(reads.map(({ name }) => [name, '200 OK'])))
})

test('the token is in no command, and nothing stores it', async () => {
  const page = await withToken()
  await tryOut(page, 'readMe')
  expect(await page.locator('main').innerHTML()).not.toContain(OPERATOR_TOKEN)
  expect(await page.evaluate('sessionStorage.length + localStorage.length + document.cookie.length')).toBe(0)
  await page.reload()
  expect(await credentials(page).getByLabel('Operator token').inputValue()).toBe('')
  await credentials(page).getByLabel('Operator token').fill('another')
  await credentials(page).getByRole('button', { name: 'Clear' }).click()
  expect(await credentials(page).getByLabel('Operator token').inputValue()).toBe('')
})

test('filtering finds words, paths and roles, with the keyboard alone', async () => {
  const page = await reference()
  const listed = () => page.locator('#side li:visible').allTextContents()
  await page.keyboard.press('/')
  await page.keyboard.type('personal-data delete')
  expect(await listed()).toEqual([expect.stringContaining('erasePersonalData')])
  await page.keyboard.press('Enter')
  expect(page.url()).toMatch(/#erasePersonalData$/)
  await page.locator('#side').getByLabel('Filter operations').fill('moderator')
  const found = await listed()
  expect(found).toEqual(expect.arrayContaining(['Roles', expect.stringContaining('moderateComment')]))
  expect(found.join()).not.toContain('putSport')
})

test('it can be read without JavaScript', async () => {
  const page = await reference({ ...LAPTOP, javaScriptEnabled: false })
  expect(await page.locator('article.operation').count()).toBe(operatorOperations.length)
  expect(await page.locator('#putSport table').first().isVisible()).toBe(true)
  expect(await page.locator('.try, .copy').first().isVisible()).toBe(false)
  await page.locator('#getCustomer details.answered > summary').click()
  expect(await page.locator('#getCustomer details.answered table').isVisible()).toBe(true)
})

test('the console leads to it, signed in or not', async () => {
  const link = (page: Page) => page.getByRole('link', { name: 'API reference' })
  const before = await open()
  const address = await link(before).getAttribute('href')
  const page = await signedIn()
  expect(await link(page).getAttribute('href')).toBe(address)
  await link(page).click()
  await page.getByRole('heading', { name: 'Paddock operator API reference' }).waitFor()
})

const NARROW_PHONE = { width: 320, height: 700 }

test.each([
  ['phones', PHONE, [PHONE.viewport, NARROW_PHONE]],
  ['a laptop', LAPTOP, [LAPTOP.viewport]],
])('nothing overflows the width of %s, opened or not, in narrow and wide letters', async (_what, options, sizes) => {
  const page = await withToken(options)
  const open = (isOpen: boolean) =>
    page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = ${isOpen}`)
  const fits = async (letters: 'narrow' | 'wide', width: number) => {
    await setLetters(page, letters)
    expect(await overflowOf(page, width)).toEqual({ page: width, over: [] })
    await saveScreenshot(page, `operator-reference-${width}-${letters}`)
  }
  for (const size of sizes) {
    await page.setViewportSize(size)
    await fits('narrow', size.width)
    await fits('wide', size.width)
    await open(true)
    await tryOut(page, 'getCustomer')
    await fits('wide', size.width)
    await fits('narrow', size.width)
    await open(false)
  }
})
