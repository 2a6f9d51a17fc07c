// "Try it" of the console opens the reference of the public API with the key of an application.

import { expect, test } from 'vitest'
import { openRoute, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { tryOut } from '../harness/reference-browser.ts'
import { KEY, SECRET, useService } from '../harness/service.ts'
import { tokenOf } from './fixtures.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const consoles = useBrowser(service)

async function tryWith(name: string) {
  const page = await consoles.signedIn()
  await openRoute(page, 'applications')
  await page.getByRole('link', { name: `Try it with the key of ${name}` }).click()
  await page.getByRole('heading', { level: 1, name: 'getProfile' }).waitFor()
  return page
}

test('with the sandbox’s key the form is filled in, and its request is in the request log', async () => {
  const page = await tryWith('Sandbox')
  await page.waitForURL(`${service.publicUrl}/docs/getProfile`)
  expect(await page.locator('main .sent-as').textContent()).toBe('Sent with: who-apiKey, who-secret, who-ticket.')
  expect((await tryOut(page))[1]).toMatch(/^200 OK · /)
  const headers = (await page.locator('.result .headers').textContent()) ?? ''
  const requestId = /x-request-id: (\S+)/.exec(headers)?.[1]
  const { items } = (await service.operator('GET', '/operator/v1/applications/sandbox-key/requests?limit=200')).body
  expect(items.map(({ id }: { id: string }) => id)).toContain(requestId)
})

test('with another key the page asks for its secret, which is in no address', async () => {
  const page = await tryWith('Tests')
  const dialog = page.locator('#credentials')
  expect(await dialog.getByLabel('who-apiKey', { exact: true }).inputValue()).toBe(KEY)
  const secret = dialog.getByLabel('who-secret')
  expect([await secret.inputValue(), await secret.evaluate('document.activeElement.name')]).toEqual(['', 'who-secret'])
  await saveScreenshot(page, 'try-it')
  await secret.fill(SECRET)
  await page.keyboard.press('Enter')
  expect((await tryOut(page))[1]).toMatch(/^200 OK · /)
  expect(await page.evaluate('JSON.stringify([location.href, history.state])')).not.toMatch(
    new RegExp(`${KEY}|${SECRET}`),
  )
})

test('an auditor, who changes nothing, is not offered it', async () => {
  const page = await consoles.signedIn(await tokenOf(service, 'auditor', 'Only looks'))
  await openRoute(page, 'applications')
  await page.getByRole('link', { name: 'Requests of Sandbox' }).waitFor()
  expect(await page.getByRole('link', { name: 'Try it with the key of Sandbox' }).count()).toBe(0)
})
