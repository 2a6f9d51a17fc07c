import type { DeclaredFaults } from '../faults.ts'
import { flagText } from '../flags/parameters.ts'
import { type Operation, operationWith, type Route } from '../http/operations/operation.ts'
import {
  normalisedText,
  type Parameter,
  parseDigits,
  pathId,
  queryChoice,
  queryDigits,
  queryInteger,
  queryYesNo,
  UNKNOWN_ID,
} from '../http/requests/parameters.ts'
import { deactivateComment, getComment, listTipsOfEvent } from './comment.ts'
import type { Listed } from './comment-lists.ts'
import type { CommunitiesContext } from './context.ts'
import { listByProfile, listOfFollowings, listOwn } from './feed.ts'
import { flagComment, likeComment, unflagComment, unlikeComment } from './reaction.ts'
import { commentList, oneComment, topOutcomeList } from './shapes.ts'
import { createTip } from './tip.ts'
import { topOutcomes } from './top.ts'

const id = pathId('id of the comment')

/** The blocks of every list of comments. */
export const commentBlock = {
  blockSize: queryInteger('comments per block', { absent: 20, least: 1, most: 20 }, 'blockSize|blockNum'),
  blockNum: queryInteger('which block, from 1', { absent: 1, least: 1, most: 100 }, 'blockSize|blockNum'),
}

/** A parameter of every operation that answers with comments. */
export const details: Parameter<boolean> = {
  ...queryYesNo('Y adds to each comment who wrote it, at which price, the result, and what the tip won or lost'),
  extension: true,
}

const list = {
  status: {
    from: 'query',
    meaning: 'A active or W winning',
    required: true,
    absent: 'A',
    parse: (raw) => (raw === 'A' || raw === 'W' ? raw : undefined),
    schema: { type: 'string', enum: ['A', 'W'] },
  } satisfies Parameter<Listed>,
  sportId: queryDigits('only comments on events of this sport', null),
  sortOrder: queryChoice('L most liked, E event time, R most recent', ['L', 'E', 'R'], 'R'),
  ...commentBlock,
  details,
}

/** An optional whole number of createCommentOnOutcomeId. */
function tipNumber(meaning: string, parse: (raw: string) => number | null | undefined): Parameter<number | null> {
  return { ...queryDigits(meaning, null), from: 'query or form', parse }
}

function partOfPrice(raw: string): number | undefined {
  const value = parseDigits(raw)
  return value !== undefined && value > 0 ? value : undefined
}

/** An id beyond any that could be stored links to nothing. */
function linkedId(raw: string): number | null | undefined {
  const value = parseDigits(raw)
  return value === UNKNOWN_ID ? null : value
}

const MAX_TEXT_LENGTH = 300

const tip = {
  id: pathId('id of the outcome', 'outcomeId'),
  betId: {
    from: 'query or form',
    meaning: 'the bet that the comment is placed against',
    required: true,
    absent: UNKNOWN_ID,
    parse: parseDigits,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  } satisfies Parameter<number>,
  linkedId: { ...tipNumber('linked id of the event of the comment', linkedId), faultName: 'linkedOutcomeId' },
  priceNum: tipNumber('numerator of fractional odds', partOfPrice),
  priceDen: tipNumber('denominator of fractional odds', partOfPrice),
  startingPrice: {
    from: 'query or form',
    meaning: 'Y: the price type is a starting price',
    absent: false,
    parse: (raw) => (raw === 'Y' ? true : undefined),
    schema: { type: 'string', enum: ['Y', ''] },
  } satisfies Parameter<boolean>,
  text: {
    from: 'query or form',
    meaning: 'the text of the comment, up to 300 characters, with up to 10 line feeds',
    required: true,
    absent: '',
    lines: true,
    parse: (raw) => normalisedText(raw, { least: 0, most: MAX_TEXT_LENGTH }),
    schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH },
  } satisfies Parameter<string>,
  details: { ...details, from: 'query or form' } satisfies Parameter<boolean>,
}

const COMMENT_FAULTS: DeclaredFaults = { noComment: 'id' }

type Reaction = Pick<Operation, 'name' | 'summary'> & { route: Route; act: typeof likeComment }

const operation = operationWith<CommunitiesContext>()

function reaction({ act, ...row }: Reaction): Operation<CommunitiesContext> {
  return operation({
    ...row,
    repeatable: true,
    ticket: 'required',
    parameters: { id },
    faults: COMMENT_FAULTS,
    handle: (context, { caller, parameters }) => act(context, caller.customerId, parameters.id),
  })
}

export const communityOperations: Operation<CommunitiesContext>[] = [
  operation({
    name: 'getCommentsById',
    summary: 'A comment by id',
    route: 'GET /v1/communities/comments/{id}',
    mayBeStale: true,
    ticket: 'optional',
    parameters: { id, details },
    answer: { status: 200, document: oneComment },
    faults: COMMENT_FAULTS,
    handle: async (context, { caller, parameters }) => ({
      comment: await getComment(context, parameters.id, caller.customerId, parameters.details),
    }),
  }),
  operation({
    name: 'deactivateComment',
    summary: 'Deactivate the caller’s own comment',
    route: 'PUT /v1/communities/comments/{id}',
    ticket: 'required',
    parameters: { id },
    handle: (context, { caller, parameters }) => deactivateComment(context, caller.customerId, parameters.id),
  }),
  operation({
    name: 'flagComment',
    summary: 'Flag a comment for moderators',
    route: 'POST /v1/communities/comments/{id}/flag',
    repeatable: true,
    ticket: 'required',
    parameters: { id, ...flagText },
    faults: COMMENT_FAULTS,
    handle: (context, { caller, parameters }) => flagComment(context, caller.customerId, parameters.id, parameters),
  }),
  reaction({
    name: 'unflagComment',
    summary: 'Withdraw the caller’s flag',
    route: 'DELETE /v1/communities/comments/{id}/flag',
    act: unflagComment,
  }),
  reaction({
    name: 'likeComment',
    summary: 'Like a comment',
    route: 'POST /v1/communities/comments/{id}/like',
    act: likeComment,
  }),
  reaction({
    name: 'unlikeComment',
    summary: 'Withdraw the caller’s like',
    route: 'DELETE /v1/communities/comments/{id}/like',
    act: unlikeComment,
  }),
  operation({
    name: 'createCommentOnOutcomeId',
    summary: 'Create a tip on an outcome of one of the caller’s bets',
    route: 'POST /v1/communities/comments/me/outcomes/{id}',
    ticket: 'required',
    parameters: tip,
    answer: { status: 200, document: oneComment },
    faults: {
      ancillary: 'text',
      inappropriate: 'text',
      outcomeInactive: 'id',
      sportNotEnabled: '{id}',
      profileInactive: '',
      tipExists: 'betId',
    },
    handle: async (context, { caller, parameters }) => ({
      comment: await createTip(context, caller.customerId, parameters),
    }),
  }),
  operation({
    name: 'getAllCommentbyProfileId',
    summary: 'The comments of a profile',
    route: 'GET /v1/communities/comments/profiles/{id}',
    mayBeStale: true,
    ticket: 'optional',
    parameters: { id: pathId('id of the profile', 'profileId'), ...list },
    answer: { status: 200, document: commentList, mayBeEmpty: true },
    faults: { noProfile: 'profileId' },
    handle: (context, { caller, parameters }) => listByProfile(context, parameters.id, caller.customerId, parameters),
  }),
  operation({
    name: 'getAllMyComments',
    summary: 'The caller’s own comments',
    route: 'GET /v1/communities/comments/profiles/me',
    mayBeStale: true,
    ticket: 'required',
    parameters: list,
    answer: { status: 200, document: commentList, mayBeEmpty: true },
    faults: { noProfile: null },
    handle: (context, { caller, parameters }) => listOwn(context, caller.customerId, parameters),
  }),
  operation({
    name: 'getTopOutcomes',
    summary: 'The 20 outcomes with the most live comments',
    route: 'GET /v1/communities/comments/outcomes/top',
    mayBeStale: true,
    ticket: 'optional',
    answer: { status: 200, document: topOutcomeList, mayBeEmpty: true },
    handle: (context) => topOutcomes(context),
  }),
  operation({
    name: 'getAllMyFollowingsComments',
    summary: 'The comments of all profiles that the caller follows',
    route: 'GET /v1/communities/comments/profiles/me/followings',
    mayBeStale: true,
    ticket: 'required',
    parameters: list,
    answer: { status: 200, document: commentList, mayBeEmpty: true },
    faults: { noProfile: null },
    handle: (context, { caller, parameters }) => listOfFollowings(context, caller.customerId, parameters),
  }),
]

/** Behind the operations of the catalogue, in the reference. */
export const eventTipOperations: Operation<CommunitiesContext>[] = [
  operation({
    name: 'getCommentsByEventId',
    summary: 'All comments on an event, newest first: losing ones and the caller’s own too',
    route: 'GET /v1/communities/events/{id}/comments',
    mayBeStale: true,
    extension: true,
    ticket: 'optional',
    parameters: { id: pathId('id of the event'), ...commentBlock, details },
    answer: { status: 200, document: commentList, mayBeEmpty: true },
    faults: { noEvent: 'id' },
    handle: (context, { caller, parameters }) =>
      listTipsOfEvent(context, { id: parameters.id, customerId: caller.customerId }, parameters),
  }),
]
