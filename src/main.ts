#!/usr/bin/env node
// The process edge: arguments, environment, signals, exit code. Nothing else reads process.

import { existsSync } from 'node:fs'
import pino from 'pino'
import { type Command, UsageProblem } from './commands/command.ts'
import { makeToken, migrateDatabase } from './commands/database.ts'
import { sendFeed } from './commands/feed.ts'
import { seedWorld } from './commands/seed.ts'
import { type Config, ConfigProblems, readConfig } from './config.ts'
import { welcome } from './sandbox/welcome.ts'
import { startService } from './service.ts'

const USAGE = `Usage: paddock [command]

  serve             run the service (the default)
  migrate           bring the database's schema up to date
  token NAME ROLE   make an operator token and print it
  seed              fill an empty database with the sandbox's world
  feed FILE         send a file of newline-delimited JSON to the running service

Settings come from the environment and from a file .env beside where it is started; .env.example lists them all.`

const commands: Record<string, Command> = {
  migrate: migrateDatabase,
  token: makeToken,
  seed: seedWorld,
  feed: sendFeed,
}

const [name = 'serve', ...commandLine] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (name === 'serve') await atTheEdge(serve)
else if (command !== undefined) await atTheEdge(async (config) => console.log(await command(config, commandLine)))
else {
  console.error(USAGE)
  process.exitCode = name === '--help' || name === 'help' ? 0 : 2
}

async function atTheEdge(work: (config: Config) => Promise<void>): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    await work(readConfig(process.env))
  } catch (error) {
    const inPlainWords = error instanceof ConfigProblems || error instanceof UsageProblem
    console.error(inPlainWords ? error.message : startFailure(error))
    process.exitCode = 1
  }
}

async function serve(config: Config): Promise<void> {
  const destination = pino.destination({ fd: 1, sync: false, minLength: 16_000 })
  const log = pino({ level: config.logLevel, base: null, serializers: { err: errorInWords } }, destination)
  // Lines are written in batches; this is the longest that one waits.
  const flush = setInterval(() => destination.flush(), 500).unref()
  const service = await startService(config, { log })
  process.stdout.write(welcome(service))
  await stopSignal()
  await service.close()
  clearInterval(flush)
  destination.flushSync()
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/** Only what tells what went wrong: other properties of an error could hold what must not be logged. */
function errorInWords(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const cause = error.cause === undefined ? {} : { cause: errorInWords(error.cause) }
  return {
    type: error.name,
    message: error.message,
    code: (error as { code?: string }).code,
    stack: error.stack,
    ...cause,
  }
}

function startFailure(error: unknown): string {
  const { code, message, port } = error as { code?: string; message: string; port?: number }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Stop what uses it, or choose others: PORT=9080 OPERATOR_PORT=9081 npm start`
  }
  return `Paddock could not start: ${message}\n${(error as Error).stack ?? ''}`
}
