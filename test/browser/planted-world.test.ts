// A world in which every text that a customer, an operator, the feed or the gateway can store is markup with a script, opened on every page:
// nothing runs, nothing becomes an element, nothing is loaded, and the content security policy has nothing to refuse (useBrowser fails on
// its messages).

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { operatorOperations } from '../../src/operator/operations.ts'
import { writing } from '../../src/platform/database/database.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { appeal, ownDecisions } from '../harness/appeals.ts'
import { openRoute, requestsAnswered, useBrowser } from '../harness/browser.ts'
import { boardUpToDate } from '../harness/records.ts'
import { openCredentials, sendAll } from '../harness/reference-browser.ts'
import { type Json, KEY, OPERATOR_TOKEN, useService } from '../harness/service.ts'
import { newBet, newTip, operatorOk } from '../harness/sportsbook.ts'
import { addCard, deposit } from '../harness/wallets.ts'
import { TICKETS } from './app.ts'
import { consoleScreens, type Subjects } from './console-routes.ts'

const service = useService({ SANDBOX_SEED: 'people' })
const browser = useBrowser(service)

/** What was planted, by its number. */
const planted = new Map<number, string>()

/** 30 characters at most, as many as a name may have. The number is found again where the text is shown. */
function markup(what: string): string {
  const number = planted.size + 10
  planted.set(number, what)
  return `<img src=x onerror=p(${number})>`
}

/** Longer: other ways out of text, attributes and scripts. */
function scripts(what: string): string {
  const text = markup(what)
  return `${text} "'><svg onload=p(1)></textarea></title><script>p(1)</script> javascript:p(1)`
}

const [alice, bob, carol] = [
  { id: 1, profileId: 1, ticket: TICKETS.Alice },
  { id: 2, profileId: 2, ticket: TICKETS.Bob },
  { id: 3, profileId: 3, ticket: TICKETS.Carol },
]
let subjects: Subjects
let tip = 0
let removed: number[] = []

async function ok(method: string, path: string, ticket: string): Promise<Json> {
  const reply = await service.call(method, path, { ticket, accept: 'application/json' })
  expect([path, reply.status]).toEqual([path, expect.toSatisfy((status) => status < 300)])
  return reply.status === 200 ? reply.json() : undefined
}

const query = (values: Record<string, string>) => new URLSearchParams(values).toString()

async function plantSportsbook(): Promise<number> {
  const [sportId, eventId, marketId, id] = [9001, 9002, 9003, 9004]
  await operatorOk(service, 'PUT', `/sports/${sportId}`, { name: markup('sport'), communities: true })
  await operatorOk(service, 'PUT', `/events/${eventId}`, {
    sportId,
    name: scripts('event'),
    startTime: '2030-01-01T15:00:00Z',
    markets: [
      {
        id: marketId,
        name: scripts('market'),
        outcomes: [{ id, name: scripts('outcome'), price: { num: 11, den: 10 } }],
      },
    ],
  })
  return id
}

/** What customers write: profiles, tips, notes of flags. */
async function plantCustomers(outcome: number): Promise<void> {
  for (const [name, { ticket }] of Object.entries({ alice, bob, carol })) {
    const texts = { name: markup(`name of ${name}`), biography: scripts(`biography of ${name}`) }
    await ok('PUT', `/v1/profiles/me?${query(texts)}`, ticket)
  }
  tip = await newTip(service, bob, outcome, { text: scripts('tip of bob') })
  await newTip(service, alice, outcome, { text: scripts('tip of alice') })
  await newBet(service, alice.id, [outcome])
  await ok('POST', `/v1/profiles/me/followings/${bob.profileId}`, alice.ticket).catch(() => undefined)
  for (const reporter of [alice, carol]) {
    const flag = query({ reason: 'spam', note: scripts('note of a flag') })
    await ok('POST', `/v1/communities/comments/${tip}/flag?${flag}`, reporter.ticket)
    await ok('PUT', `/v1/profiles/${bob.profileId}/flag?${flag}`, reporter.ticket)
  }
  await ok('GET', `/v1/search/comments?${query({ q: 'onerror' })}`, alice.ticket)
}

/** A decision against Alice, with her appeal. */
async function plantModeration(outcome: number): Promise<void> {
  const { clauses, notes, version } = (await service.operator('GET', '/operator/v1/moderation/clauses')).body
  const clause = { key: 'planted', ground: 'terms', title: markup('clause'), template: scripts('template') }
  const texts = { clauses: [...clauses, clause], notes: [...notes, scripts('text for notes')], version }
  await operatorOk(service, 'PUT', '/moderation/clauses', texts)
  removed = [
    await newTip(service, carol, outcome, { text: scripts('removed tip of carol') }),
    await newTip(service, alice, outcome, { text: scripts('removed tip of alice') }),
  ]
  for (const id of removed) {
    const decision = { action: 'remove', clause: 'planted', note: scripts('note'), statement: scripts('statement') }
    await operatorOk(service, 'POST', `/moderation/comments/${id}`, decision)
  }
  const [decision] = await ownDecisions(service, alice)
  expect((await appeal(service, alice, Number(decision.id), scripts('appeal'))).status).toBe(204)
  await operatorOk(service, 'PUT', `/reporters/${carol.profileId}`, {
    muted: true,
    note: scripts('note on a reporter'),
  })
}

const setGatewayReference = writing<{ id: string; text: string }>(
  'plantGatewayReference',
  'update deposit set gateway_reference = :text where id = :id',
)

/** A customer with a card and a deposit in review; what the gateway calls it is markup, too. */
async function plantMoney(): Promise<{ payerId: number; paymentId: string }> {
  const payer = await service.customer()
  const method = await addCard(service, payer, { token: 'sandbox:capture-refused' })
  const paid = await deposit(service, {
    ticket: payer.ticket,
    method,
    key: markup('idempotency key').replaceAll(' ', '/'),
  })
  const { paymentId } = paid.json().whoWallets
  await sweep(service.context)
  await service.context.database.run(setGatewayReference, { id: paymentId, text: markup('reference of the gateway') })
  const username = markup('user name')
  await operatorOk(service, 'PUT', `/customers/${payer.id}`, { username, password: 'a long password' })
  await operatorOk(service, 'POST', `/customers/${payer.id}/payment-methods/${method}/closure`, {
    reason: scripts('closure'),
  })
  await operatorOk(service, 'PUT', `/customers/${payer.id}/status`, { status: 'suspended', reason: scripts('status') })
  return { payerId: payer.id, paymentId }
}

async function plantOperators(): Promise<string> {
  await operatorOk(service, 'POST', '/applications', { name: markup('application') })
  await operatorOk(service, 'POST', '/tokens', { name: markup('token'), owner: markup('owner'), role: 'moderator' })
  const url = `https://example.com/${markup('webhook').replaceAll(' ', '/')}`
  const { id } = await operatorOk(service, 'POST', '/webhooks', { url })
  await operatorOk(service, 'POST', `/webhooks/${id}/test`, undefined)
  return id
}

beforeAll(async () => {
  const outcome = await plantSportsbook()
  await plantCustomers(outcome)
  await plantModeration(outcome)
  const money = await plantMoney()
  subjects = { ...money, webhookId: await plantOperators(), withdrawalId: '1', tip, apiKey: KEY, member: bob }
  await boardUpToDate(service)
})

const seen = new Set<number>()
const loaded: string[] = []

/** Run in the page, where the root tsconfig has no DOM types: hence text. */
const TEXTS = `[...document.querySelectorAll('*')].flatMap((one) => [
  one.value, ...[...one.attributes].map(({ value }) => value), ...[...one.childNodes].map(({ data }) => data),
]).join(' ')`
const ELEMENTS = `[...document.querySelectorAll('[onerror], [onload], [src="x"], script:not([src]), a[href^="javascript:" i]')]
  .map((one) => one.outerHTML)`

async function expectHarmless(page: Page, where: string): Promise<void> {
  for (const [, number] of `${await page.evaluate(TEXTS)}`.matchAll(/onerror=p\((\d+)\)/g)) seen.add(Number(number))
  expect([where, await page.evaluate(ELEMENTS), await page.evaluate('self.executed')]).toEqual([where, [], undefined])
}

/** A planted script sets `executed`; a planted picture is requested. */
async function watch(page: Page): Promise<void> {
  await page.context().addInitScript('self.p = (number) => { self.executed = number }')
  await page.reload()
  page.on('request', (request) => {
    if (/\/x$/.test(new URL(request.url()).pathname)) loaded.push(request.url())
  })
}

async function visit(page: Page, routes: readonly string[]): Promise<void> {
  for (const route of routes) {
    await openRoute(page, route)
    await page.locator('main h1').waitFor()
    await requestsAnswered(page)
    await expectHarmless(page, route)
  }
}

const PAGES = { timeout: 600_000 }

test('every screen of the console', PAGES, async () => {
  const page = await browser.signedIn()
  await watch(page)
  const more = [...removed.map((id) => `comments/${id}`), `customers/${subjects.payerId}?tab=timeline`]
  // The audit trail first: looking at personal data adds entries, and only the newest are on its first page.
  await visit(page, ['audit', ...consoleScreens(subjects).map(({ route }) => route), ...more])
})

test('every screen of the application', PAGES, async () => {
  const page = await browser.openAt(`${service.publicUrl}/app/`)
  // Alice is the first, whatever her name is now.
  await page
    .getByRole('button', { name: /^Log in as/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: 'Your feed' }).waitFor()
  await watch(page)
  const own = ['', 'discover', 'discover?q=onerror', 'write', 'notifications', 'me', 'me/edit', 'wallet', 'moderation']
  const more = ['welcome', 'events', 'events/9002', 'account', 'play-safely', 'hidden', 'afternoon']
  await visit(page, [...own, ...more, `tips/${tip}`, `profiles/${bob.profileId}`])
})

test('both references, with the answers to their examples', PAGES, async () => {
  const reads = (operations: readonly { name: string; method: string }[]) =>
    operations.filter(({ method, name }) => method === 'GET' && !/stream/i.test(name)).map(({ name }) => name)
  const sendEach = async (page: Page, operations: readonly { name: string; method: string }[]) => {
    await watch(page)
    if (page.url().startsWith(service.operatorUrl)) {
      const dialog = await openCredentials(page)
      await dialog.getByLabel('Operator token').fill(OPERATOR_TOKEN)
      await page.keyboard.press('Enter')
    }
    for (const name of reads(operations)) {
      await sendAll(page, [name])
      await expectHarmless(page, `reference of ${name}`)
    }
  }
  await sendEach(await browser.openAt(`${service.publicUrl}/docs`), allOperations)
  await sendEach(await browser.openAt(`${service.operatorUrl}/docs`), operatorOperations)
})

test('each planted text was shown somewhere, and nothing was loaded', () => {
  expect([...planted].filter(([number]) => !seen.has(number)).map(([, what]) => what)).toEqual([])
  expect(loaded).toEqual([])
})
