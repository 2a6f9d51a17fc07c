import { defineConfig } from 'vitest/config'

/** Suites that start the service: each runs on both engines. */
const ENGINE_SUITES = [
  'test/{contract,flows,concurrency,database,operator}/**/*.test.ts',
  'test/process/workers.test.ts',
]

/** Suites that look at the console in a real browser. */
const BROWSER_SUITES = 'test/browser/**/*.test.ts'

export default defineConfig({
  test: {
    // Two cores: more workers only take turns.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [...ENGINE_SUITES, BROWSER_SUITES] },
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
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: ['test/harness/postgres-setup.ts'],
        },
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
