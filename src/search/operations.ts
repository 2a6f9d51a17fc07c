import type { CommunitiesContext } from '../communities/context.ts'
import { commentBlock, details } from '../communities/operations.ts'
import { commentList } from '../communities/shapes.ts'
import { type Operation, operationWith } from '../http/operations/operation.ts'
import { blockParameters, normalisedText, type Parameter } from '../http/requests/parameters.ts'
import { communities } from '../profiles/operations.ts'
import { profiles } from '../profiles/shapes.ts'
import { findComments, findProfiles, parseQuery, type SearchQuery } from './search.ts'

const MAX_QUERY_LENGTH = 100

const q: Parameter<SearchQuery> = {
  from: 'query',
  meaning:
    'words, each of which must begin a word of the text: 2 to 100 characters, among them at least 2 letters or digits, up to 8 words; case and accents do not count',
  required: true,
  absent: [],
  parse(raw) {
    const text = normalisedText(raw, { least: 2, most: MAX_QUERY_LENGTH })
    return text === undefined ? undefined : parseQuery(text)
  },
  schema: { type: 'string', minLength: 2, maxLength: MAX_QUERY_LENGTH },
}

const operation = operationWith<CommunitiesContext>()

export const searchOperations: Operation<CommunitiesContext>[] = [
  operation({
    name: 'searchProfiles',
    summary: 'Profiles by their name or biography, those whose name has all words first',
    route: 'GET /v1/search/profiles',
    mayBeStale: true,
    extension: true,
    ticket: 'optional',
    parameters: { q, communities, ...blockParameters },
    answer: { status: 200, document: profiles, mayBeEmpty: true },
    handle: (context, { caller, parameters: { q: words, communities: shown, blockSize: limit, blockNum } }) =>
      findProfiles(context, { words, customerId: caller.customerId, limit, offset: blockNum * limit }, shown),
  }),
  operation({
    name: 'searchComments',
    summary: 'Comments by their text, newest first',
    route: 'GET /v1/search/comments',
    mayBeStale: true,
    extension: true,
    ticket: 'optional',
    parameters: { q, ...commentBlock, details },
    answer: { status: 200, document: commentList, mayBeEmpty: true },
    handle: (context, { caller, parameters: { q: words, blockSize: limit, blockNum, details: shown } }) =>
      findComments(context, { words, customerId: caller.customerId, limit, offset: (blockNum - 1) * limit }, shown),
  }),
]
