#!/usr/bin/env node
// Everything is loaded after the compile cache is switched on: a start then takes types out of no file and compiles none,
// unless it has changed. A folder that cannot be written is no problem; the next start is merely no faster.

import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/paddock', import.meta.url)))
await import('./command-line.ts')
