// For each operation that writes: how its caller sees the write in the next request.

import sharp from 'sharp'
import { expect, vi } from 'vitest'
import { DAY_MS } from '../../src/platform/runtime/durations.ts'
import { sandboxResult } from '../../src/wallets/gateways/sandbox/challenges.ts'
import { changeLimit } from '../../src/wallets/limits/limits.ts'
import { appealPath, MODERATION, removedTip } from './appeals.ts'
import { cancelChallenge, finishChallenge, makeDeposit, readDeposit, registerReturnAddresses } from './challenges.ts'
import type { Json, Reply, TestService } from './service.ts'
import { commentIds, newBet, newMatch, newTip, postTip } from './sportsbook.ts'
import { deposit, newDepositor } from './wallets.ts'
import { optionsOf, player, readWithdrawal, withdraw } from './withdrawals.ts'

const JSON_TYPE = 'application/json'

const OTHERS = [
  expectHidingSeen,
  expectAppealSeen,
  expectNotificationsSeen,
  expectDepositsSeen,
  expectChallengeSeen,
  expectWithdrawalsSeen,
  expectLimitsSeen,
  expectExclusionsSeen,
  expectSessionsSeen,
]

/** Writes and reads in turn as the same customer; returns the operations that wrote. */
export async function expectOwnWritesSeen(service: TestService): Promise<string[]> {
  const [me, star] = [await service.member(), await service.member()]
  const [outcome] = await newMatch(service)
  const outcomeId = outcome?.id as number
  const theirs = await newTip(service, star, outcomeId)
  const betId = await newBet(service, me.id, [outcomeId])
  const called = new Set<string>()

  async function written(operation: string, reply: Promise<Reply>): Promise<Reply> {
    const done = await reply
    expect([operation, done.status, done.text]).toEqual([operation, expect.toBeOneOf([200, 201, 204]), done.text])
    called.add(operation)
    return done
  }
  const write = (operation: string, method: string, path: string, body?: Buffer) =>
    written(operation, service.call(method, path, { ticket: me.ticket, ...(body === undefined ? {} : { body }) }))
  const read = async (path: string): Promise<Json> =>
    (await service.call('GET', path, { ticket: me.ticket, accept: JSON_TYPE })).json()
  const profile = async (id: number | 'me') => (await read(`/v1/profiles/${id}`)).whoProfiles[0].profile
  const comment = async (id: number) => (await read(`/v1/communities/comments/${id}`)).whoCommunities.comment

  await write('followProfile', 'POST', `/v1/profiles/me/followings/${star.profileId}`)
  expect(await profile(star.profileId)).toMatchObject({ isFollowed: 'Y', numFollowers: '1' })
  expect(await commentIds(service, 'profiles/me/followings?status=A', me.ticket)).toEqual([theirs])
  await write('unfollowProfile', 'DELETE', `/v1/profiles/me/followings/${star.profileId}`)
  expect(await profile(star.profileId)).toMatchObject({ isFollowed: 'N', numFollowers: '0' })
  await write('flagProfile', 'PUT', `/v1/profiles/${star.profileId}/flag`)
  expect(await profile(star.profileId)).toMatchObject({ isFlagged: 'Y' })

  await write('updateMyProfile', 'PUT', '/v1/profiles/me?biography=Seen')
  expect(await profile(me.profileId)).toMatchObject({ biography: 'Seen' })
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  const none = (await profile('me')).picture
  await write('setMyPicture', 'PUT', '/v1/profiles/me/picture', await picture.png().toBuffer())
  expect((await profile('me')).picture).not.toBe(none)
  await write('removeMyPicture', 'DELETE', '/v1/profiles/me/picture')
  expect((await profile('me')).picture).toBe(none)

  await write('likeComment', 'POST', `/v1/communities/comments/${theirs}/like`)
  expect(await comment(theirs)).toMatchObject({ isLiked: 'Y' })
  await write('unlikeComment', 'DELETE', `/v1/communities/comments/${theirs}/like`)
  expect(await comment(theirs)).toMatchObject({ isLiked: 'N' })
  await write('flagComment', 'POST', `/v1/communities/comments/${theirs}/flag`)
  expect(await comment(theirs)).toMatchObject({ isFlagged: 'Y' })
  await write('unflagComment', 'DELETE', `/v1/communities/comments/${theirs}/flag`)
  expect(await comment(theirs)).toMatchObject({ isFlagged: 'N' })

  const tip = await written('createCommentOnOutcomeId', postTip(service, me, outcomeId, { betId }))
  const mine = Number(tip.json().whoCommunities.comment.id)
  expect(await commentIds(service, 'profiles/me?status=A', me.ticket)).toEqual([mine])
  expect(await commentIds(service, `profiles/${me.profileId}?status=A`, me.ticket)).toEqual([mine])
  expect((await profile('me')).numFollowers).toBe('0')
  await write('deactivateComment', 'PUT', `/v1/communities/comments/${mine}`)
  expect(await commentIds(service, 'profiles/me?status=A', me.ticket)).toEqual([])

  for (const expectSeen of OTHERS) await expectSeen(service, written)
  return [...called]
}

type Written = (operation: string, reply: Promise<Reply>) => Promise<Reply>

async function expectHidingSeen(service: TestService, written: Written): Promise<void> {
  const [{ ticket }, { profileId: other }] = [await service.member(), await service.member()]
  const write = (operation: string, method: string, list: string) =>
    written(operation, service.call(method, `/v1/profiles/me/${list}/${other}`, { ticket }))
  const statuses = async () => {
    const paths = ['me/mutes', 'me/blocks', `${other}`]
    return Promise.all(
      paths.map(async (path) => (await service.call('GET', `/v1/profiles/${path}`, { ticket })).status),
    )
  }
  await write('muteProfile', 'PUT', 'mutes')
  expect(await statuses()).toEqual([200, 204, 200])
  await write('unmuteProfile', 'DELETE', 'mutes')
  expect(await statuses()).toEqual([204, 204, 200])
  await write('blockProfile', 'PUT', 'blocks')
  expect(await statuses()).toEqual([204, 200, 404])
  await write('unblockProfile', 'DELETE', 'blocks')
  expect(await statuses()).toEqual([204, 204, 200])
}

async function expectAppealSeen(service: TestService, written: Written): Promise<void> {
  const { author, decisionId } = await removedTip(service)
  const { ticket } = author
  await written('appealDecision', service.call('POST', `${appealPath(decisionId)}?text=A+joke`, { ticket }))
  expect((await service.call('GET', MODERATION, { ticket })).text).toContain('A joke')
}

async function expectNotificationsSeen(service: TestService, written: Written): Promise<void> {
  const [{ ticket, profileId }, fan] = [await service.member(), await service.member()]
  await service.call('POST', `/v1/profiles/me/followings/${profileId}`, { ticket: fan.ticket })
  const path = '/v1/profiles/me/notifications'
  const unread = async () =>
    (await service.call('GET', path, { ticket, accept: JSON_TYPE })).json().whoNotifications.numUnread
  // Written by the service, not by the caller.
  await vi.waitFor(async () => expect(await unread()).toBe('1'), { timeout: 60_000, interval: 50 })
  await written('markMyNotificationsRead', service.call('PUT', `${path}/read?upTo=9999999`, { ticket }))
  expect(await unread()).toBe('0')
}

async function expectDepositsSeen(service: TestService, written: Written): Promise<void> {
  const payer = await newDepositor(service)
  const methods = await written(
    'getPaymentMethods',
    service.call('POST', '/v1/wallets/me/methods', { ticket: payer.ticket }),
  )
  expect(methods.text).toContain(`${payer.method}`)
  const order = { ticket: payer.ticket, method: payer.method, key: 'once' }
  const paid = await written('makeTransaction', deposit(service, order))
  expect((await deposit(service, order)).json()).toEqual(paid.json())
}

async function expectChallengeSeen(service: TestService, written: Written): Promise<void> {
  await registerReturnAddresses(service)
  const payer = await newDepositor(service, { token: 'sandbox:challenge' })
  const { ticket } = payer
  const begin = async () => (await written('makeDeposit', makeDeposit(service, payer))).json().whoWallets.paymentId
  const status = async (paymentId: string) => (await readDeposit(service, ticket, paymentId)).json().whoWallets.status
  const paymentId = await begin()
  expect(await status(paymentId)).toBe('challenge')
  const result = sandboxResult(paymentId, 'approve')
  await written('finishChallenge', finishChallenge(service, { ticket, paymentId, result }))
  expect(await status(paymentId)).toBe('authorised')
  const other = await begin()
  await written('cancelChallenge', cancelChallenge(service, { ticket, paymentId: other }))
  expect(await status(other)).toBe('void')
}

async function expectWithdrawalsSeen(service: TestService, written: Written): Promise<void> {
  const { ticket, cards } = await player(service, {})
  const card = cards[0] as number
  const reply = await written('makeWithdrawal', withdraw(service, { ticket, card, amount: '5.00' }))
  const { id } = reply.json().whoWallets.withdrawal
  expect((await readWithdrawal(service, ticket, id)).amount).toBe('5.00')
  expect(await optionsOf(service, ticket)).toEqual([[card, '15.00']])
}

async function expectLimitsSeen(service: TestService, written: Written): Promise<void> {
  const { id, ticket } = await service.customer()
  const path = '/v1/wallets/me/limits'
  const write = (operation: string, method: string, after: string) =>
    written(operation, service.call(method, `${path}${after}`, { ticket }))
  const seen = async () => (await service.call('GET', path, { ticket, accept: JSON_TYPE })).json().whoWallets
  await write('markLimitsPrompted', 'PUT', '?prompted=Y')
  expect(await seen()).toMatchObject({ prompted: 'Y', limits: [] })
  await write('setMyLimit', 'PUT', '/day?amount=50.00')
  expect(await seen()).toMatchObject({ limits: [{ amount: '50.00' }] })
  await write('removeMyLimit', 'DELETE', '/day')
  expect((await seen()).limits[0].pending).toBeDefined()
  const yesterday = { ...service.context, now: () => service.context.now() - DAY_MS }
  await changeLimit(yesterday, id, 'day', null)
  await write('confirmMyLimit', 'POST', '/day/confirmation')
  expect((await seen()).limits).toEqual([])
}

async function expectExclusionsSeen(service: TestService, written: Written): Promise<void> {
  const ways = { takeTimeOut: 'time-out?hours=24', excludeMyself: 'exclusion?months=6' }
  for (const [operation, path] of Object.entries(ways)) {
    const { ticket } = await service.customer()
    await written(operation, service.call('PUT', `/v1/wallets/me/${path}`, { ticket }))
    const status = async () => (await service.call('GET', '/v1/profiles/me', { ticket })).status
    // Sessions end within 5 seconds.
    await vi.waitFor(async () => expect(await status()).toBe(401), { timeout: 60_000, interval: 100 })
  }
}

async function expectSessionsSeen(service: TestService, written: Written): Promise<void> {
  const username = `reader-${Math.random()}`
  await service.customer({ username, password: 'right' })
  const log = await written(
    'createTicket',
    service.call('POST', `/v1/sessions/tickets?username=${username}&password=right`, { accept: JSON_TYPE }),
  )
  const { ticket } = log.json().whoSessions
  const asNew = () => service.call('GET', '/v1/profiles/me', { ticket })
  // The first call creates the profile, the second finds it.
  expect([(await asNew()).status, (await asNew()).status]).toEqual([200, 200])
  await written('checkTicket', service.call('HEAD', `/v1/sessions/tickets/${ticket}`))
  await written('endTicket', service.call('DELETE', `/v1/sessions/tickets/${ticket}`))
  expect((await service.call('HEAD', `/v1/sessions/tickets/${ticket}`)).status).toBe(404)
  expect((await asNew()).status).not.toBe(200)
}
