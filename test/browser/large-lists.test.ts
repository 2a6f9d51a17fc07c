// Ten thousand rows in each list: a page of the console loads and shows a bounded part, and goes on from there.

import type { Page, Response } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openRoute, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { KEY, useService } from '../harness/service.ts'
import { newMatch, type TestOutcome } from '../harness/sportsbook.ts'
import { newDepositor } from '../harness/wallets.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'
import { type ConsoleScreen, consoleScreens } from './console-routes.ts'

const service = useService()
const consoles = useBrowser(service)

const ROWS = 10_000
const FIRST = 1_000_000
const MAX_BYTES = 400_000
const MAX_ELEMENTS = 4_000

let customer: number
let screens: ConsoleScreen[]

/** Everything of one customer. */
async function fill(profile: number, outcome: TestOutcome, paymentMethod: number): Promise<void> {
  const rows = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})`
  const time = `(${Date.now()} - ${ROWS} + i)`
  const fills = [
    `insert into bet (id, customer_id, placed_at) ${rows} select ${FIRST} + i, ${customer}, ${time} from n`,
    `insert into bet_outcome (bet_id, outcome_id) ${rows} select ${FIRST} + i, ${outcome.id} from n`,
    `insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, words, created_at, sooner, status,
       state, listed) ${rows} select ${FIRST} + i, ${profile}, ${outcome.id}, ${outcome.sportId}, ${FIRST} + i, 0,
       'Filled tip ' || i, ' filled tip ' || i, ${time}, -2000000000000 - i, 'A', 'live', 'A' from n`,
    `insert into comment_count (comment_id, author_id, outcome_id, sport_id, listed, likes)
       select id, author_id, outcome_id, sport_id, listed, 0 from comment where id > ${FIRST}`,
    `insert into flag (kind, subject_id, profile_id, created_at, decided, weight)
       ${rows} select 'comment', ${FIRST} + i, ${profile}, ${time}, 0, 500000 from n`,
    `insert into review (kind, subject_id, flags, flagged_at, weight, trusted)
       ${rows} select 'comment', ${FIRST} + i, 1, ${time}, 500000, 0 from n`,
    `insert into decision (id, kind, subject_id, profile_id, action, note, actor, at, ground, clause)
       ${rows} select ${FIRST} + i, 'comment', ${FIRST} + i, ${profile}, 'remove', '', 'someone', ${time}, 'terms', 'general' from n`,
    `insert into appeal (decision_id, profile_id, party, text, made_at, state)
       ${rows} select ${FIRST} + i, ${profile}, 'author', 'Please read it again', ${time}, 'open' from n`,
    `insert into deposit (number, id, customer_id, api_key, idempotency_key, payment_method_id, gateway, amount, currency, day,
       state, lease_until, created_at, decided_at, review, review_at)
       ${rows} select ${FIRST} + i, 'deposit-' || i, ${customer}, 'k', 'key-' || i, ${paymentMethod}, 'sandbox', 1000 + i, 'GBP',
       20000, 'REVIEW', ${time}, ${time}, ${time}, 'capture-refused', ${time} from n`,
    `insert into deposit_event (deposit_id, at, event, detail)
       ${rows} select 'deposit-' || i, ${time}, 'begun', '' from n`,
    // The service itself numbers its entries from 1.
    `insert into audit (id, at, actor, role, action, subject, detail)
       ${rows} select -i, ${time}, 'filler', 'admin', 'setDailyLimit', '${customer}', '{}' from n`,
    `insert into customer (id, username, status, verified, currency, funds_statement_version, created_at)
       ${rows} select ${FIRST} + i, 'filled-' || i, 'active', 1, 'GBP', 1, ${time} from n`,
    `insert into profile (id, customer_id, name, name_key, biography, status, created_at, name_words, biography_words)
       ${rows} select ${FIRST} + i, ${FIRST} + i, 'Filled ' || i, 'FILLED ' || i, '', 'A', ${time}, ' filled ' || i, '' from n`,
    `insert into webhook_endpoint (id, url, enabled, secret, read_position, created_at)
       values (1, 'https://example.com/', 0, '', 1000000000, 1)`,
    `insert into webhook_delivery (endpoint_id, position, kind, subject_type, subject_id, event_at, created_at, state, finished_at)
       ${rows} select 1, i, 'tip.created', 'comment', ${FIRST} + i, ${time}, ${time}, 'delivered', ${time} from n`,
    `insert into reporter (profile_id, flags, upheld, rejected, muted, trusted)
       ${rows} select ${FIRST} + i, i % 100, i % 30, i % 40, 0, 0 from n`,
  ]
  const { database } = service.context
  await withoutTriggers(database, async () => {
    for (const one of fills) await database.script(one)
  })
  await database.script('analyze')
}

beforeAll(async () => {
  const member = await service.member()
  customer = member.id
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await fill(member.profileId, outcome, (await newDepositor(service)).method)
  const subjects = { tip: FIRST + 1, paymentId: 'deposit-1', payerId: customer, webhookId: '1', apiKey: KEY, member }
  screens = consoleScreens(subjects).filter(({ list }) => list !== undefined)
})

/** What the page loads from the API meanwhile, in bytes. */
async function loadedBy(page: Page, act: () => Promise<unknown>): Promise<number> {
  const answers: Response[] = []
  const note = (response: Response): void => {
    if (response.url().includes('/operator/v1/') && !response.url().endsWith('/stream')) answers.push(response)
  }
  page.on('response', note)
  await act()
  await requestsAnswered(page)
  page.off('response', note)
  const bodies = await Promise.all(answers.map((answer) => answer.body().catch(() => Buffer.alloc(0))))
  return bodies.reduce((sum, { length }) => sum + length, 0)
}

const elements = async (page: Page) => Number(await page.evaluate(`document.querySelectorAll('main *').length`))

const ROW = 'tbody tr, main li'

/** By its next page, by its button, or by stepping to its end. */
async function loadMore(page: Page): Promise<void> {
  const next = page.getByRole('button', { name: 'Next page' })
  if (await next.isVisible()) {
    await next.click()
    return page.getByText('Rows 51 to 100').waitFor()
  }
  const more = page.getByRole('button', { name: 'Load more' }).first()
  if (await more.isVisible()) await more.click()
  else for (let step = 0; step < 22; step++) await page.keyboard.press('j')
}

async function check(page: Page, { route, list }: ConsoleScreen): Promise<void> {
  const rows = page.locator(ROW)
  const bytes = await loadedBy(page, async () => {
    await openRoute(page, route)
    await rows.first().waitFor()
  })
  const shown = await rows.count()
  expect([route, bytes < MAX_BYTES, (await elements(page)) < MAX_ELEMENTS]).toEqual([route, true, true])
  expect([route, shown >= 10, shown <= 200]).toEqual([route, true, true])
  await saveScreenshot(page, `large-${route.replace(/\W+/g, '-')}`)
  if (list === 'latest') return
  const further = await loadedBy(page, () => loadMore(page))
  const isPaged = await page.getByText('Rows 51 to 100').isVisible()
  expect([route, further < MAX_BYTES, isPaged || (await rows.count()) > shown]).toEqual([route, true, true])
}

test('each list loads and shows a bounded part of ten thousand rows, and more on request', async () => {
  const page = await consoles.signedIn()
  for (const screen of screens) await check(page, screen)
})
