import packageFile from '../../../package.json' with { type: 'json' }
import { isoTime } from '../../platform/runtime/iso-time.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { readHealth } from './health.ts'
import { STATES } from './judgement.ts'

const MAX = Number.MAX_SAFE_INTEGER

const judgement = {
  state: s.oneOf(STATES, { examples: ['good'] }),
  advice: s.orNull(s.string(), { description: 'What to do; null while the state is good.', examples: [null] }),
}
const milliseconds = (example: number) => s.number(0, MAX, { examples: [example] })

const servingProcess = s.object({
  number: s.integer(0, MAX, {
    description: 'The number of the worker. 0: the service has one process.',
    examples: [0],
  }),
  pid: s.integer(0, MAX, { examples: [4711] }),
  doing: s.oneOf(['starting', 'serving', 'not answering'], { examples: ['serving'] }),
  startedAt: s.time(),
  memoryBytes: s.orNull(s.count(), { description: 'null: not known.', examples: [128_000_000] }),
  requestsPerSecond: s.orNull(s.number(0, MAX), {
    description: 'How many requests of applications it served, over the last one to two minutes.',
    examples: [12.5],
  }),
  ...judgement,
})

export const checkFields = {
  name: s.string({ examples: ['database'] }),
  title: s.string({ examples: ['Database'] }),
  detail: s.string({ examples: ['It answers.'] }),
  ...judgement,
}

export const health = s.namedObject('Health', {
  state: s.oneOf(STATES, { description: 'The worst of all states below.', examples: ['good'] }),
  ready: s.boolean({ description: 'What `/health/ready` answers.', examples: [true] }),
  at: s.time(),
  version: s.string({ examples: ['1.0.0'] }),
  engine: s.oneOf(['sqlite', 'postgres'], { examples: ['sqlite'] }),
  startedAt: s.time(),
  checks: s.list(s.object(checkFields)),
  processes: s.list(servingProcess, { description: 'The processes that serve the public API.' }),
  workerEnds: s.object({
    count: s.count({ description: 'Workers that ended and were replaced, since the start.', examples: [0] }),
    last: s.orNull(s.object({ at: s.time(), why: s.string({ examples: ['SIGKILL'] }) }), { examples: [null] }),
  }),
  replicas: s.list(
    s.object({
      name: s.string({ examples: ['replica 1 (replica.example.com:5432)'] }),
      behindMs: s.number(0, MAX, { description: 'Its known lag behind the primary.', examples: [12] }),
      problem: s.orNull(s.string(), { description: 'Why it is not used; null while it is.', examples: [null] }),
      ...judgement,
    }),
    { examples: [[]] },
  ),
  queues: s.orNull(
    s.list(
      s.object({
        name: s.string({ examples: ['capture'] }),
        title: s.string({ examples: ['Captures to send'] }),
        waiting: s.count({ description: 'Queues for people are counted up to 1000.', examples: [0] }),
        oldestSeconds: s.orNull(s.number(0, MAX), {
          description: 'How long the oldest has waited. null: nothing waits, or its age is not known.',
          examples: [null],
        }),
        ...judgement,
      }),
    ),
    { description: 'null: the database does not answer.' },
  ),
  minutes: s.list(
    s.object({
      at: s.time(),
      requests: s.count({ description: 'Requests of applications.', examples: [60] }),
      refused: s.count({ description: 'How many of them were answered with a fault below 500.', examples: [2] }),
      failed: s.count({ description: 'How many of them were answered with 500 or above.', examples: [0] }),
    }),
    { description: 'The last hour minute by minute, the current minute last.' },
  ),
  operations: s.list(
    s.object({
      name: s.string({ examples: ['getProfile'] }),
      count: s.count({ examples: [1200] }),
      p50Ms: milliseconds(1.2),
      p95Ms: milliseconds(4.1),
      p99Ms: milliseconds(9.7),
    }),
    { description: 'The 20 slowest operations of both listeners since the start, by their 95th percentile.' },
  ),
})
export type Health = s.ValueOf<typeof health>

export const healthOperations = [
  operatorOperation({
    name: 'readHealth',
    summary: 'How the service is',
    description:
      'Readiness, processes, replicas, queues, errors of the last hour and the slowest operations, each with its state and ' +
      'what to do. Several services on one database each answer for themselves.',
    route: 'GET /health',
    role: 'admin',
    background: true,
    answer: { 200: health },
    async handle(context) {
      const { processes, minutes, ...found } = await readHealth(context)
      const { items, ends, lastEnd } = processes
      const now = context.now()
      return {
        ...found,
        at: isoTime(now),
        version: packageFile.version,
        startedAt: isoTime(now - Math.round(process.uptime() * 1000)),
        processes: items.map((one) => ({ ...one, startedAt: isoTime(Math.round(one.startedAt)) })),
        workerEnds: { count: ends, last: lastEnd && { at: isoTime(lastEnd.at), why: lastEnd.why } },
        minutes: minutes.map((one) => ({ ...one, at: isoTime(one.at) })),
      }
    },
  }),
]
