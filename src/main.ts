#!/usr/bin/env node
// Loads everything after the compile cache is enabled, so that a start strips types from changed files only, and compiles
// no others. Without a writable folder there is no cache, and starts are slower.

import { enableCompileCache } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

// Process 1 of a container receives only the signals that it handles: without these handlers, stopping the container while
// the service starts would wait for SIGKILL. The running service has handlers of its own.
if (process.pid === 1) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/paddock', import.meta.url)))
await import('./command-line.ts')
