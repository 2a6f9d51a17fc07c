import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Suites that start the service: each runs on both engines. */
const ENGINE_SUITES = [
  'test/{appeals,client,contract,flows,concurrency,database,operator,events,webhooks,stream,mutes,notifications,record,review,sandbox,search,tip-log}/**/*.test.ts',
  'test/process/workers.test.ts',
]

/** Needs what only PostgreSQL 18 has: statistics that can be set, and generic plans. */
const PLAN_SUITE = 'test/database/plans.test.ts'

/**
 * They test documents, roles, requests, connections and receivers, whatever the engine is: on SQLite only. On PostgreSQL
 * test/operator/audit.test.ts calls every operation of the operator API.
 */
const ONE_ENGINE_SUITES = [
  'test/client/{readme,stream,walk,webhooks}.test.ts',
  'test/flows/reference-examples.test.ts',
  'test/sandbox/script.test.ts',
  'test/operator/{application-requests,examples,openapi,reference,requests,roles,schema}.test.ts',
  'test/stream/ends.test.ts',
  'test/webhooks/{addresses,documented-receiver,misbehaviour}.test.ts',
  // Formats and computations, in which the database has no part.
  'test/contract/representation.test.ts',
  'test/record/figures.test.ts',
  'test/tip-log/{merkle,other-language}.test.ts',
]

/** Suites that look at the console in a real browser. */
const BROWSER_SUITES = 'test/browser/**/*.test.ts'

/** Packs, and installs from the registry. */
const PACKAGE_SUITE = 'test/process/package.test.ts'

export default defineConfig({
  test: {
    reporters: ['default', './test/harness/run-summary.ts'],
    setupFiles: ['test/harness/processor-time.ts'],
    // More than there are processors: the suites also wait, for processes and timers. With one more, a quarter of two was idle.
    maxWorkers: availableParallelism() + 2,
    // Files share a process, and so the loaded service: loading it for each of 23 took 28 of 69 seconds of CPU.
    isolate: false,
    // No test asserts a time: on a slow or busy machine they take longer, and pass.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // In CI one more try, reported at the end. Not for properties: a second try has other random data, and hides a fault.
    retry: process.env.CI ? { count: 1, condition: /^(?!Property failed)/ } : 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...ENGINE_SUITES, BROWSER_SUITES, PACKAGE_SUITE],
        },
      },
      {
        extends: true,
        test: { name: 'sqlite', include: ENGINE_SUITES, env: { TEST_ENGINE: 'sqlite' } },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ENGINE_SUITES,
          exclude: [...ONE_ENGINE_SUITES, ...(process.env.TEST_DATABASE_URL ? [PLAN_SUITE] : [])],
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: ['test/harness/postgres-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'package', include: [PACKAGE_SUITE] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [BROWSER_SUITES],
          env: { TEST_ENGINE: 'sqlite' },
          globalSetup: ['test/harness/browser-setup.ts'],
        },
      },
    ],
  },
})
