import packageFile from '../../../package.json' with { type: 'json' }
import { isoTime } from '../../platform/runtime/iso-time.ts'
import { operatorOperation } from '../server/operation.ts'
import { readHealth } from './health.ts'
import { health } from './schemas.ts'

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
        workerEnds: {
          count: ends,
          last: lastEnd === null ? null : { at: isoTime(lastEnd.at), why: lastEnd.why },
        },
        checks: [...found.checks],
        replicas: [...found.replicas],
        queues: found.queues === null ? null : [...found.queues],
        minutes: minutes.map((one) => ({ ...one, at: isoTime(one.at) })),
        operations: [...found.operations],
      }
    },
  }),
]
