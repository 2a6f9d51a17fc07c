// What a request costs in statements, once the application and the caller are known. A clock would say less and change
// with the machine. Every operation is here; a list costs the same for one row and for twenty.

import { beforeAll, describe, expect, test } from 'vitest'
import { allOperations } from '../../src/operations.ts'
import { appealCases } from '../contract/cases/appeals.ts'
import type { Attempt, Cases, OperationCase } from '../contract/cases/case.ts'
import { challengeCases } from '../contract/cases/challenges.ts'
import { exclusionCases } from '../contract/cases/exclusions.ts'
import { limitCases } from '../contract/cases/limits.ts'
import { muteCases } from '../contract/cases/mutes.ts'
import { profileCases } from '../contract/cases/profiles.ts'
import { sessionCases } from '../contract/cases/sessions.ts'
import { withdrawalCases } from '../contract/cases/withdrawals.ts'
import { decide } from '../harness/appeals.ts'
import { caughtUp } from '../harness/notifications.ts'
import { boardUpToDate, gradedTips } from '../harness/records.ts'
import { engine, type TestCustomer, useService } from '../harness/service.ts'
import { newBet, newMatch, newTip, type TestOutcome } from '../harness/sportsbook.ts'
import { logged } from '../harness/tip-log.ts'
import { addCard, newDepositor } from '../harness/wallets.ts'

const service = useService()
const COMMENTS = '/v1/communities/comments'

type Member = TestCustomer & { profileId: number }

/** Somebody with so many followers, followings, mutes, blocks, liked tips and cards; everybody followed has a tip too. */
let hub: Member
let reader: Member
let tip: number
/** An event with a tip of each of them. */
let event: number
let outcomeOfEvent: number
let size = 0

async function growTo(wanted: number): Promise<void> {
  for (; size < wanted; size++) {
    const other = await service.member()
    await service.call('PUT', '/v1/profiles/me?biography=Some+words', { ticket: other.ticket })
    await follow(other, hub)
    await follow(hub, other)
    for (const list of ['mutes', 'blocks']) {
      const path = `/v1/profiles/me/${list}/${(await service.member()).profileId}`
      await service.call('PUT', path, { ticket: hub.ticket })
    }
    const outcome = await newOutcome()
    tip = await newTip(service, hub, outcome.id)
    await newTip(service, other, outcome.id)
    await newTip(service, other, outcomeOfEvent)
    await service.call('POST', `${COMMENTS}/${tip}/like`, { ticket: other.ticket })
    await addCard(service, hub)
    await decide(service, `profiles/${hub.profileId}`, { action: 'reset-name' })
  }
  await gradedTips(service, hub, 'WL'.repeat(10))
  await caughtUp(service.context.database)
  await boardUpToDate(service)
  await logged(service.context.database)
}

const follow = (who: Member, whom: Member) =>
  service.call('POST', `/v1/profiles/me/followings/${whom.profileId}`, { ticket: who.ticket })
const newOutcome = async () => (await newMatch(service))[0] as TestOutcome

beforeAll(async () => {
  // The clock stands still, so that caches do not expire on a slow machine.
  service.clock.hold()
  hub = await service.member()
  reader = await service.member()
  ;({ id: outcomeOfEvent, eventId: event } = await newOutcome())
})

type Cost = { statements: string[]; text: string }

async function costOf(name: string, { path, ...options }: Attempt): Promise<Cost> {
  const operation = allOperations.find((one) => one.name === name)
  const before = service.statementsByName()
  const reply = await service.call(operation?.method ?? '', path, options)
  const after = service.statementsByName()
  expect([path, reply.status, reply.text]).toEqual([path, operation?.answer.status, expect.any(String)])
  const times = (one: string, count: number) => new Array<string>(count - (before.get(one) ?? 0)).fill(one)
  return { statements: [...after].flatMap(([one, count]) => times(one, count)), text: reply.text }
}

/** Names the statements when their number is not the expected one. */
function expectCost({ statements }: Cost, number: number): void {
  expect({ number: statements.length, statements }).toEqual({ number, statements })
}

/** What a read costs with a ticket and without one, and what a row of it is in XML. */
type Read = { operation: string; path: () => string; ticket: number; anonymous?: number; row?: string }

const READS: readonly Read[] = [
  { operation: 'getProfile', path: () => `/v1/profiles/${hub.profileId}?communities=Y`, ticket: 1, anonymous: 1 },
  { operation: 'getMyProfile', path: () => '/v1/profiles/me?communities=Y', ticket: 1 },
  ...['Followers', 'Followings'].flatMap((list): Read[] => {
    const path = (whose: string) => `/v1/profiles/${whose}/${list.toLowerCase()}`
    return [
      { operation: `get${list}`, path: () => path(`${hub.profileId}`), ticket: 1, anonymous: 1, row: 'profile' },
      { operation: `getMy${list}`, path: () => path('me'), ticket: 1, row: 'profile' },
    ]
  }),
  {
    operation: 'getLatestFollowers',
    path: () => '/v1/profiles/followers/latestFollowers',
    ticket: 1,
    row: 'profile',
  },
  {
    operation: 'getMostFollowedProfiles',
    path: () => '/v1/profiles/followers/mostFollowed',
    ticket: 1,
    anonymous: 1,
    row: 'profile',
  },
  {
    operation: 'getMostFollowedProfiles',
    path: () => '/v1/profiles/followers/mostFollowed?numDays=7',
    ticket: 2,
    anonymous: 2,
    row: 'profile',
  },
  { operation: 'getCommentsById', path: () => `${COMMENTS}/${tip}`, ticket: 1, anonymous: 1 },
  { operation: 'getCommentsById', path: () => `${COMMENTS}/${tip}?details=Y`, ticket: 2, anonymous: 2 },
  ...['', '&sortOrder=L', '&sortOrder=E&sportId=1'].flatMap((order): Read[] => {
    const path = (whose: string) => `${COMMENTS}/profiles/${whose}?status=A${order}`
    return [
      {
        operation: 'getAllCommentbyProfileId',
        path: () => path(`${hub.profileId}`),
        ticket: 1,
        anonymous: 1,
        row: 'comment',
      },
      { operation: 'getAllMyComments', path: () => path('me'), ticket: 1, row: 'comment' },
      { operation: 'getAllMyFollowingsComments', path: () => path('me/followings'), ticket: 1, row: 'comment' },
    ]
  }),
  {
    operation: 'getAllCommentbyProfileId',
    path: () => `${COMMENTS}/profiles/${hub.profileId}?status=A&details=Y`,
    ticket: 2,
    anonymous: 2,
    row: 'comment',
  },
  {
    operation: 'getAllMyFollowingsComments',
    path: () => `${COMMENTS}/profiles/me/followings?status=A&details=Y`,
    ticket: 2,
    row: 'comment',
  },
  { operation: 'getTopOutcomes', path: () => `${COMMENTS}/outcomes/top`, ticket: 1, anonymous: 1, row: 'outcome' },
  { operation: 'getEvents', path: () => '/v1/communities/events', ticket: 2, anonymous: 2, row: 'event' },
  { operation: 'getEvent', path: () => `/v1/communities/events/${event}`, ticket: 3, anonymous: 3 },
  {
    operation: 'getCommentsByEventId',
    path: () => `/v1/communities/events/${event}/comments`,
    ticket: 1,
    anonymous: 1,
    row: 'comment',
  },
  {
    operation: 'getCommentsByEventId',
    path: () => `/v1/communities/events/${event}/comments?details=Y`,
    ticket: 2,
    anonymous: 2,
    row: 'comment',
  },
  { operation: 'getMyMutes', path: () => '/v1/profiles/me/mutes', ticket: 1, row: 'profile' },
  { operation: 'getMyBlocks', path: () => '/v1/profiles/me/blocks', ticket: 1, row: 'profile' },
  { operation: 'getMyNotifications', path: () => '/v1/profiles/me/notifications', ticket: 1, row: 'notification' },
  { operation: 'getMyModeration', path: () => '/v1/moderation/me', ticket: 1, row: 'decision ' },
  { operation: 'getRecord', path: () => `/v1/profiles/${hub.profileId}/record`, ticket: 1, anonymous: 1 },
  {
    operation: 'getRecordTips',
    path: () => `/v1/profiles/${hub.profileId}/record/tips`,
    ticket: 1,
    anonymous: 1,
    row: 'tip ',
  },
  { operation: 'getRecordRanking', path: () => '/v1/profiles/ranking/records', ticket: 1, anonymous: 1 },
  {
    operation: 'searchProfiles',
    path: () => '/v1/search/profiles?q=some+words',
    ticket: 1,
    anonymous: 1,
    row: 'profile',
  },
  { operation: 'searchComments', path: () => '/v1/search/comments?q=fine', ticket: 1, anonymous: 1, row: 'comment' },
  {
    operation: 'searchComments',
    path: () => '/v1/search/comments?q=fine&details=Y',
    ticket: 2,
    anonymous: 2,
    row: 'comment',
  },
  { operation: 'getLog', path: () => '/v1/communities/log', ticket: 1 },
  { operation: 'getLogProofs', path: () => `/v1/communities/log/proofs/${tip}`, ticket: 3 },
  { operation: 'getLogConsistency', path: () => '/v1/communities/log/consistency?first=1&second=2', ticket: 2 },
  // The end of the log, which is never cached.
  { operation: 'getLogEntries', path: () => '/v1/communities/log/entries?count=1000', ticket: 2, row: 'entry' },
  { operation: 'getLogKeys', path: () => '/v1/communities/log/keys', ticket: 1 },
  { operation: 'getPaymentMethods', path: () => '/v1/wallets/me/methods', ticket: 1, row: 'method' },
  { operation: 'getPaymentMethodsByGet', path: () => '/v1/wallets/me/methods', ticket: 1, row: 'method' },
  { operation: 'getMyBalance', path: () => '/v1/wallets/me/balance', ticket: 1 },
  { operation: 'getMyStatement', path: () => '/v1/wallets/me/statement', ticket: 1 },
  { operation: 'getMyLimits', path: () => '/v1/wallets/me/limits', ticket: 2 },
]

describe.each([1, 20])('reads, with %i of everything', (rows) => {
  beforeAll(() => growTo(rows))

  const reads = READS.flatMap(({ ticket, anonymous, ...read }) => [
    { ...read, as: 'with a ticket', number: ticket },
    ...(anonymous === undefined ? [] : [{ ...read, as: 'without one', number: anonymous }]),
  ])

  test.each(reads)('$operation, $as', async ({ operation, as, number, row, path }) => {
    const attempt = { path: path(), ...(as === 'with a ticket' ? { ticket: hub.ticket } : {}) }
    await costOf(operation, attempt)
    const cost = await costOf(operation, attempt)
    expectCost(cost, number)
    if (row !== undefined) expect(cost.text.split(`<${row}`).length).toBeGreaterThan(rows)
  })
})

/** `again`: what the same costs a second time, when most have nothing to change any more. */
type Write = { operation: string; what?: string; first: number; again?: number; attempt: () => Promise<Attempt> }

const asReader = (path: string): Attempt => ({ path, ticket: reader.ticket })
const asCase = (cases: Cases, operation: string) => () => (cases[operation] as OperationCase).success(service)

/** What the reader does with a new tip, or takes back after having done it. */
async function onTip(after: string, done?: 'POST'): Promise<Attempt> {
  const { path, ticket } = asReader(`${COMMENTS}/${await newTip(service, hub, (await newOutcome()).id)}${after}`)
  if (done !== undefined) await service.call(done, path, { ticket: ticket as string })
  return { path, ticket: ticket as string }
}

async function aTip(): Promise<Attempt> {
  const { id } = await newOutcome()
  const betId = await newBet(service, reader.id, [id])
  return asReader(`${COMMENTS}/me/outcomes/${id}?betId=${betId}&text=Goes+well+fresh`)
}

async function payment(token: string, before: number): Promise<Attempt> {
  const { ticket, method } = await newDepositor(service, { token })
  const path = `/v1/wallets/me?transactionType=deposit&amount=10.00&id=${method}&cv2=123`
  const numbered = (number: number) => ({ ticket, headers: { 'idempotency-key': `${method}-${number}` } })
  for (let number = 0; number < before; number++) await service.call('POST', path, numbered(number))
  return { path, ...numbered(before) }
}

const WRITES: readonly Write[] = [
  // Hashing a password costs more than all of them.
  { operation: 'createTicket', first: 9, attempt: asCase(sessionCases, 'createTicket') },
  { operation: 'checkTicket', first: 1, again: 1, attempt: asCase(sessionCases, 'checkTicket') },
  { operation: 'endTicket', first: 1, again: 1, attempt: asCase(sessionCases, 'endTicket') },
  {
    operation: 'updateMyProfile',
    first: 2,
    again: 2,
    attempt: async () => asReader('/v1/profiles/me?biography=Hello'),
  },
  {
    operation: 'followProfile',
    first: 1,
    again: 2,
    attempt: async () => asReader(`/v1/profiles/me/followings/${(await service.member()).profileId}`),
  },
  { operation: 'unfollowProfile', first: 1, again: 2, attempt: asCase(profileCases, 'unfollowProfile') },
  {
    operation: 'flagProfile',
    first: 4,
    again: 4,
    attempt: async () => asReader(`/v1/profiles/${(await service.member()).profileId}/flag`),
  },
  { operation: 'muteProfile', first: 4, again: 4, attempt: asCase(muteCases, 'muteProfile') },
  { operation: 'unmuteProfile', first: 3, again: 3, attempt: asCase(muteCases, 'unmuteProfile') },
  { operation: 'blockProfile', first: 8, again: 2, attempt: asCase(muteCases, 'blockProfile') },
  { operation: 'unblockProfile', first: 2, again: 3, attempt: asCase(muteCases, 'unblockProfile') },
  { operation: 'setMyPicture', first: 3, again: 3, attempt: asCase(profileCases, 'setMyPicture') },
  { operation: 'removeMyPicture', first: 3, again: 3, attempt: asCase(profileCases, 'removeMyPicture') },
  {
    operation: 'markMyNotificationsRead',
    // PostgreSQL skips what the projector holds, and looks whether there was any.
    first: engine === 'sqlite' ? 1 : 2,
    again: engine === 'sqlite' ? 1 : 2,
    attempt: async () => asReader('/v1/profiles/me/notifications/read?upTo=1'),
  },
  { operation: 'appealDecision', first: 2, attempt: asCase(appealCases, 'appealDecision') },
  { operation: 'createCommentOnOutcomeId', first: 2, attempt: aTip },
  {
    operation: 'deactivateComment',
    first: 6,
    again: 1,
    attempt: async () => asReader(`${COMMENTS}/${await newTip(service, reader, (await newOutcome()).id)}`),
  },
  { operation: 'likeComment', first: 1, again: 2, attempt: () => onTip('/like') },
  { operation: 'unlikeComment', first: 1, again: 2, attempt: () => onTip('/like', 'POST') },
  { operation: 'flagComment', first: 4, again: 4, attempt: () => onTip('/flag') },
  { operation: 'unflagComment', first: 5, again: 3, attempt: () => onTip('/flag', 'POST') },
  { operation: 'markLimitsPrompted', first: 3, again: 3, attempt: asCase(limitCases, 'markLimitsPrompted') },
  { operation: 'setMyLimit', first: 8, again: 8, attempt: asCase(limitCases, 'setMyLimit') },
  { operation: 'removeMyLimit', first: 4, again: 4, attempt: asCase(limitCases, 'removeMyLimit') },
  { operation: 'confirmMyLimit', first: 7, again: 2, attempt: asCase(limitCases, 'confirmMyLimit') },
  { operation: 'takeTimeOut', first: 6, again: 6, attempt: asCase(exclusionCases, 'takeTimeOut') },
  { operation: 'excludeMyself', first: 6, again: 6, attempt: asCase(exclusionCases, 'excludeMyself') },
  { operation: 'getWithdrawalOptions', first: 3, again: 3, attempt: asCase(withdrawalCases, 'getWithdrawalOptions') },
  { operation: 'makeWithdrawal', first: 10, attempt: asCase(withdrawalCases, 'makeWithdrawal') },
  { operation: 'getMyWithdrawals', first: 2, again: 2, attempt: asCase(withdrawalCases, 'getMyWithdrawals') },
  { operation: 'getWithdrawal', first: 2, again: 2, attempt: asCase(withdrawalCases, 'getWithdrawal') },
  { operation: 'getMyDeposits', first: 1, again: 1, attempt: asCase(challengeCases, 'getMyDeposits') },
  { operation: 'getDeposit', first: 1, again: 1, attempt: asCase(challengeCases, 'getDeposit') },
  { operation: 'makeDeposit', first: 7, attempt: asCase(challengeCases, 'makeDeposit') },
  { operation: 'finishChallenge', first: 10, attempt: asCase(challengeCases, 'finishChallenge') },
  { operation: 'cancelChallenge', first: 4, again: 1, attempt: asCase(challengeCases, 'cancelChallenge') },
  // The second time returns the first answer, by its key.
  { operation: 'makeTransaction', what: 'paid', first: 10, again: 3, attempt: () => payment('sandbox:approve', 1) },
  {
    operation: 'makeTransaction',
    what: 'declined',
    first: 6,
    again: 3,
    attempt: () => payment('sandbox:wrong-cv2', 0),
  },
]

test.each(WRITES.map((write) => ({ ...write, title: [write.operation, write.what ?? []].flat().join(' ') })))(
  '$title',
  async ({ operation, first, again, attempt }) => {
    const { ticket, ...created } = await attempt()
    // Twice: the first time creates the profile, the second finds and caches it.
    const known = ticket === undefined ? {} : { ticket }
    for (const _ of [1, 2]) if (ticket !== undefined) await service.call('GET', '/v1/profiles/me', known)
    expectCost(await costOf(operation, { ...created, ...known }), first)
    if (again !== undefined) expectCost(await costOf(operation, { ...created, ...known }), again)
  },
)

/** While a stream is open, the log is read a few times a second for all streams of the process. */
const READS_OF_THE_LOG = ['newestPosition', 'eventsBetween']
/** Key and ticket are checked past their caches, when a stream begins and every two seconds. */
const CHECKS = ['unrevokedApplications', 'sessionsByHashes']
/** What streams watch is read a few times a second for all of them. */
const LOOKS = ['outcomeStates', 'accountStates']

test('openStream', async () => {
  const attempt = { path: `/v1/stream?outcomes=${outcomeOfEvent}&account=Y`, ticket: hub.ticket }
  await costOf('openStream', attempt)
  const { statements } = await costOf('openStream', attempt)
  expect(statements.filter((name) => ![...READS_OF_THE_LOG, ...CHECKS, ...LOOKS].includes(name))).toEqual([])
})

test('a feed of prices costs one statement for their history, however many they are', async () => {
  const outcomes = await newMatch(service, { outcomes: 30 })
  async function costOfPrices(num: number, some: readonly TestOutcome[]): Promise<string[]> {
    const lines = some.map(({ id, marketId }) =>
      JSON.stringify({ put: 'outcome', id, data: { marketId, name: 'Priced', price: { num, den: 7 } } }),
    )
    const before = service.statementsByName()
    const { body } = await service.operator('POST', '/operator/v1/feed', Buffer.from(`${lines.join('\n')}\n`))
    expect(body).toMatchObject({ refused: 0, applied: { outcome: some.length } })
    const counts = [...service.statementsByName()].map(
      ([name, count]) => [name, count - (before.get(name) ?? 0)] as const,
    )
    return counts.flatMap(([name, count]) => new Array<string>(count).fill(name)).sort()
  }
  const all = await costOfPrices(2, outcomes)
  expect(await costOfPrices(3, outcomes.slice(0, 1))).toEqual(all)
  expect(await costOfPrices(3, outcomes.slice(0, 1))).toEqual(all.filter((name) => name !== 'writePricePoints'))
  expect(all.filter((name) => name === 'writePricePoints')).toHaveLength(1)
})

test('every operation has its costs here', () => {
  const counted = new Set([...READS, ...WRITES, { operation: 'openStream' }].map(({ operation }) => operation))
  expect([...counted].sort()).toEqual(allOperations.map(({ name }) => name).sort())
})
