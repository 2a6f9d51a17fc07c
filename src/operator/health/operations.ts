import packageFile from '../../../package.json' with { type: 'json' }
import { isoTime } from '../../platform/runtime/iso-time.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { readHealth } from './health.ts'
import { STATES } from './judgement.ts'

const MAX = Number.MAX_SAFE_INTEGER

const judgement = {
  state: s.oneOf(STATES, 'good'),
  advice: s.orNull(s.string(), 'What to do; null while the state is good.', null),
}
const milliseconds = (example: number) => s.number(0, MAX, example)

const servingProcess = s.object({
  number: s.integer(0, MAX, 0, 'The number of the worker. 0: the service has one process.'),
  pid: s.integer(0, MAX, 4711),
  doing: s.oneOf(['starting', 'serving', 'not answering'], 'serving'),
  startedAt: s.time(),
  memoryBytes: s.orNull(s.count(), 'null: not known.', 128_000_000),
  requestsPerSecond: s.orNull(
    s.number(0, MAX),
    'How many requests of applications it served, over the last one to two minutes.',
    12.5,
  ),
  ...judgement,
})

export const checkFields = {
  name: s.string('database'),
  title: s.string('Database'),
  detail: s.string('It answers.'),
  ...judgement,
}

export const health = s.namedObject('Health', {
  state: s.oneOf(STATES, 'good', 'The worst of all states below.'),
  ready: s.boolean(true, 'What `/health/ready` answers.'),
  at: s.time(),
  version: s.string('1.0.0'),
  engine: s.oneOf(['sqlite', 'postgres'], 'sqlite'),
  startedAt: s.time(),
  checks: s.list(s.object(checkFields)),
  processes: s.list(servingProcess, 'The processes that serve the public API.'),
  workerEnds: s.object({
    count: s.count(0, 'Workers that ended and were replaced, since the start.'),
    last: s.orNull(s.object({ at: s.time(), why: s.string('SIGKILL') }), undefined, null),
  }),
  replicas: s.list(
    s.object({
      name: s.string('replica 1 (replica.example.com:5432)'),
      behindMs: s.number(0, MAX, 12, 'Its known lag behind the primary.'),
      problem: s.orNull(s.string(), 'Why it is not used; null while it is.', null),
      ...judgement,
    }),
    { examples: [[]] },
  ),
  queues: s.orNull(
    s.list(
      s.object({
        name: s.string('capture'),
        title: s.string('Captures to send'),
        waiting: s.count(0, 'Queues for people are counted up to 1000.'),
        oldestSeconds: s.orNull(
          s.number(0, MAX),
          'How long the oldest has waited. null: nothing waits, or its age is not known.',
          null,
        ),
        ...judgement,
      }),
    ),
    'null: the database does not answer.',
  ),
  minutes: s.list(
    s.object({
      at: s.time(),
      requests: s.count(60, 'Requests of applications.'),
      refused: s.count(2, 'How many of them were answered with a fault below 500.'),
      failed: s.count(0, 'How many of them were answered with 500 or above.'),
    }),
    'The last hour minute by minute, the current minute last.',
  ),
  operations: s.list(
    s.object({
      name: s.string('getProfile'),
      count: s.count(1200),
      p50Ms: milliseconds(1.2),
      p95Ms: milliseconds(4.1),
      p99Ms: milliseconds(9.7),
    }),
    'The 20 slowest operations of both listeners since the start, by their 95th percentile.',
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
