import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { appealed, removedTip } from '../harness/appeals.ts'
import { expectNothingFound, violations } from '../harness/axe.ts'
import { LAPTOP, openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { expectGeometry, FEW_APPEARANCES } from '../harness/geometry.ts'
import { boardUpToDate, gradedTips } from '../harness/records.ts'
import { KEY, useService } from '../harness/service.ts'
import { newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { deposit, depositStates, newDepositor } from '../harness/wallets.ts'
import { waitingWithdrawal } from '../harness/withdrawals.ts'
import { endedDelivery } from '../operator/cases.ts'
import { consoleScreens } from './console-routes.ts'
import { flaggedProfiles, type Member } from './fixtures.ts'

const service = useService()
const consoles = useBrowser(service)
let member: Member
let tip: number
let paymentId: string
let payerId: number
let webhookId: string
let withdrawalId: string

beforeAll(async () => {
  const [first, flagger] = (await flaggedProfiles(service, 2, 'Filled')) as [Member, Member]
  member = first
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  tip = await newTip(service, member, outcome.id)
  await service.call('POST', `/v1/communities/comments/${tip}/flag`, { ticket: flagger.ticket })
  await gradedTips(service, member, 'WL'.repeat(15))
  await boardUpToDate(service)
  const payer = await newDepositor(service, { token: 'sandbox:capture-refused' })
  payerId = payer.id
  paymentId = (await deposit(service, payer)).json().whoWallets.paymentId
  await sweep(service.context)
  expect(await depositStates(service, payer.id)).toEqual(['REVIEW'])
  const { author, decisionId } = await removedTip(service, { clause: 'spam' })
  await appealed(service, author, decisionId)
  webhookId = (await endedDelivery(service)).id
  withdrawalId = (await waitingWithdrawal(service)).id
})

const subjects = () => ({ tip, paymentId, payerId, webhookId, withdrawalId, apiKey: KEY, member })
const routes = () => consoleScreens(subjects()).map(({ route }) => route)

/** Run in the page, where the root tsconfig has no DOM types: hence text. */
const FOCUS_MARK = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  return outlineStyle + ' ' + (parseFloat(outlineWidth) >= 2)
})()`

async function visit(page: Page, route: string): Promise<void> {
  await openRoute(page, route)
  await page.locator('main h1').waitFor()
  await requestsAnswered(page)
}

const ALL_SCREENS = { timeout: 600_000 }

test(
  'axe and the boxes show no fault on any screen, on laptop and phone, light and dark; it fits, and the focus is on the h1',
  ALL_SCREENS,
  async () => {
    const page = await consoles.signedIn()
    for (const route of routes()) {
      await visit(page, route)
      expect([route, await page.evaluate('document.activeElement.tagName')]).toEqual([route, 'H1'])
      expect(await page.title()).toContain((await page.locator('h1').textContent()) ?? '?')
      await expectNothingFound(page, route.replace(/\/[^?]*/, '-one').replace(/\W/g, '-'), async (width) => {
        expect([route, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([route, width])
      })
      await expectGeometry(page, route, FEW_APPEARANCES)
    }
  },
)

test('the screens above are all that the console has', () => {
  const sources = ['screens.tsx', 'wallets/screens.tsx'].map((file) =>
    readFileSync(new URL(`../../console/src/${file}`, import.meta.url), 'utf8'),
  )
  const screens = [...sources.join('').matchAll(/name: '([\w-]+)',(\s+hasId: true)?/g)].map(([, name, id]) =>
    id ? `${name}/` : name,
  )
  const visited = routes().map((route) => route.replace(/\?.*/, '').replace(/\/.*/, '/'))
  expect(screens.length).toBeGreaterThan(15)
  expect(screens.filter((screen) => !visited.includes(screen as string))).toEqual([])
})

/** What a screen shows only after a click or a key. */
const OPENED: [name: string, route: string, open: (page: Page) => Promise<void>][] = [
  [
    'search-dialog',
    'words',
    async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('filled')
      await requestsAnswered(page)
    },
  ],
  [
    'selected',
    'queue',
    async (page) => {
      await page.keyboard.press('a')
      await page.getByRole('heading', { name: /selected$/ }).waitFor()
    },
  ],
]

test.each(OPENED)('axe finds nothing in what opens: %s', async (name, route, open) => {
  const page = await consoles.signedIn()
  await visit(page, route)
  await open(page)
  await expectNothingFound(page, name)
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

/** The start page, a page about the API and an operation of each reference; the list of guides, and one with tables and code. */
const REFERENCES = [
  ['public', ['docs', 'docs/errors', 'docs/createCommentOnOutcomeId', 'guides', 'guides/events']],
  ['operator', ['docs', 'docs/problems', 'docs/moderateComment', 'guides/withdrawals']],
] as const

function openReference(name: 'public' | 'operator', path: string): Promise<Page> {
  const { publicUrl, operatorUrl } = service
  return consoles.openAt(`${name === 'public' ? publicUrl : operatorUrl}/${path}`, LAPTOP)
}

test.each(REFERENCES)(
  'axe finds nothing in the %s reference, on laptop and phone, light and dark',
  async (name, paths) => {
    for (const path of paths) {
      const page = await openReference(name, path)
      const shown = `reference-${name}-${path.replace('/', '-')}`
      await expectNothingFound(page, shown)
      await expectGeometry(page, shown, FEW_APPEARANCES)
    }
    const page = await openReference(name, paths[2])
    await page.locator('main button.credentials').click()
    expect(await violations(page)).toEqual([])
  },
)

test.each(REFERENCES)(
  'in the %s reference the first Tab stop skips the menu, and the focus is visibly marked',
  async (name, paths) => {
    for (const path of [paths[0], paths[2]]) {
      const page = await openReference(name, path)
      // Where the first Tab goes depends on the browser's own start of its focus: the first stop is the first of the document.
      const stops = "document.querySelector('a[href], button, input, select, textarea, summary, [tabindex]')"
      expect(await page.evaluate(`${stops}.className`)).toBe('skip')
      await page.locator('.skip').focus()
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).toBe('content')
      for (let step = 0; step < 8; step++) {
        await page.keyboard.press('Tab')
        expect(await page.evaluate(FOCUS_MARK)).toBe('solid true')
      }
    }
  },
)
