// The command line: arguments, environment, signals, exit code. Nothing else reads process.env.

import { existsSync, fstatSync, readFileSync, writeSync } from 'node:fs'
import packageFile from '../package.json' with { type: 'json' }
import { verifyAudit } from './commands/audit.ts'
import { backUp } from './commands/backup.ts'
import { type Command, CommandError, type CommandResult, UsageError } from './commands/command.ts'
import { createOperatorToken, migrateDatabase } from './commands/database.ts'
import { diagnose } from './commands/doctor.ts'
import { failureText } from './commands/failure.ts'
import { sendFeed } from './commands/feed.ts'
import { openGatewayProcess } from './commands/gateway.ts'
import { reconcileReport } from './commands/reconcile.ts'
import { restore } from './commands/restore.ts'
import { seedDatabase } from './commands/seed.ts'
import { lockDataFolder } from './commands/serve-lock.ts'
import { upgrade } from './commands/upgrade.ts'
import { commandNames, readArguments, usageOf, usageOfAll } from './commands/usage.ts'
import { verifyTipLog } from './commands/verify-log.ts'
import { welcome } from './commands/welcome.ts'
import { type Config, InvalidSettings, type ReadSettings, readConfig, readSettings } from './platform/config/config.ts'
import { checkEnvFile } from './platform/config/env-file.ts'
import { UpgradeRefused } from './platform/database/backup/before-migrations.ts'
import { OlderVersionRuns } from './platform/database/migrate.ts'
import { createLog, type Log } from './platform/observability/log.ts'
import { createMetrics } from './platform/observability/metrics.ts'
import { recentRequests } from './platform/observability/recent-requests.ts'
import { startService, startWorker } from './service.ts'
import {
  answerMetricRequests,
  answerRecentRequests,
  leave,
  reportFailure,
  stopRequested,
  workerNumber,
} from './workers/member.ts'
import { workerPool } from './workers/pool.ts'
import { supervisorShares } from './workers/shares.ts'
import { writeNotices } from './workers/write-notices.ts'

/**
 * The log is written synchronously in batches of this many bytes: 64 KiB take some 30 µs. A thread for it costs more (a third of
 * the requests per second, on two cores).
 */
const LOG_BATCH = 65_536
/** Several processes write to one pipe, which takes at most 4 KiB atomically. A file takes any length. */
const SHARED_LOG_BATCH = 3_072
const LOG_FLUSH_EVERY_MS = 200
const STANDARD_OUTPUT = 1
const RETRY_AFTER_MS = 5
const pause = new Int32Array(new SharedArrayBuffer(4))

const servers: Record<string, (config: Config) => Promise<void>> = { serve, gateway }
const commands: Record<string, Command> = {
  migrate: migrateDatabase,
  upgrade,
  token: createOperatorToken,
  seed: seedDatabase,
  feed: sendFeed,
  reconcile: reconcileReport,
  backup: backUp,
  restore,
  'verify-audit': verifyAudit,
  'verify-log': verifyTipLog,
}
const WRONG_USAGE = 2
/** Their messages say what to do. */
const FOR_CALLERS = [InvalidSettings, CommandError, UpgradeRefused, OlderVersionRuns]

const [name = 'serve', ...commandLine] = process.argv.slice(2)
if (isHelp(name) || name === 'help') console.log(usageOfAll())
else if (name === '--version') console.log(packageFile.version)
else if (!commandNames().includes(name)) refuse(`There is no command ${name}.`, usageOfAll())
else if (commandLine.some(isHelp)) console.log(usageOf(name))
else await run(name)

function isHelp(argument: string): boolean {
  return argument === '--help' || argument === '-h'
}

function refuse(why: string, usage: string): void {
  console.error(`${why}\n\n${usage}`)
  process.exitCode = WRONG_USAGE
}

async function run(name: string): Promise<void> {
  try {
    const [given, options] = readArguments(name, commandLine)
    const malformed = existsSync('.env') ? loadEnvFile() : []
    if (name === 'doctor') return leaveWith(await diagnose(withMistakes(readSettings(process.env), malformed), options))
    if (malformed.length > 0) throw new InvalidSettings(malformed)
    const config = readConfig(process.env)
    const server = servers[name]
    if (server !== undefined) await server(config)
    else print(await (commands[name] as Command)(config, given, options))
  } catch (error) {
    if (error instanceof UsageError) return refuse(error.message, usageOf(name))
    const isForCaller = FOR_CALLERS.some((one) => error instanceof one)
    console.error(isForCaller ? (error as Error).message : failureText(error, process.env))
    process.exitCode = error instanceof CommandError ? error.exitCode : 1
  }
}

/** Returns what is malformed in it. */
function loadEnvFile(): string[] {
  const { malformed, unknown } = checkEnvFile(readFileSync('.env', 'utf8'))
  if (workerNumber() === undefined) for (const line of unknown) console.error(line)
  process.loadEnvFile('.env')
  return malformed
}

function withMistakes({ config, problems }: ReadSettings, more: readonly string[]): ReadSettings {
  return { config, problems: [...more, ...problems] }
}

function print(outcome: string | CommandResult): void {
  console.log(typeof outcome === 'string' ? outcome : outcome.text)
  if (typeof outcome !== 'string') process.exitCode = outcome.exitCode
}

/** Also while a check that was given up waits for its answer. */
function leaveWith(outcome: CommandResult): void {
  print(outcome)
  process.stdout.write('', () => process.exit())
}

async function gateway(config: Config): Promise<void> {
  const running = await openGatewayProcess(config)
  const stop = stopSignal()
  process.stdout.write(`The sandbox gateway listens on ${running.url}\n`)
  await stop
  await running.close()
}

async function serve(config: Config): Promise<void> {
  const log = openLog(config)
  if (workerNumber() !== undefined) return serveAsWorker(config, log)
  const lock = lockDataFolder(config)
  const workers =
    config.workers === 1 ? undefined : workerPool({ wanted: config.workers, port: config.public.port, log })
  const service = await startService(config, { log, ...(workers === undefined ? {} : { workers }) })
  // Before the welcome is printed: on a busy machine a signal may arrive before the next line runs.
  const stop = stopSignal()
  process.stdout.write(welcome(service))
  await stop
  await service.close()
  lock.release()
}

async function serveAsWorker(config: Config, log: Log): Promise<void> {
  const stop = Promise.race([stopSignal(), stopRequested()])
  const metrics = createMetrics()
  const recent = recentRequests()
  answerMetricRequests(metrics)
  answerRecentRequests(recent)
  try {
    const shares = supervisorShares(config.workers)
    const service = await startWorker(config, { log, metrics, recent, writeNotices: writeNotices(), shares })
    await stop
    await service.close()
  } catch (error) {
    await reportFailure(error)
    process.exitCode = 1
  }
  leave()
}

function openLog(config: Config): Log {
  const batch = config.workers === 1 || fstatSync(STANDARD_OUTPUT).isFile() ? LOG_BATCH : SHARED_LOG_BATCH
  const log = createLog(config.logLevel, writeToOutput, batch, workerNumber())
  setInterval(() => log.flush(), LOG_FLUSH_EVERY_MS).unref()
  process.once('exit', () => log.flush())
  return log
}

/**
 * A pipe with a slow reader accepts a part, or nothing for now. If the reader is gone or the disk is full, the service
 * continues without its log.
 */
function writeToOutput(lines: Buffer): void {
  for (let written = 0; written < lines.length; ) {
    try {
      written += writeSync(STANDARD_OUTPUT, lines, written)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === undefined) throw error
      if (code !== 'EAGAIN') return
      Atomics.wait(pause, 0, 0, RETRY_AFTER_MS)
    }
  }
}

/**
 * SIGHUP is sent when the terminal closes. The listeners stay, because Ctrl-C arrives several times, from the terminal and
 * from npm, and a second signal without a listener would kill the process with requests unanswered.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.removeAllListeners(signal)
      process.on(signal, () => resolve())
    }
  })
}
