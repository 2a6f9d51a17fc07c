import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SuiteOrder } from './test/harness/suite-order.ts'
import {
  BROWSER_IN_EACH_CHANGE,
  BROWSER_SUITES,
  ENGINE_SUITES,
  ON_POSTGRES_IN_ALL,
  ON_SQLITE_IN_ALL,
  ONE_ENGINE_SUITES,
  ONLY_IN_ALL,
  PACKAGE_SUITE,
  PLAN_SUITE,
} from './test/suites.ts'

/** `npm test` sets it (scripts/test.js). Everything else, `npm run vitest` too, finds every suite on every engine. */
const eachChange = process.env.TEST_SUITES === 'each-change'
const left = eachChange ? ONLY_IN_ALL : []

export default defineConfig({
  test: {
    reporters: ['default', './test/harness/run-summary.ts'],
    slowTestThreshold: 5_000,
    setupFiles: ['test/harness/processor-time.ts', 'test/harness/cheap-passwords.ts'],
    // Suites also wait, for timers and processes. `npm test` has its own numbers (scripts/test.js).
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SuiteOrder },
    // Files share a process, and so the loaded service: loading it for each of 23 took 28 of 69 seconds of CPU.
    isolate: false,
    // Node loads the sources itself, as it does outside of tests: nothing is mocked, so that nothing needs Vite's transformation.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // No test asserts a time: on a slow or busy machine they take longer, and pass.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // In CI one more try, reported at the end. Not for properties: a second try has other random data, and hides a fault.
    retry: process.env.CI ? { count: 1, condition: /^(?!Property failed)/ } : 0,
    projects: [
      {
        extends: true,
        test: {
          // With those that have no database: a project of their own would start its own workers.
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: [BROWSER_SUITES, PACKAGE_SUITE, ...left, ...(eachChange ? ON_SQLITE_IN_ALL : [])],
          env: { TEST_ENGINE: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ENGINE_SUITES,
          exclude: [
            ...ONE_ENGINE_SUITES,
            ...left,
            ...(eachChange ? ON_POSTGRES_IN_ALL : []),
            ...(process.env.TEST_DATABASE_URL ? [PLAN_SUITE] : []),
          ],
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: ['test/harness/postgres-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'package', include: [PACKAGE_SUITE], exclude: left },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: eachChange ? BROWSER_IN_EACH_CHANGE : [BROWSER_SUITES],
          env: { TEST_ENGINE: 'sqlite' },
          globalSetup: ['test/harness/browser-setup.ts'],
        },
      },
    ],
  },
})
