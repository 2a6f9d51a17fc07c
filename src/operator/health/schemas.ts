import {
  boolean,
  count,
  integer,
  list,
  named,
  number,
  object,
  oneOf,
  orNull,
  string,
  type ValueOf,
} from '../../http/representation/json-schema.ts'
import { time } from '../server/fields.ts'
import { STATES } from './judgement.ts'

const MAX = Number.MAX_SAFE_INTEGER

const judgement = {
  state: oneOf(STATES, { examples: ['good'] }),
  advice: orNull(string(), { description: 'What to do; null while the state is good.', examples: [null] }),
}
const milliseconds = (example: number) => number(0, MAX, { examples: [example] })

const servingProcess = object({
  number: integer(0, MAX, { description: 'Of the worker; 0: the service has one process.', examples: [0] }),
  pid: integer(0, MAX, { examples: [4711] }),
  doing: oneOf(['starting', 'serving', 'not answering'], { examples: ['serving'] }),
  startedAt: time(),
  memoryBytes: orNull(count(), { description: 'null: not known.', examples: [128_000_000] }),
  requestsPerSecond: orNull(number(0, MAX), {
    description: 'Of applications, over the last one to two minutes.',
    examples: [12.5],
  }),
  ...judgement,
})

export const health = named(
  'Health',
  object({
    state: oneOf(STATES, { description: 'The worst of all states below.', examples: ['good'] }),
    ready: boolean({ description: 'What `/health/ready` answers.', examples: [true] }),
    at: time(),
    version: string({ examples: ['1.0.0'] }),
    engine: oneOf(['sqlite', 'postgres'], { examples: ['sqlite'] }),
    startedAt: time(),
    checks: list(
      object({
        name: string({ examples: ['database'] }),
        title: string({ examples: ['Database'] }),
        detail: string({ examples: ['It answers.'] }),
        ...judgement,
      }),
    ),
    processes: list(servingProcess, { description: 'Those that serve the public API.' }),
    workerEnds: object({
      count: count({ description: 'Workers that ended and were replaced, since the start.', examples: [0] }),
      last: orNull(object({ at: time(), why: string({ examples: ['SIGKILL'] }) }), { examples: [null] }),
    }),
    replicas: list(
      object({
        name: string({ examples: ['replica 1 (replica.example.com:5432)'] }),
        behindMs: number(0, MAX, { description: 'Its known lag behind the primary.', examples: [12] }),
        problem: orNull(string(), { description: 'Why it is not used; null while it is.', examples: [null] }),
        ...judgement,
      }),
      { examples: [[]] },
    ),
    queues: orNull(
      list(
        object({
          name: string({ examples: ['capture'] }),
          title: string({ examples: ['Captures to send'] }),
          waiting: count({ description: 'Queues for people are counted up to 1000.', examples: [0] }),
          oldestSeconds: orNull(number(0, MAX), {
            description: 'Age of the oldest; null: nothing waits, or not known.',
            examples: [null],
          }),
          ...judgement,
        }),
      ),
      { description: 'null: the database does not answer.' },
    ),
    minutes: list(
      object({
        at: time(),
        requests: count({ description: 'Requests of applications.', examples: [60] }),
        refused: count({ description: 'Of them, answered with a fault below 500.', examples: [2] }),
        failed: count({ description: 'Of them, answered with 500 and above.', examples: [0] }),
      }),
      { description: 'The last hour minute by minute, the current minute last.' },
    ),
    operations: list(
      object({
        name: string({ examples: ['getProfile'] }),
        count: count({ examples: [1200] }),
        p50Ms: milliseconds(1.2),
        p95Ms: milliseconds(4.1),
        p99Ms: milliseconds(9.7),
      }),
      { description: 'The 20 slowest operations since the start, by their 95th percentile; of both listeners.' },
    ),
  }),
)
export type Health = ValueOf<typeof health>
