// Plays faults on a PostgreSQL cluster under the service: `npm run failover -- --help`.

import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { oneOf, positiveNumber, readCommandLine } from '../../scripts/command-line.js'
import { freePort } from '../harness/free-port.ts'
import { run } from '../torture/processes.ts'
import { type Cluster, createCluster } from './cluster.ts'
import { type Fault, faults, prepareCluster } from './faults.ts'
import { installPackages, missingPackages, PACKAGES, postgresPrograms } from './packages.ts'
import { playFault } from './play.ts'
import { killAll } from './processes.ts'
import { newFolder, removeFolder, temporaryFolder } from './programs.ts'
import { printTable, type Result } from './report.ts'

const NOT_RUN = 2
const INTERRUPTED = 130

const USAGE = `Usage: npm run failover -- [options]

  Builds a cluster (three PostgreSQL servers under Patroni, etcd, HAProxy) in a temporary folder, runs two instances of the
  service on it under load, and plays faults one after the other, in about ten minutes. Exit code 1: a promise was
  broken, 2: it could not be run.

  --only FAULT     only this fault; may be repeated
  --seconds N      how long the load runs before and after each fault (5)
  --stale N        with STALE_READS_UP_TO_SECONDS=N: replicas answer reads while the primary is away (0: off)
  --pgbouncer      the first instance connects through pgBouncer, in front of HAProxy
  --logs FOLDER    copies the output of all programs to this folder
  --install        installs the packages that are missing with apt-get (as root)
  --help

  Packages of Debian or Ubuntu: ${PACKAGES.join(', ')}; with --pgbouncer also pgbouncer.

  Faults:
${faults.map(({ name, meaning }) => `    ${name.padEnd(13)}  ${meaning}`).join('\n')}`

type Options = {
  chosen: Fault[]
  seconds: number
  stale: number
  pgbouncer: boolean
  install: boolean
  logs: string | undefined
}

const options: Options = readCommandLine(USAGE, (args) => {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: '5' },
      stale: { type: 'string', default: '0' },
      pgbouncer: { type: 'boolean', default: false },
      logs: { type: 'string' },
      install: { type: 'boolean', default: false },
    },
  })
  const names = faults.map(({ name }) => name)
  for (const name of values.only) oneOf('--only', name, names)
  const { only, pgbouncer, install, logs } = values
  const chosen = faults.filter(({ name }) => only.length === 0 || only.includes(name))
  const stale = values.stale === '0' ? 0 : positiveNumber('--stale', values.stale)
  return { chosen, seconds: positiveNumber('--seconds', values.seconds), stale, pgbouncer, install, logs }
})

const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)

/** null: everything is there. */
function prepareMachine({ pgbouncer, install }: Options): string | null {
  const missing = missingPackages(pgbouncer)
  if (missing.length === 0) return null
  const command = `apt-get install --no-install-recommends ${missing.join(' ')}`
  if (!install) return `Packages are missing. As root run: ${command}\nor let this script do it: --install`
  say(command)
  const problem = installPackages(missing)
  if (problem !== null) return problem
  const still = missingPackages(pgbouncer)
  return still.length === 0 ? null : `Still missing after the installation: ${still.join(', ')}`
}

/** Everything runs in the temporary folder; ending removes it and every process in it. */
async function playAll(options: Options, results: Result[]): Promise<void> {
  const folder = temporaryFolder()
  const end = async (): Promise<void> => {
    await killAll(folder)
    if (options.logs !== undefined) copyLogs(folder, options.logs)
    removeFolder(folder)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void end().finally(() => process.exit(INTERRUPTED)))
    process.on(signal, () => {})
  }
  try {
    await playOn(folder, options, results)
  } finally {
    await end()
  }
}

/** The logs of the service, and the output of the other programs as NAME.output. */
function copyLogs(folder: string, target: string): void {
  mkdirSync(target, { recursive: true })
  for (const name of readdirSync(folder)) {
    const output = join(folder, name, 'output')
    if (name.endsWith('.log')) copyFileSync(join(folder, name), join(target, name))
    else if (existsSync(output)) copyFileSync(output, join(target, `${name}.output`))
  }
}

async function playOn(
  folder: string,
  { chosen, seconds, stale, pgbouncer }: Options,
  results: Result[],
): Promise<void> {
  const { version, binFolder } = postgresPrograms()
  say(`starting PostgreSQL ${version}, Patroni, etcd and HAProxy${pgbouncer ? ', pgBouncer' : ''} in ${folder}`)
  const cluster: Cluster = await createCluster({ folder, binFolder, throughPgBouncer: pgbouncer })
  await prepareCluster(cluster, 'synchronous')
  const bankPort = await freePort()
  await run(new URL('../../src/main.ts', import.meta.url).pathname, ['gateway'], {
    DATA_DIR: newFolder(folder, 'bank'),
    SANDBOX_GATEWAY_PORT: `${bankPort}`,
  })
  for (const fault of chosen) {
    say(`${fault.name}: ${fault.meaning}`)
    const stage = { cluster, folder, seconds, staleSeconds: stale, bankUrl: `http://127.0.0.1:${bankPort}`, say }
    results.push(await playFault(fault, stage))
  }
}

async function main(): Promise<number> {
  const problem = prepareMachine(options)
  if (problem !== null) {
    console.error(problem)
    return NOT_RUN
  }
  const results: Result[] = []
  const failure = await playAll(options, results).catch((error: Error) => error)
  if (results.length > 0) printTable(results)
  if (failure instanceof Error) console.error(`The run could not be finished: ${failure.message}`)
  if (results.some(({ broken }) => broken.length > 0)) return 1
  return failure instanceof Error ? NOT_RUN : 0
}

process.exit(await main())
