#!/usr/bin/env node
// Checks the version of Node, then loads everything else. After the compile cache is enabled, so that a start strips types from
// changed files only, and compiles no others. Without a writable folder there is no cache, and starts are slower.

import { readFileSync } from 'node:fs'
// Imported as a namespace: an older Node lacks `enableCompileCache`, and would refuse to load this file.
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { nodeProblem } from './platform/runtime/node-version.ts'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const problem = nodeProblem(process.versions.node, engines.node)
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}

// Process 1 of a container receives only the signals that it handles: without these handlers, stopping the container while
// the service starts would wait for SIGKILL. The running service has handlers of its own.
if (process.pid === 1) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/paddock', import.meta.url)))
await import('./command-line.ts')
