import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { writing } from '../../src/platform/database/database.ts'
import { changeLimit } from '../../src/wallets/limits/limits.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { move, newReference } from '../harness/movements.ts'
import { caughtUp } from '../harness/notifications.ts'
import { captured, refund, sweepUntilRefunds, tell } from '../harness/refunds.ts'
import { engine, type Json, OPERATOR_TOKEN, useService } from '../harness/service.ts'
import { newBet, newMatch, newTip, postTip } from '../harness/sportsbook.ts'
import { addCard, HOLDER } from '../harness/wallets.ts'
import { sweepUntilPaid, withdrawn } from '../harness/withdrawals.ts'
import { withoutTriggers } from '../harness/without-triggers.ts'

const service = useService()

async function held(id: number): Promise<Json> {
  const reply = await service.operator('GET', `/operator/v1/customers/${id}/personal-data`)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  return reply.body
}

function erase(id: number) {
  return service.operator('DELETE', `/operator/v1/customers/${id}/personal-data`)
}

async function knownMember(name: string) {
  const [firstName = '', lastName = ''] = name.split(' ').reverse()
  const login = { username: `login.${name}`, password: `password of ${name}` }
  const member = await service.member({ ...login, firstName, lastName })
  const { ticket } = member
  const query = new URLSearchParams({ name, biography: `the life of ${name}` })
  await service.call('PUT', `/v1/profiles/me?${query}`, { ticket })
  const body = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'blue' } })
    .png()
    .toBuffer()
  await service.call('PUT', '/v1/profiles/me/picture', { ticket, body })
  return member
}

const anId = expect.stringMatching(/^[0-9]+$/)

test('the export has all data of a customer, and no secret', async () => {
  const [member, friend, enemy] = [await knownMember('Exported Eve'), await service.member(), await service.member()]
  const { ticket } = member
  await service.call('POST', `/v1/profiles/me/followings/${friend.profileId}`, { ticket })
  await service.call('POST', `/v1/profiles/me/followings/${member.profileId}`, { ticket: enemy.ticket })
  await service.call('POST', `/v1/profiles/me/followings/${member.profileId}`, { ticket: friend.ticket })
  await service.call('PUT', `/v1/profiles/${enemy.profileId}/flag?reason=abuse&note=Insulted%20me`, { ticket })
  await service.call('PUT', `/v1/profiles/${member.profileId}/flag`, { ticket: enemy.ticket })
  const [outcome, other] = await newMatch(service)
  const betId = await newBet(service, member.id, [other!.id, outcome!.id])
  const own = await newTip(service, member, outcome!.id, { text: 'In my own words', betId })
  const untipped = await newBet(service, member.id, [other!.id])
  const liked = await newTip(service, enemy, outcome!.id)
  await service.call('POST', `/v1/communities/comments/${liked}/like`, { ticket })
  const moderation = (id: number) => `/operator/v1/moderation/profiles/${id}`
  await service.operator('POST', moderation(member.profileId), { action: 'keep', note: 'looked at' })
  await service.operator('POST', moderation(friend.profileId), { action: 'deactivate', note: '' })
  await service.operator('POST', `/operator/v1/moderation/comments/${own}`, { action: 'keep', note: 'a fair tip' })
  const premoderation = `${moderation(member.profileId)}/premoderation`
  await service.operator('PUT', premoderation, { on: true, reason: 'A second look' })
  await caughtUp(service.context.database)

  const data = await held(member.id)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
  expect(data).toEqual({
    customer: {
      id: `${member.id}`,
      username: 'login.Exported Eve',
      firstName: 'Eve',
      lastName: 'Exported',
      status: 'active',
      verified: true,
      currency: 'GBP',
      dailyDepositLimit: null,
      fundsStatementVersion: 1,
      statusReason: null,
      statusSince: null,
      exclusion: null,
      createdAt: time,
    },
    wallet: {
      balance: '0.00',
      debt: '0.00',
      limits: [],
      paymentMethods: [],
      deposits: [],
      claims: [],
      refunds: [],
      disputes: [],
      withdrawals: [],
      proposals: [],
    },
    safeguards: [],
    movements: [],
    sessions: { count: 1, items: [{ createdAt: time, lastUsedAt: time, expiresAt: time }] },
    profile: {
      id: `${member.profileId}`,
      name: 'Exported Eve',
      biography: 'the life of Exported Eve',
      picture: expect.stringMatching(/^\/pictures\/[0-9a-f]{32}/),
      status: 'active',
      premoderated: true,
      createdAt: time,
    },
    decisions: [{ id: anId, action: 'keep', note: 'looked at', actor: 'bootstrap', at: time }],
    labels: [],
    decisionsOnComments: [
      { id: anId, commentId: `${own}`, action: 'keep', note: 'a fair tip', actor: 'bootstrap', at: time },
    ],
    bets: [
      { id: `${betId}`, placedAt: time, outcomeIds: [`${outcome!.id}`, `${other!.id}`] },
      { id: `${untipped}`, placedAt: time, outcomeIds: [`${other!.id}`] },
    ],
    // Follows of and by an inactive profile are exported too.
    followings: [{ profileId: `${friend.profileId}`, since: time }],
    mutes: [],
    blocks: [],
    followers: [
      { profileId: `${enemy.profileId}`, since: time },
      { profileId: `${friend.profileId}`, since: time },
    ],
    comments: [
      {
        id: `${own}`,
        at: time,
        outcomeId: `${outcome!.id}`,
        betId: `${betId}`,
        text: 'In my own words',
        state: 'live',
      },
    ],
    likes: [{ commentId: `${liked}`, at: time }],
    reporter: { flags: 1, upheld: 0, rejected: 0, weight: '0.50', muted: false, trusted: false, note: '' },
    flags: [{ kind: 'profile', id: `${enemy.profileId}`, at: time, reason: 'abuse', note: 'Insulted me' }],
    notifications: [
      {
        id: expect.stringMatching(/^[0-9]+$/),
        type: 'followed',
        at: time,
        isRead: false,
        // The other follower is inactive.
        numActors: 1,
        commentId: null,
        action: null,
        decisionId: null,
        cardId: null,
      },
    ],
    appeals: [],
    formerContent: [],
    events: expect.any(Array),
  })
  const customer = { type: 'customer', id: `${member.id}` }
  const profile = { type: 'profile', id: `${member.profileId}` }
  const comment = { type: 'comment', id: `${own}` }
  const registered = { type: 'customer.changed', subject: customer, data: { status: 'active', verified: true } }
  const followedBy = ({ profileId }: { profileId: number }) => ({ byProfileId: `${profileId}` })
  const kept = { decisionId: expect.any(String), action: 'keep' }
  expect(data.events).toEqual(
    [
      registered,
      { type: 'profile.created', subject: profile, data: {} },
      { type: 'follow.created', subject: profile, data: followedBy(enemy) },
      { type: 'follow.created', subject: profile, data: followedBy(friend) },
      // Not by whom.
      { type: 'flag.created', subject: profile, data: {} },
      { type: 'tip.created', subject: comment, data: { outcomeId: `${outcome!.id}`, sportId: '1' } },
      { type: 'decision.made', subject: profile, data: kept },
      { type: 'decision.made', subject: comment, data: kept },
    ].map((event) => ({ ...event, timestamp: time })),
  )
  const text = JSON.stringify(data)
  for (const secret of ['scrypt', 'password', ticket]) expect(text).not.toContain(secret)
})

test('the export has the limits and the time-out that the customer has set, with each change', async () => {
  const { id } = await service.customer()
  await changeLimit(service.context, id, 'week', 5_000n)
  await changeLimit(service.context, id, 'week', 6_000n)
  const until = await excludeCustomer(service.context, id, 'time-out', (now) => now + 86_400_000)
  const { customer, wallet, safeguards } = await held(id)
  expect(wallet.limits).toMatchObject([{ period: 'week', amount: '50.00', pending: { amount: '60.00' } }])
  expect(customer.exclusion).toMatchObject({ kind: 'time-out', returnsAt: null })
  const at = expect.any(String)
  const limit = { type: 'limit.changed', at }
  expect(safeguards).toEqual([
    { ...limit, data: { period: 'week', change: 'set', amount: '50.00', requested: null } },
    { ...limit, data: { period: 'week', change: 'requested', amount: '50.00', requested: '60.00' } },
    { type: 'customer.excluded', at, data: { kind: 'time-out', until: new Date(until).toISOString() } },
  ])
})

test('the export has cards, claims, refunds, disputes, withdrawals with their parts, movements and what waits for a second person', async () => {
  const { id, ticket, method, paymentId } = await captured(service)
  const { body: refunded } = await refund(service, paymentId, '5.00')
  const withdrawal = await withdrawn(service, { ticket, card: method, amount: '4.00' })
  await sweepUntilRefunds(service, paymentId, ['DONE', 'DONE'])
  await sweepUntilPaid(service, withdrawal)
  await tell(service, paymentId, 'CHARGEBACK', '3.00')
  const [stake, winnings] = [newReference(), newReference()]
  await move(service, { reference: stake, customerId: id, kind: 'stake', amount: '1.00', betId: 7 })
  await move(service, { reference: winnings, customerId: id, kind: 'winnings', amount: '2.50' })
  const proposed = newReference()
  await move(service, { reference: proposed, customerId: id, kind: 'adjustment', amount: '1000.01' })
  const removed = await addCard(service, { id }, { holder: HOLDER })
  await service.operator('DELETE', `/operator/v1/customers/${id}/payment-methods/${removed}`)
  const { wallet, movements } = await held(id)
  expect(wallet).toMatchObject({ balance: '9.50', debt: '0.00' })
  expect(wallet.paymentMethods).toMatchObject([
    { id: method, removedAt: null, accountClosedAt: null },
    { id: removed, ...HOLDER, removedAt: expect.any(String) },
  ])
  expect(wallet.claims).toEqual([{ paymentId, paymentMethodId: `${method}`, left: '8.00', currency: 'GBP' }])
  expect(wallet.refunds).toMatchObject([
    { amount: '4.00', state: 'DONE', origin: 'withdrawal', withdrawalId: withdrawal },
    { id: refunded.id, amount: '5.00', state: 'DONE', reason: 'asked for it' },
  ])
  expect(wallet.disputes).toMatchObject([{ paymentId, amount: '3.00', state: 'CHARGED_BACK', debited: '3.00' }])
  const parts = [{ kind: 'return', paymentId, amount: '4.00', state: 'PAID' }]
  expect(wallet.withdrawals).toMatchObject([{ id: withdrawal, amount: '4.00', state: 'PAID', parts }])
  expect(wallet.proposals).toMatchObject([{ subject: `movement ${proposed}`, by: 'bootstrap' }])
  const at = expect.any(String)
  expect(movements).toEqual([
    { reference: stake, kind: 'stake', amount: '1.00', currency: 'GBP', betId: '7', at },
    { reference: winnings, kind: 'winnings', amount: '2.50', currency: 'GBP', at },
  ])
})

test('the export has the terms of bets', async () => {
  const { id } = await service.customer()
  const [one, other, third] = (await newMatch(service, { outcomes: 3 })).map((outcome) => `${outcome.id}`)
  const legs = [
    { outcomeId: one, price: { num: 16, den: 1 }, eachWay: { num: 1, den: 4, places: 3 } },
    { outcomeId: other, startingPrice: true },
  ]
  const cashOut = [{ at: '2026-11-30T10:00:00.000Z', fraction: { num: 1, den: 3 } }]
  const placedAt = '2026-11-30T09:00:00.000Z'
  const bet = { customerId: id, outcomeIds: [third], legs, cashOut, placedAt }
  expect((await service.operator('PUT', '/operator/v1/bets/880', bet)).status).toBe(201)
  expect((await held(id)).bets).toEqual([{ id: '880', placedAt, outcomeIds: [one, other, third], legs, cashOut }])
})

test('the export works for a customer without a profile', async () => {
  const { id } = await service.customer()
  const [outcome] = await newMatch(service)
  const betId = await newBet(service, id, [outcome!.id])
  expect(await held(id)).toMatchObject({
    profile: null,
    sessions: { count: 1 },
    decisions: [],
    labels: [],
    decisionsOnComments: [],
    bets: [{ id: `${betId}`, outcomeIds: [`${outcome!.id}`] }],
    followings: [],
    mutes: [],
    blocks: [],
    followers: [],
    comments: [],
    likes: [],
    flags: [],
    notifications: [],
  })
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const address = `${service.operatorUrl}/operator/v1/customers/${id}/personal-data`
  expect((await fetch(address, { method: 'HEAD', headers })).status).toBe(200)
})

const manyFollowers = writing<{ followee: number; now: number; first: number; last: number }>(
  'manyFollowers',
  `insert into follow (follower_id, followee_id, created_at, shown)
   select id, :followee, :now, 1 from profile where id between :first and :last and id <> :followee order by id % 7, id desc`,
)
const manyCustomers = writing<{ first: number; last: number }>(
  'manyCustomers',
  `insert into customer (id, status, verified, currency, funds_statement_version, created_at)
   with recursive n (i) as (select cast(:first as bigint) union all select i + 1 from n where i < cast(:last as bigint))
   select i, 'active', 1, 'GBP', 1, 0 from n`,
)
const manyProfiles = writing<{ first: number; last: number }>(
  'manyProfiles',
  `insert into profile (customer_id, biography, status, created_at)
   select id, '', 'A', 0 from customer where id between :first and :last`,
)
const manyCounts = writing<{ first: number; last: number }>(
  'manyCounts',
  `insert into profile_count (profile_id, num_followings)
   select id, 1 from profile where customer_id between :first and :last`,
)

test('long lists are complete, in any number of batches', async () => {
  const { database } = service.context
  const star = await service.member()
  const [first, last] = [2_000_001, 2_002_500]
  const followers = { followee: star.profileId, now: 5, first: star.profileId + 1, last: star.profileId + 2_500 }
  await withoutTriggers(database, async () => {
    await database.run(manyCustomers, { first, last })
    await database.run(manyProfiles, { first, last })
    await database.run(manyCounts, { first, last })
    await database.run(manyFollowers, followers)
  })
  const ids = (data: Json) => data.followers.map((one: Json) => Number(one.profileId))
  const shown = ids(await held(star.id))
  expect(new Set(shown).size).toBe(2_500)
  const path = `/operator/v1/moderation/profiles/${star.profileId}`
  expect((await service.operator('POST', path, { action: 'deactivate' })).status).toBe(200)
  expect(ids(await held(star.id)).sort()).toEqual(shown.sort())
})

test('erasure removes text, picture, log-in and sessions, keeps ids, follows and bets, and can be repeated', async () => {
  const [member, friend] = [await knownMember('Erased Ed'), await service.member()]
  await service.call('POST', `/v1/profiles/me/followings/${member.profileId}`, { ticket: friend.ticket })
  const [outcome] = await newMatch(service)
  const betId = await newBet(service, member.id, [outcome!.id])
  const tip = await newTip(service, member, outcome!.id, { text: 'Erased Ed says so', betId })
  for (const subject of [`profiles/${member.profileId}`, `comments/${tip}`]) {
    await service.operator('POST', `/operator/v1/moderation/${subject}`, { action: 'keep', note: 'Erased Ed again' })
  }
  const second = await service.context.sessions?.issue(member.id, 60_000)
  await caughtUp(service.context.database)
  const before = await held(member.id)
  expect(before.sessions.count).toBe(2)

  expect((await erase(member.id)).status).toBe(204)
  await caughtUp(service.context.database)
  const after = await held(member.id)
  expect([before.notifications.length, after.notifications]).toEqual([1, []])
  expect(after.customer).toEqual({
    ...before.customer,
    username: null,
    firstName: null,
    lastName: null,
    status: 'closed',
    statusSince: after.customer.erasedAt,
    erasedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(after.decisions).toEqual([{ ...before.decisions[0], note: '' }])
  expect(after.decisionsOnComments).toEqual([{ ...before.decisionsOnComments[0], note: '' }])
  expect(after.sessions).toEqual({ count: 0, items: [] })
  expect(after.profile).toEqual({
    ...before.profile,
    name: `player-${member.profileId}`,
    biography: '',
    picture: '/pictures/default.png',
  })
  expect(after.followers).toEqual(before.followers)
  expect(before.bets).toMatchObject([{ id: `${betId}` }])
  expect(after.bets).toEqual(before.bets)
  expect(after.comments).toEqual([{ ...before.comments[0], text: '' }])
  expect((await service.call('GET', before.profile.picture)).status).toBe(404)
  const login = new URLSearchParams({ username: 'login.Erased Ed', password: 'password of Erased Ed' })
  expect((await service.call('POST', `/v1/sessions/tickets?${login}`)).status).toBe(401)
  expect((await service.call('GET', '/v1/profiles/me', { ticket: second?.ticket ?? '' })).status).toBe(401)
  const stillThere = () => service.call('GET', '/v1/profiles/me', { ticket: member.ticket })
  await expect.poll(async () => (await stillThere()).status, { timeout: 60_000, interval: 200 }).toBe(401)

  expect((await erase(member.id)).status).toBe(204)
  expect(await held(member.id)).toEqual(after)
  const everything = JSON.stringify([after, (await service.operator('GET', '/operator/v1/audit?limit=100')).body])
  expect(everything).not.toMatch(/Erased Ed/)
  const name = new URLSearchParams({ name: 'Erased Ed' })
  expect((await service.call('PUT', `/v1/profiles/me?${name}`, { ticket: friend.ticket })).status).toBe(200)
})

test('a customer without a profile is erased too', async () => {
  const { id } = await service.customer({ username: 'no.profile' })
  expect((await erase(id)).status).toBe(204)
  expect((await held(id)).customer.username).toBeNull()
})

test('concurrent erasures of one customer all succeed', async () => {
  const member = await knownMember('Hurried Hal')
  const replies = await Promise.all(Array.from({ length: 6 }, () => erase(member.id)))
  expect(replies.map((reply) => reply.status)).toEqual([204, 204, 204, 204, 204, 204])
})

/** A ticket that was just used is still cached for some seconds. */
test('the ticket of an erased customer can no longer write', async () => {
  const member = await knownMember('Writing Wil')
  const [outcome] = await newMatch(service)
  const betId = await newBet(service, member.id, [outcome!.id])
  const { ticket } = member
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  expect((await service.call('GET', '/v1/profiles/1', { ticket })).status).not.toBe(401)
  expect((await erase(member.id)).status).toBe(204)
  for (const [method, path, body] of [
    ['PUT', '/v1/profiles/me?name=Writing%20Wil&biography=still%20here', undefined],
    ['PUT', '/v1/profiles/me/picture', picture],
  ] as const) {
    const reply = await service.call(method, path, { ticket, ...(body === undefined ? {} : { body }) })
    expect([path, reply.status]).toEqual([path, 401])
  }
  expect((await postTip(service, member, outcome!.id, { betId })).status).toBe(401)
  const { profile, comments } = await held(member.id)
  expect(profile).toMatchObject({ name: `player-${member.profileId}`, biography: '', picture: '/pictures/default.png' })
  expect(comments).toEqual([])
})

test('the ticket of a customer who was erased without a profile creates none', async () => {
  const { id, ticket } = await service.customer()
  await service.call('GET', '/v1/profiles/1', { ticket })
  await erase(id)
  expect((await service.call('PUT', '/v1/profiles/me?name=Late%20Lou', { ticket })).status).toBe(401)
  expect((await held(id)).profile).toBeNull()
})

test('a write during an erasure is erased too, or refused', async () => {
  const member = await knownMember('Racing Ron')
  const { ticket } = member
  const writes = Array.from({ length: 12 }, (_, turn) =>
    service.call('PUT', `/v1/profiles/me?name=Racing%20Ron%20${turn}&biography=again`, { ticket }),
  )
  const [erased, ...written] = await Promise.all([erase(member.id), ...writes])
  expect(erased.status).toBe(204)
  expect(written.filter((reply) => reply.status !== 200 && reply.status !== 401)).toEqual([])
  expect((await held(member.id)).profile).toMatchObject({ name: `player-${member.profileId}`, biography: '' })
})

test('an erased customer returns only by a reinstatement', async () => {
  const { id } = await service.customer({ username: 'back.again' })
  await erase(id)
  const path = `/operator/v1/customers/${id}`
  const card = {
    type: 'CARD',
    token: 't',
    limits: { minDeposit: '5.00', maxDeposit: '10.00' },
    card: { number: '492912******1239', expiryDate: '12/49', country: 'GB', scheme: 'VISA' },
  }
  for (const [method, rest, body] of [
    ['PUT', '', { username: 'back.again' }],
    ['PUT', '', { status: 'active' }],
    ['POST', '/tickets', {}],
    ['PUT', '/payment-methods/900001', card],
  ] as const) {
    expect([rest, (await service.operator(method, path + rest, body)).status]).toEqual([rest, 409])
  }
  const line = Buffer.from(JSON.stringify({ put: 'customer', id, data: { username: 'back.again' } }))
  expect((await service.operator('POST', '/operator/v1/feed', line)).body).toMatchObject({ refused: 1 })
  expect((await held(id)).customer.username).toBeNull()
  const back = await service.operator('POST', `${path}/reinstatement`, { reason: 'came back, and agreed to our terms' })
  expect([back.status, back.body.status, back.body.erasedAt]).toEqual([200, 'active', undefined])
  expect((await service.operator('PUT', path, { username: 'back.again' })).body.username).toBe('back.again')
})

test.runIf(engine === 'sqlite')('the files of the embedded database do not contain erased data', async () => {
  const member = await knownMember('Unforgotten Una')
  const folder = service.context.config.dataFolder
  const holds = () =>
    readdirSync(folder)
      .filter((file) => file.startsWith('paddock.db'))
      .some((file) => readFileSync(join(folder, file)).includes('Unforgotten Una'))
  expect(holds()).toBe(true)
  await erase(member.id)
  expect(holds()).toBe(false)
})
