import type { Context } from '../context.ts'
import { type Operation, operationWith } from '../http/operation.ts'
import { type Parameter, parseDigits, pathId, queryInteger, UNKNOWN_ID } from '../http/parameters.ts'
import { getCheckpoint, listEntries, listKeys, proveConsistency, proveTip } from './log.ts'
import { logCheckpoint, logConsistency, logEntries, logKeys, logProofs } from './shapes.ts'
import { MOST_ENTRIES } from './store.ts'

/** A number of leaves. */
function treeSize(meaning: string): Parameter<number> {
  return {
    from: 'query',
    meaning,
    required: true,
    absent: UNKNOWN_ID,
    blank: 'value',
    parse: parseDigits,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  }
}

const start: Parameter<number> = {
  from: 'query',
  meaning: 'index of the first entry',
  required: false,
  absent: 0,
  blank: 'value',
  parse: parseDigits,
  schema: { type: 'integer', minimum: 0, default: 0 },
}

/** What all operations of the log have in common: anybody may verify it. */
const open = { method: 'GET', extension: true, credentials: 'none', ticket: 'none' } as const

const operation = operationWith<Context>()

export const tipLogOperations: Operation<Context>[] = [
  operation({
    ...open,
    name: 'getLog',
    summary: 'The newest signed checkpoint of the log of tips',
    path: '/v1/communities/log',
    parameters: {},
    answer: { status: 200, document: logCheckpoint },
    faults: {},
    handle: async (context) => ({ checkpoint: await getCheckpoint(context) }),
  }),
  operation({
    ...open,
    name: 'getLogProofs',
    summary: 'Every entry of the log that names a tip, with the proof that the checkpoint contains it',
    path: '/v1/communities/log/proofs/{commentId}',
    parameters: { commentId: pathId('id of the tip') },
    answer: { status: 200, document: logProofs },
    faults: { noComment: 'commentId' },
    handle: (context, { parameters }) => proveTip(context, parameters.commentId),
  }),
  operation({
    ...open,
    name: 'getLogConsistency',
    summary: 'The proof that the log, when it had `second` entries, began with the `first` entries it had before',
    path: '/v1/communities/log/consistency',
    parameters: { first: treeSize('size of the earlier log'), second: treeSize('size of the later log') },
    answer: { status: 200, document: logConsistency },
    faults: {},
    handle: async (context, { parameters }) => ({ consistency: await proveConsistency(context, parameters) }),
  }),
  operation({
    ...open,
    name: 'getLogEntries',
    summary: 'Entries of the log in their order; of tips also what they are now',
    path: '/v1/communities/log/entries',
    parameters: { start, count: queryInteger('how many', { absent: 100, least: 1, most: MOST_ENTRIES }, 'count') },
    answer: { status: 200, document: logEntries, mayBeEmpty: true },
    faults: {},
    handle: (context, { parameters }) => listEntries(context, parameters),
  }),
  operation({
    ...open,
    name: 'getLogKeys',
    summary: 'The public keys of the log, retired ones too',
    path: '/v1/communities/log/keys',
    parameters: {},
    answer: { status: 200, document: logKeys },
    faults: {},
    handle: (context) => listKeys(context),
  }),
]
