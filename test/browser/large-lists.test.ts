// Ten thousand rows in each list: a page of the console loads and shows a bounded part, and goes on from there.

import type { Page, Response } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { LAPTOP, openRoute, requestsAnswered, saveScreenshot, useBrowser } from '../harness/browser.ts'
import { expectGeometry, FEW_APPEARANCES } from '../harness/geometry.ts'
import { boardUpToDate } from '../harness/records.ts'
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
    `insert into comment (id, author_id, outcome_id, sport_id, bet_id, starting_price, text, words, created_at, start_order, status,
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
       ${rows} select ${FIRST} + i, 'filled-' || i, 'self-excluded', 1, 'GBP', 1, ${time} from n`,
    `insert into profile (id, customer_id, name, name_key, biography, status, created_at, name_words, biography_words)
       ${rows} select ${FIRST} + i, ${FIRST} + i, 'Filled ' || i, 'FILLED ' || i, '', 'A', ${time}, ' filled ' || i, '' from n`,
    `insert into webhook_endpoint (id, url, enabled, secret, read_position, created_at)
       values (1, 'https://example.com/', 0, '', 1000000000, 1)`,
    `insert into webhook_delivery (endpoint_id, position, kind, subject_type, subject_id, event_at, created_at, state, finished_at)
       ${rows} select 1, i, 'tip.created', 'comment', ${FIRST} + i, ${time}, ${time}, 'delivered', ${time} from n`,
    `insert into withdrawal (id, reference, customer_id, api_key, payment_method_id, gateway, amount, currency, state, approvals,
       created_at, changed_at)
       ${rows} select ${FIRST} + i, 'withdrawal-' || i, ${customer}, 'k', ${paymentMethod}, 'sandbox', 1000 + i, 'GBP',
       'REQUESTED', 2, ${time}, ${time} from n`,
    `insert into withdrawal_part (withdrawal_id, customer_id, kind, amount, currency, state, reference, gateway, created_at, changed_at)
       ${rows} select ${FIRST} + i, ${customer}, 'payout', 1000 + i, 'GBP', 'WAITING', 'part-' || i, 'sandbox', ${time}, ${time} from n`,
    `insert into refund (reference, deposit_id, customer_id, origin, amount, currency, state, reason, requested_by, requested_person, needs_approval,
       debited, created_at, changed_at)
       ${rows} select 'refund-' || i, 'deposit-' || i, ${customer}, 'operator', 500, 'GBP', 'REQUESTED', 'Asked for it', 'somebody', 'somebody', 1,
       500, ${time}, ${time} from n`,
    `insert into money_proposal (subject, customer_id, terms, note, by_name, by_person, at)
       ${rows} select 'debt-write-off ' || (${FIRST} + i), ${FIRST} + i, '5.00 GBP', 'Has died', 'somebody', 'somebody', ${time} from n`,
    `insert into gateway_notification (gateway, notification_key, event, success, reference, received_at, content, outcome, contradiction)
       ${rows} select 'sandbox', 'filled-' || i, 'REFUND_FAILED', 1, 'deposit-' || i, ${time}, null, 'contradiction', 'unknown-refund' from n`,
    `insert into account (kind, customer_id, currency, balance) ${rows} select 'customer', ${FIRST} + i, 'GBP', 1000 + i from n`,
    `insert into dispute (id, deposit_id, customer_id, gateway_reference, state, amount, debited, currency, evidence, last_event,
       created_at, changed_at)
       ${rows} select ${FIRST} + i, 'deposit-' || i, ${customer}, 'dispute-' || i, 'LOST', 1000, 1000, 'GBP', 'over',
       'CHARGEBACK', ${time}, ${time} from n`,
    // Of a kind that no projection reads.
    `insert into event_log (position, kind, subject_type, subject_id, customer_id, at, data)
       ${rows} select (select max(position) from event_log) + i, 'movement.stake', 'customer', ${customer}, ${customer}, ${time}, '{}'
       from n`,
    `insert into record_board (days, sport_id, band, profile_id, low, num_settled, num_won, num_lost, num_void, num_withdrawn, staked,
       profit, odds, return_squares, num_closing, closing, num_beaten, num_days, first_day, last_day)
       ${rows} select 30, 0, 0, ${FIRST} + i, -i, 20, 10, 10, 0, 0, 20, 1000000 * i, 40000000, 40000000, 0, 0, 0, 5, 20000, 20005 from n`,
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
  // Another day would write the board of records again.
  service.clock.hold()
  await boardUpToDate(service)
  const member = await service.member()
  customer = member.id
  const [outcome] = (await newMatch(service)) as [TestOutcome]
  await fill(member.profileId, outcome, (await newDepositor(service)).method)
  const ids = { tip: FIRST + 1, paymentId: 'deposit-1', webhookId: '1', withdrawalId: `${FIRST + 1}`, apiKey: KEY }
  const subjects = { ...ids, payerId: customer, member }
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

const ROW = 'tbody tr, main li, main article'

const status = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('status')
const statusText = async (page: Page) => (await status(page).textContent()) ?? ''

async function check(page: Page, { route, list }: ConsoleScreen): Promise<void> {
  const rows = page.locator(ROW)
  const bytes = await loadedBy(page, async () => {
    await openRoute(page, route)
    // Charts have tables that are not open.
    await rows.filter({ visible: true }).first().waitFor()
  })
  const shown = await rows.count()
  expect([route, bytes < MAX_BYTES, (await elements(page)) < MAX_ELEMENTS]).toEqual([route, true, true])
  expect([route, shown >= 10, shown <= 200]).toEqual([route, true, true])
  await saveScreenshot(page, `large-${route.replace(/\W+/g, '-')}`)
  await expectGeometry(page, route, FEW_APPEARANCES)
  await page.setViewportSize(LAPTOP.viewport)
  if (list !== 'steps') return
  const further = await loadedBy(page, async () => {
    for (let step = 0; step < 22; step++) await page.keyboard.press('j')
  })
  expect([route, further < MAX_BYTES, (await rows.count()) > shown]).toEqual([route, true, true])
}

test('each list loads and shows a bounded part of ten thousand rows, and more on request', async () => {
  const page = await consoles.signedIn()
  for (const screen of screens) await check(page, screen)
})

const WHOLE = { timeout: 600_000 }

test(
  'each list of pages turns them by keys, and keeps its place: on the way back, and when it is loaded again',
  WHOLE,
  async () => {
    const page = await consoles.signedIn()
    for (const { route } of screens.filter(({ list }) => list === 'pages')) {
      const isAt = (text: string) => expect.poll(() => statusText(page), { message: route, timeout: 60_000 }).toBe(text)
      await openRoute(page, route)
      await expect
        .poll(() => statusText(page), { message: route, timeout: 60_000 })
        .toMatch(/^(Rows 1 to 50|Positions .*)$/)
      const first = await statusText(page)
      const further = await loadedBy(page, async () => {
        await page.keyboard.press('n')
        await expect.poll(() => statusText(page), { timeout: 60_000 }).not.toBe(first)
      })
      expect([route, further < MAX_BYTES]).toEqual([route, true])
      if (route !== 'events')
        expect([route, await statusText(page)]).toEqual([route, expect.stringContaining('Rows 51 to 100')])
      const second = await statusText(page)
      await openRoute(page, 'ledger')
      await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
      await page.goBack()
      await isAt(second)
      await page.reload()
      await isAt(second)
      await page.keyboard.press('p')
      await isAt(first)
    }
  },
)

test('each list with times is opened at a date, which the address holds', WHOLE, async () => {
  const page = await consoles.signedIn()
  const tomorrow = new Date(service.clock.now() + 86_400_000).toISOString().slice(0, 10)
  for (const { route } of screens.filter(({ isDated }) => isDated)) {
    await openRoute(page, route)
    await page.locator(ROW).first().waitFor()
    const date = page.getByLabel('Go to date')
    const isOldestFirst = route === 'withdrawals' || route === 'queue?kind=appeal'
    const day = isOldestFirst ? tomorrow : '2020-01-02'
    await date.fill(day)
    await page.getByRole('button', { name: 'Go', exact: true }).click()
    await page.locator(ROW).first().waitFor({ state: 'detached' })
    expect([route, await page.evaluate('location.hash')]).toEqual([route, expect.stringContaining('20')])
    await page.reload()
    await requestsAnswered(page)
    expect([route, await page.locator(ROW).count()]).toEqual([route, 0])
    expect([route, await date.inputValue()]).toEqual([route, day])
    await page.getByRole('button', { name: 'All dates' }).click()
    await page.locator(ROW).first().waitFor()
  }
})
