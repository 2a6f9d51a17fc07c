// Written by `npm run client` from the operations of the service. Do not edit.

import { entries, first, inside, many, record } from '../decode.ts'
import type { Table } from '../operation.ts'
import { scalars } from '../scalars.ts'

export const operations: Table = {
  'sessions/': {
    createTicket: ['POST tickets noTicket form once', record()],
    checkTicket: ['HEAD tickets/{ticket} noTicket'],
    endTicket: ['DELETE tickets/{ticket} noTicket', record()],
  },
  'profiles/': {
    getProfile: ['GET {id}', first()],
    getMyProfile: ['GET me', first()],
    updateMyProfile: ['PUT me', first()],
    getLatestFollowers: ['GET followers/latestFollowers keyInQuery', entries(entries())],
    getMostFollowedProfiles: ['GET followers/mostFollowed keyInQuery', entries()],
    getRecordRanking: ['GET ranking/records', entries()],
  },
  'profiles/{id}/': {
    flagProfile: ['PUT flag form'],
    getFollowers: ['GET followers from0', entries()],
    getFollowings: ['GET followings from0', entries()],
    getRecord: ['GET record', first()],
    getRecordTips: ['GET record/tips from0', entries(record({ startingPrice: scalars.asIs, cashOut: many() }))],
  },
  'profiles/me/': {
    getMyFollowers: ['GET followers from0', entries()],
    followProfile: ['POST followings/{id}', null, { originalPath: 'followers/{id}' }],
    unfollowProfile: ['DELETE followings/{id}', first(), { originalPath: 'followers/{id}' }],
    getMyFollowings: ['GET followings from0', entries()],
    setMyPicture: ['PUT picture', first(), { body: 'picture' }],
    removeMyPicture: ['DELETE picture', first()],
    muteProfile: ['PUT mutes/{id}'],
    getMyMutes: ['GET mutes from0', entries()],
    unmuteProfile: ['DELETE mutes/{id}', first()],
    blockProfile: ['PUT blocks/{id}'],
    getMyBlocks: ['GET blocks from0', entries()],
    unblockProfile: ['DELETE blocks/{id}', first()],
    getMyNotifications: [
      'GET notifications from0',
      record({ notification: many() }),
      { empty: { numUnread: '0' }, items: 'notification' },
    ],
    markMyNotificationsRead: ['PUT notifications/read'],
  },
  'communities/comments/': {
    getCommentsById: ['GET {id}', inside()],
    deactivateComment: ['PUT {id}'],
    flagComment: ['POST {id}/flag form'],
    unflagComment: ['DELETE {id}/flag'],
    likeComment: ['POST {id}/like'],
    unlikeComment: ['DELETE {id}/like'],
    createCommentOnOutcomeId: ['POST me/outcomes/{id} form once', inside()],
    getAllCommentbyProfileId: ['GET profiles/{id} from1', inside(many())],
    getAllMyComments: ['GET profiles/me from1', inside(many())],
    getTopOutcomes: ['GET outcomes/top', inside(many())],
    getAllMyFollowingsComments: ['GET profiles/me/followings from1', inside(many())],
  },
  'communities/': {
    getEvents: ['GET events from1', inside(many(record({ market: record({ outcome: many() }) })))],
    getEvent: [
      'GET events/{id}',
      inside(record({ market: many(record({ outcome: many(record({ pricePoint: many() })) })) })),
    ],
    getCommentsByEventId: ['GET events/{id}/comments from1', inside(many())],
    getLog: ['GET log open', inside()],
  },
  'search/': {
    searchProfiles: ['GET profiles from0', entries()],
    searchComments: ['GET comments from1', inside(many())],
  },
  'moderation/': {
    getMyModeration: ['GET me from0', inside(many())],
    appealDecision: ['POST me/{decisionId}/appeal form once'],
  },
  'communities/log/': {
    getLogProofs: ['GET proofs/{commentId} open', record({ entry: many() })],
    getLogConsistency: ['GET consistency open', inside()],
    getLogEntries: ['GET entries open', inside(many())],
    getLogKeys: ['GET keys open', inside(many(record({ id: scalars.asIs })))],
  },
  'wallets/': {
    makeTransaction: ['POST me form keyed', record()],
  },
  'wallets/me/': {
    getPaymentMethods: ['POST methods', inside(many())],
    getPaymentMethodsByGet: ['GET methods', inside(many())],
    makeDeposit: ['POST deposits form keyed', record({ action: record({ data: many() }) })],
    getMyDeposits: ['GET deposits from0', inside(many())],
    getDeposit: ['GET deposits/{paymentId}', record({ action: record({ data: many() }) })],
    finishChallenge: ['POST deposits/{paymentId}/challenge form', record()],
    cancelChallenge: ['DELETE deposits/{paymentId}/challenge', record({ action: record({ data: many() }) })],
    getMyBalance: ['GET balance', record()],
    getMyStatement: ['GET statement from0', inside(record({ line: many() })), { items: 'line' }],
    getWithdrawalOptions: ['GET withdrawals/options', record({ keptBack: many(), options: many() })],
    makeWithdrawal: ['POST withdrawals form keyed', inside(record({ part: many() }))],
    getMyWithdrawals: ['GET withdrawals from0', inside(many(record({ part: many() })))],
    getWithdrawal: ['GET withdrawals/{id}', inside(record({ part: many() }))],
    getMyLimits: ['GET limits', record({ limits: many() })],
    markLimitsPrompted: ['PUT limits form', record({ limits: many() })],
    setMyLimit: ['PUT limits/{period} form', record({ limits: many() })],
    removeMyLimit: ['DELETE limits/{period}', record({ limits: many() })],
    confirmMyLimit: ['POST limits/{period}/confirmation once', record({ limits: many() })],
    takeTimeOut: ['PUT time-out form', record()],
    excludeMyself: ['PUT exclusion form', record()],
  },
  '': {
    openStream: ['GET stream stream'],
  },
}
