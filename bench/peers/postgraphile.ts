// PostGraphile: GraphQL generated from the tables of a schema. Operations are persisted, so that a request has only the
// name of its document and the variables.

import { httpRequest } from '../load.ts'
import { NODE_OPTIONS, pathOf, start } from '../processes.ts'
import { runAll } from './database.ts'
import { FILL_POSTGRAPHILE, MOVE_OUR_TABLES, REMOVE_OUR_TABLES } from './fill-sql.ts'
import type { Peer } from './peer.ts'

const PROFILE = 'id: rowId name biography createdAt numFollowings numFollowers'
const TIP = `id: rowId betId text listed createdAt numLikes
  outcome: outcomeByOutcomeId { rowId name priceNum priceDen
    market: marketByMarketId { rowId name event: eventByEventId { rowId sportId name } } }`

/** Names of variables, in the order of the values in a baseline path; variables that are not there are not sent. */
const DOCUMENTS: Record<string, { variables: readonly string[]; text: string }> = {
  profile: {
    variables: ['id'],
    text: `query ($id: BigInt!) { profile: profileByRowId(rowId: $id) { ${PROFILE} } }`,
  },
  followers: {
    variables: ['id'],
    text: `query ($id: BigInt!) {
      list: allFollows(first: 20, condition: { followeeId: $id, shown: true }, orderBy: CREATED_AT_DESC) {
        nodes { profile: profileByFollowerId { ${PROFILE} } } } }`,
  },
  tipsOf: {
    variables: ['id'],
    text: `query ($id: BigInt!) {
      list: allTips(first: 20, condition: { authorId: $id, listed: "A" }, orderBy: ROW_ID_DESC) { nodes { ${TIP} } } }`,
  },
  like: {
    variables: ['profileId', 'tipId'],
    text: `mutation ($profileId: BigInt!, $tipId: BigInt!) {
      createTipLike(input: { tipLike: { profileId: $profileId, tipId: $tipId } }) { clientMutationId } }`,
  },
  unlike: {
    variables: ['profileId', 'tipId'],
    text: `mutation ($profileId: BigInt!, $tipId: BigInt!) {
      deleteTipLikeByProfileIdAndTipId(input: { profileId: $profileId, tipId: $tipId }) { clientMutationId } }`,
  },
  createTip: {
    variables: ['authorId', 'outcomeId', 'betId'],
    text: `mutation ($authorId: BigInt!, $outcomeId: BigInt!, $betId: BigInt!) {
      createTip(input: { tip: { authorId: $authorId, outcomeId: $outcomeId, betId: $betId,
        text: "Travels well and stays further" } }) { tip { rowId createdAt } } }`,
  },
  follow: {
    variables: ['followerId', 'followeeId'],
    text: `mutation ($followerId: BigInt!, $followeeId: BigInt!) {
      createFollow(input: { follow: { followerId: $followerId, followeeId: $followeeId } }) { clientMutationId } }`,
  },
  unfollow: {
    variables: ['followerId', 'followeeId'],
    text: `mutation ($followerId: BigInt!, $followeeId: BigInt!) {
      deleteFollowByFollowerIdAndFolloweeId(input: { followerId: $followerId, followeeId: $followeeId }) { clientMutationId } }`,
  },
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json' }

type Answer = { data: { profile?: { id: string }; list?: { nodes: { id?: string; profile?: { id: string } }[] } } }

export const postgraphile: Peer = {
  name: 'postgraphile',
  title: 'PostGraphile',
  package: 'postgraphile',
  request(handler, values) {
    const document = DOCUMENTS[handler]
    if (document === undefined) return null
    const variables = Object.fromEntries(document.variables.map((name, index) => [name, values[index]]))
    return httpRequest('/graphql', HEADERS, 'POST', JSON.stringify({ documentId: handler, variables }))
  },
  isExpected: (status, answer) => status === 200 && !answer.includes('"errors":'),
  ids(answer) {
    const { profile, list } = (answer as Answer).data
    return (list?.nodes ?? [profile]).map((node) => `${node?.id ?? (node as { profile?: { id: string } }).profile?.id}`)
  },
  async start(url, log) {
    log('PostGraphile: copying the rows')
    await runAll(url, [...MOVE_OUR_TABLES, ...FILL_POSTGRAPHILE, ...REMOVE_OUR_TABLES])
    log('PostGraphile: starting')
    const texts = Object.fromEntries(Object.entries(DOCUMENTS).map(([name, { text }]) => [name, text]))
    const args = [...NODE_OPTIONS, pathOf('peers/postgraphile-server.js'), url, JSON.stringify(texts)]
    return start(args, { NODE_ENV: 'production', GRAPHILE_ENV: 'production' })
  },
}
