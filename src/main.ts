#!/usr/bin/env node
// The process edge: arguments, environment, signals, exit code. Nothing else reads process.

import { existsSync } from 'node:fs'
import pino from 'pino'
import { ConfigProblems, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { welcome } from './sandbox/welcome.ts'
import { startService } from './service.ts'

const USAGE = `Usage: paddock [serve]

  serve   run the service (the default)

Settings come from the environment and from a file .env beside where it is started; .env.example lists them all.`

/** Lines are written in batches of this many characters; the longest that a line waits. */
const LOG_BATCH = 8_192
const LOG_WAITS_MS = 200

const command = process.argv[2] ?? 'serve'
if (command === 'serve') await serve()
else {
  console.error(USAGE)
  process.exitCode = command === '--help' || command === 'help' ? 0 : 2
}

async function serve(): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    const config = readConfig(process.env)
    const output = pino.destination({ fd: 1, sync: false })
    const log = createLog(config.logLevel, (text) => output.write(text), LOG_BATCH)
    const flush = setInterval(() => log.flush(), LOG_WAITS_MS).unref()
    const service = await startService(config, { log })
    process.stdout.write(welcome(service))
    await stopSignal()
    await service.close()
    clearInterval(flush)
    log.flush()
    output.flushSync()
  } catch (error) {
    console.error(error instanceof ConfigProblems ? error.message : startFailure(error))
    process.exitCode = 1
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

function startFailure(error: unknown): string {
  const { code, message, port } = error as { code?: string; message: string; port?: number }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Stop what uses it, or choose others: PORT=9080 OPERATOR_PORT=9081 npm start`
  }
  return `Paddock could not start: ${message}\n${(error as Error).stack ?? ''}`
}
