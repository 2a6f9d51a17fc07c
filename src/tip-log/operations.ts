import { type Operation, operationWith } from '../http/operations/operation.ts'
import {
  type Parameter,
  parseDigits,
  pathId,
  queryInteger,
  queryYesNo,
  UNKNOWN_ID,
} from '../http/requests/parameters.ts'
import type { TipLogContext } from './context.ts'
import { getCheckpoint, listKeys, proveConsistency, proveTip } from './log.ts'
import { logCheckpoint, logConsistency, logEntries, logKeys, logProofs } from './shapes.ts'
import { MAX_ENTRIES } from './store.ts'

/** A number of leaves. */
function treeSize(meaning: string): Parameter<number> {
  return {
    from: 'query',
    meaning,
    required: true,
    absent: UNKNOWN_ID,
    parse: parseDigits,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  }
}

const start: Parameter<number> = {
  from: 'query',
  meaning: 'index of the first entry',
  absent: 0,
  blank: 'value',
  parse: parseDigits,
  schema: { type: 'integer', minimum: 0, default: 0 },
}

const leavesOnly = queryYesNo(
  'Y leaves out what tips are now. The leaves never change: a full page of them can be cached for ever',
)

/** A page of 1,000 entries costs as much as some ten other requests, also with the cache: it has 300 KB. */
const ENTRIES_OF_A_REQUEST = 100

const NEVER_CHANGES = 'public, max-age=31536000, immutable'

/** What all operations of the log have in common: anybody may verify it. */
const open = { extension: true, credentials: 'none', ticket: 'none', mayBeStale: false } as const

const operation = operationWith<TipLogContext>()

export const tipLogOperations: Operation<TipLogContext>[] = [
  operation({
    ...open,
    name: 'getLog',
    summary: 'The newest signed checkpoint of the log of tips',
    route: 'GET /v1/communities/log',
    answer: { status: 200, document: logCheckpoint },
    handle: async (context) => ({ checkpoint: await getCheckpoint(context) }),
  }),
  operation({
    ...open,
    name: 'getLogProofs',
    summary: 'Every entry of the log that names a tip, with the proof that the checkpoint contains it',
    route: 'GET /v1/communities/log/proofs/{commentId}',
    parameters: { commentId: pathId('id of the tip') },
    answer: { status: 200, document: logProofs },
    faults: { noComment: 'commentId' },
    handle: (context, { parameters }) => proveTip(context, parameters.commentId),
  }),
  operation({
    ...open,
    name: 'getLogConsistency',
    summary: 'The proof that the log, when it had `second` entries, began with the `first` entries it had before',
    route: 'GET /v1/communities/log/consistency',
    parameters: { first: treeSize('size of the earlier log'), second: treeSize('size of the later log') },
    answer: { status: 200, document: logConsistency },
    handle: async (context, { parameters }) => ({ consistency: await proveConsistency(context, parameters) }),
  }),
  operation({
    ...open,
    name: 'getLogEntries',
    summary: 'Entries of the log in their order; of tips also what they are now',
    route: 'GET /v1/communities/log/entries',
    parameters: {
      start,
      count: queryInteger('how many', { absent: 100, least: 1, most: MAX_ENTRIES }, 'count'),
      leavesOnly,
    },
    cost: ({ count }) => Math.ceil(count / ENTRIES_OF_A_REQUEST),
    answer: {
      status: 200,
      document: logEntries,
      mayBeEmpty: true,
      reused: true,
      headers: {
        etag: 'Changes with the entries. With it as If-None-Match the answer is 304 while they are the same.',
        'cache-control': '`no-cache`; for a full page with leavesOnly, which never changes, a year and `immutable`',
      },
    },
    async handle({ logPages }, { parameters, response }) {
      const page = await logPages.read(parameters)
      if (parameters.leavesOnly && page?.entry.length === parameters.count) {
        response.setHeader('cache-control', NEVER_CHANGES)
      }
      return page
    },
  }),
  operation({
    ...open,
    name: 'getLogKeys',
    summary: 'The public keys of the log, retired ones too',
    route: 'GET /v1/communities/log/keys',
    answer: { status: 200, document: logKeys },
    handle: (context) => listKeys(context),
  }),
]
