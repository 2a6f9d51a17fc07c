#!/usr/bin/env node
// Everything is loaded after the compile cache is switched on: a start then takes types out of no file and compiles none,
// unless it has changed. A folder that cannot be written is no problem; the next start is merely no faster.

import { enableCompileCache } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

// The first process of a container gets only the signals that it listens for: a stop while the service starts waited for
// SIGKILL. Once it runs, it listens in its own way.
if (process.pid === 1) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/paddock', import.meta.url)))
await import('./command-line.ts')
