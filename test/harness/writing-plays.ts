// Plays of operations that write, for test/concurrency/lock-order.test.ts: what one of two players does to the rows that they
// share, and then undoes, so that a play can be repeated. While another play changes the same rows, refusals are expected.

import sharp from 'sharp'
import { HOUR_MS } from '../../src/platform/runtime/durations.ts'
import { sandboxResult } from '../../src/wallets/gateways/sandbox/challenges.ts'
import { changeLimit } from '../../src/wallets/limits/limits.ts'
import { excludeCustomer } from '../../src/wallets/reviews/exclusions.ts'
import { sweep } from '../../src/wallets/sweep/sweeper.ts'
import { cancelChallenge, finishChallenge, makeDeposit } from './challenges.ts'
import { moneyPlays, payoutPlays } from './money-plays.ts'
import { operatorPlays } from './operator-plays.ts'
import { deposit } from './wallets.ts'
import { expectAnswer, operate, type Play, restoreSession, type Side, send, tip } from './writing-world.ts'

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#aa3311' } })
  .jpeg()
  .toBuffer()

const onProfile =
  (list: string, [begin, end]: [string, string]) =>
  async (side: Side) => {
    const path = `/v1/profiles/me/${list}/${side.you.profileId}`
    await send(side, begin, path)
    await send(side, end, path)
  }

const onTip = (what: string) => async (side: Side) => {
  const path = `/v1/communities/comments/${side.you.tip}/${what}`
  await send(side, 'POST', path)
  await send(side, 'DELETE', path)
}

const publicPlays: Record<string, Play> = {
  follows: {
    operations: ['followProfile', 'unfollowProfile'],
    run: onProfile('followings', ['POST', 'DELETE']),
  },
  mutes: { operations: ['muteProfile', 'unmuteProfile'], run: onProfile('mutes', ['PUT', 'DELETE']) },
  blocks: { operations: ['blockProfile', 'unblockProfile'], run: onProfile('blocks', ['PUT', 'DELETE']) },
  likes: { operations: ['likeComment', 'unlikeComment'], run: onTip('like') },
  flags: {
    operations: ['flagComment', 'unflagComment', 'flagProfile'],
    async run(side) {
      await onTip('flag')(side)
      await send(side, 'PUT', `/v1/profiles/${side.you.profileId}/flag`)
    },
  },
  tips: {
    operations: ['createCommentOnOutcomeId', 'deactivateComment'],
    async run(side) {
      const before = side.me.tip
      const created = await tip(side, 1)
      side.me.tip = before
      if (created !== undefined) await send(side, 'PUT', `/v1/communities/comments/${created}`)
    },
  },
  profile: {
    operations: ['updateMyProfile', 'setMyPicture', 'removeMyPicture'],
    async run(side) {
      await send(side, 'PUT', `/v1/profiles/me?name=Player+${side.me.id}&biography=plays`)
      await send(side, 'PUT', '/v1/profiles/me/picture', { body: await picture })
      await send(side, 'DELETE', '/v1/profiles/me/picture')
    },
  },
  firstRequests: {
    operations: ['getMyProfile', 'getMyFollowers', 'getMyFollowings'],
    async run(side) {
      const me = { ...side.me, ...(await side.service.customer()) }
      const first = { ...side, me }
      const requests = ['', '/followers', '/followings'].map((list) => send(first, 'GET', `/v1/profiles/me${list}`))
      const follow = send(first, 'POST', `/v1/profiles/me/followings/${side.you.profileId}`)
      await Promise.all([...requests, follow])
    },
  },
  notifications: {
    operations: ['markMyNotificationsRead'],
    run: (side) => send(side, 'PUT', '/v1/profiles/me/notifications/read?upTo=9007199254740991'),
  },
  limits: {
    operations: ['setMyLimit', 'removeMyLimit', 'confirmMyLimit', 'markLimitsPrompted'],
    async run(side) {
      await send(side, 'PUT', '/v1/wallets/me/limits?prompted=Y')
      await send(side, 'PUT', '/v1/wallets/me/limits/day?amount=999999.00')
      await send(side, 'DELETE', '/v1/wallets/me/limits/day')
      const { context } = side.service
      await changeLimit({ ...context, now: () => context.now() - 25 * HOUR_MS }, side.me.id, 'day', null)
      await send(side, 'POST', '/v1/wallets/me/limits/day/confirmation')
    },
  },
  exclusions: {
    operations: ['takeTimeOut', 'excludeMyself'],
    async run(side) {
      for (const path of ['time-out?hours=24', 'exclusion?months=6']) {
        const other = { ...side, me: { ...side.me, ...(await side.service.customer()) } }
        await send(other, 'PUT', `/v1/wallets/me/${path}`)
      }
      // The player's own was over long ago, so that they play on.
      await excludeCustomer({ ...side.service.context, now: () => 0 }, side.me.id, 'time-out', () => 1)
      await restoreSession(side)
    },
  },
  deposits: {
    operations: ['makeTransaction', 'makeDeposit', 'finishChallenge', 'cancelChallenge', 'resolveDeposit'],
    async run(side) {
      const { ticket, card, refusedCard, challengedCard } = side.me
      const replies = [await deposit(side.service, { ticket, method: card })]
      replies.push(await deposit(side.service, { ticket, method: refusedCard }))
      for (const isFinished of [true, false]) {
        const challenged = await makeDeposit(side.service, { ticket, method: challengedCard })
        replies.push(challenged)
        const paymentId: string | undefined = challenged.json().whoWallets?.paymentId
        if (paymentId === undefined) continue
        const result = sandboxResult(paymentId, 'approve')
        const end = isFinished ? finishChallenge : cancelChallenge
        replies.push(await end(side.service, { ticket, paymentId, result }))
      }
      for (const { status, text } of replies) expectAnswer(side.world, 'deposit', status, text)
      await sweep(side.service.context)
      const id = replies[1]?.json().whoWallets?.paymentId
      if (id !== undefined)
        await operate(side, 'POST', `/deposits/${id}/resolution`, { outcome: 'voided', note: 'looked up' })
    },
  },
}

export const plays: Record<string, Play> = { ...publicPlays, ...operatorPlays, ...moneyPlays, ...payoutPlays }
