// The guards of what is written in batches.

import { guards } from './mutation.ts'

const WRITE_QUEUE = 'src/platform/database/write-queue.ts'

const SUITES = ['test/database/batches.test.ts', 'test/concurrency/batches.test.ts']

export const batchMutations = guards(SUITES, [
  {
    file: WRITE_QUEUE,
    guard: 'batches: what waits is written together',
    from: 'const MAX_BATCH = 64',
    to: 'const MAX_BATCH = 1',
  },
  { file: WRITE_QUEUE, guard: 'batches: each item has its own result', from: 'results[index]', to: 'results[0]' },
  { file: WRITE_QUEUE, guard: 'batches: one that fails does so alone', from: 'batch.length > 1 && ', to: 'false && ' },
  {
    file: WRITE_QUEUE,
    guard: 'batches: a write whose commit is not known is not repeated',
    from: ' && !(error instanceof DatabaseUnavailable)',
    to: '',
  },
  {
    file: WRITE_QUEUE,
    guard: 'batches: what arrives while one runs is the next',
    from: /else isBusy = false\n\s+startSoon\(\)/,
    to: 'else isBusy = false',
  },
  {
    file: WRITE_QUEUE,
    guard: 'batches: a small one waits for those whom the last has answered',
    from: 'waiting.length >= Math.min(writers, ENOUGH)',
    to: 'true',
  },
  {
    file: WRITE_QUEUE,
    guard: 'batches: none waits for a slow one',
    from: /isBusy = false\n\s+startSoon\(\)\n\s+\}, SLOW_MS/,
    to: '}, SLOW_MS',
  },
])

/** On PostgreSQL: SQLite writes them one by one. */
export const tipBatchMutations = guards(
  ['test/concurrency/tip-batches.test.ts'],
  [
    {
      file: 'src/communities/tip.ts',
      guard: 'batches: of two tips of an author on an outcome the first is written first',
      from: 'requests.toReversed()',
      to: '[...requests]',
    },
    {
      file: 'src/communities/tip-store.ts',
      guard: 'batches: a tip that finds a row locked waits alone',
      from: "tipKeyList.in('author_id')} order by id for share skip locked",
      to: "tipKeyList.in('author_id')} order by id for share",
    },
    {
      file: 'migrations/0149-counts-of-tips.postgres.sql',
      guard: 'batches: every tip of an author is counted',
      from: 'num_live + counted.tips',
      to: 'num_live + 1',
    },
  ],
  'postgres',
)
