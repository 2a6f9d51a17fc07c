// A developer tries the public API in the console, with the key of an application and the data of the sandbox.

import { expect, test } from 'vitest'
import { expectNothingFound } from '../harness/axe.ts'
import { openRoute, overflowOf, PHONE, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { useService } from '../harness/service.ts'
import { tokenOf } from './fixtures.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const consoles = useBrowser(service)
const KEY = 'sandbox-key'
const SECRET = 'sandbox-secret'

test('a request with the example’s values is answered, shown as curl without the secret, and in the request log', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, 'applications')
  await page.getByRole('link', { name: 'Try it with the key of Sandbox' }).click()
  await page.getByLabel('Search operations').fill('profile GET /v1/profiles/{id}')
  await page.getByRole('button', { name: 'getProfile GET' }).click()
  await page.getByRole('heading', { name: 'getProfile' }).waitFor()
  expect(await page.getByLabel('id (path, required)').inputValue()).toBe('2')
  await page.getByLabel('Secret of the application').fill(SECRET)
  await page.getByRole('button', { name: 'Send request' }).click()

  const answer = page.getByRole('region', { name: 'Answer' })
  expect(await answer.getByRole('status').textContent()).toMatch(/^200\s.*ms$/)
  expect(await answer.getByLabel('Body').textContent()).toContain('"name": "Bob Both Teams"')
  expect(await answer.getByLabel('Headers').textContent()).toContain('content-type: application/json')
  const curl = (await page.getByLabel('The same with curl').textContent()) ?? ''
  expect(curl).toContain(`${service.publicUrl}/v1/profiles/2`)
  expect(curl).toContain('who-secret: YOUR_SECRET')
  expect(curl).not.toContain(SECRET)
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])'
  expect(await page.evaluate(stored)).not.toContain(SECRET)
  await saveScreenshot(page, 'try-it')

  await answer.getByRole('link', { name: 'Open in the request log' }).click()
  await page
    .getByRole('region', { name: /^Request / })
    .getByText('GET /v1/profiles/2')
    .waitFor()
  // Without what the customer wrote.
  const kept = await page.getByRole('region', { name: 'Body of the answer' }).textContent()
  expect(kept).toContain('"name": "…"')
})

test('a fault names its code, in XML as in JSON; another operation has the secret still', async () => {
  const page = await consoles.signedIn()
  await openRoute(page, `try/${KEY}?operation=getFollowers`)
  await page.getByLabel('Secret of the application').fill(SECRET)
  await page.getByRole('button', { name: 'getProfile GET' }).click()
  await page.getByRole('heading', { name: 'getProfile' }).waitFor()
  await page.getByLabel('id (path, required)').fill('999999')
  const outcome = page.getByRole('region', { name: 'Answer' }).getByRole('status')
  for (const [format, beginning] of [
    ['XML', '<whoFaults>'],
    ['JSON', '"whoFaults": ['],
  ] as const) {
    await page.getByLabel(format).check()
    await page.getByRole('button', { name: 'Send request' }).click()
    await outcome.getByText('Fault 30410').waitFor()
    await page.getByLabel('Body').getByText(beginning).waitFor()
  }
  await page.getByLabel('Secret of the application').fill('')
  await page.getByText('Needs the secret, above.').waitFor()
  await page.getByRole('button', { name: 'Send request' }).click()
  await outcome.getByText('400').waitFor()
})

test('an operation that moves money is sent only when the developer confirms it', async () => {
  const page = await consoles.signedIn()
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/try') && sent.push(request.url()))
  await openRoute(page, `try/${KEY}?operation=makeTransaction`)
  await page.getByLabel('Secret of the application').fill(SECRET)
  await page.getByLabel('amount (query or form, required)').fill('5.00')
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByText('Moves money of the customer of the ticket. Amount: 5.00.').waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByRole('button', { name: 'Send POST' }).click()
  await page.getByRole('region', { name: 'Answer' }).waitFor()
  expect(sent).toHaveLength(1)
})

test('with its answer the page fits a phone, and axe finds nothing, light and dark', async () => {
  const page = await consoles.signedIn(undefined, PHONE)
  await openRoute(page, `try/${KEY}?operation=getProfile`)
  await page.getByLabel('Secret of the application').fill(SECRET)
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByRole('region', { name: 'Answer' }).waitFor()
  const { width } = PHONE.viewport
  expect(await overflowOf(page, width)).toEqual({ page: width, over: [] })
  await expectNothingFound(page, 'try-it-answer')
})

test('an auditor, who changes nothing, is not offered it', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Only looks'))
  await openRoute(page, 'applications')
  await page.getByRole('link', { name: 'Requests of Sandbox' }).waitFor()
  expect(await page.getByRole('link', { name: 'Try it with the key of Sandbox' }).count()).toBe(0)
})
