import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { settings } from '../src/config/settings.ts'

export type Running = {
  port: number
  pid: number
  /** From the start of the process to its first word that it listens. */
  readyAfterMs: number
  said(): string
  stop(): Promise<void>
}

/** The service, with its operator's side. */
export type RunningService = Running & { operatorPort: number }

export const OPERATOR_TOKEN = 'bench-operator-token-0123456789'

/** A server that answers `{}` with nothing else in the way. */
export function startBare(): Promise<Running> {
  const code = `require('node:http').createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }); response.end('{}')
  }).listen(0, '127.0.0.1', function () { console.log('listens on http://127.0.0.1:' + this.address().port) })`
  return start(['-e', code], {})
}

/** The arguments of node in `npm start`. */
const startScript: string = JSON.parse(readFileSync(pathOf('../package.json'), 'utf8')).scripts.start
const SERVE = startScript
  .replace(/^.*scripts\/run\.js /, '')
  .split(' ')
  .map((word) => (word === 'src/main.ts' ? pathOf('../src/main.ts') : word))

/** The service as operators run it, in the sandbox, on a database of its own unless the settings name one. */
export async function startPaddock(given: Record<string, string>): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
  const running = await start(SERVE, {
    DATA_DIR: folder,
    PORT: '0',
    OPERATOR_PORT: '0',
    OPERATOR_TOKEN,
    ...given,
  })
  const operatorPort = Number(/operator listener is on https?:\/\/[^:]+:(\d+)/.exec(running.said())?.[1])
  return {
    ...running,
    operatorPort,
    async stop() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The sandbox's bank, as a process of its own. */
export async function startGateway(): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
  const running = await start([pathOf('../src/main.ts'), 'gateway'], { DATA_DIR: folder, SANDBOX_GATEWAY_PORT: '0' })
  return {
    ...running,
    async stop() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function pathOf(file: string): string {
  return new URL(file, import.meta.url).pathname
}

/** Its output goes to a file, as in production to a collector: reading it here would cost the load generator. */
export async function start(args: string[], environment: Record<string, string>): Promise<Running> {
  const output = join(mkdtempSync(join(tmpdir(), 'paddock-bench-')), 'output.log')
  const file = openSync(output, 'w')
  const begun = performance.now()
  // Elsewhere, and without the settings of whoever asks: neither their environment nor their .env is measured.
  const inherited = Object.entries(process.env).filter(([name]) => !Object.hasOwn(settings, name))
  const child = spawn(process.execPath, args, {
    cwd: dirname(output),
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', file, 'inherit'],
  })
  closeSync(file)
  endWithUs(() => {
    child.kill()
    rmSync(dirname(output), { recursive: true, force: true })
  })
  for (;;) {
    const said = readFileSync(output, 'utf8')
    const port = /listens on https?:\/\/[^:]+:(\d+)/.exec(said)?.[1]
    if (port !== undefined) {
      const readyAfterMs = performance.now() - begun
      return {
        port: Number(port),
        pid: child.pid as number,
        readyAfterMs,
        said: () => said,
        stop: () => stop(child, output),
      }
    }
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it listened:\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Whatever ends the bench also ends what it started: an error too, and a signal (bench.ts makes an exit of it). */
export function endWithUs(end: () => unknown): void {
  process.setMaxListeners(0)
  process.once('exit', end)
}

async function stop(child: ChildProcess, output: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  rmSync(dirname(output), { recursive: true, force: true })
}

/**
 * Processor time that the threads of a process and of all that it started have used so far, in seconds. Of those that run:
 * /proc/PID/stat also counts those that ended, but in hundredths of a second, which is too coarse for a short round.
 */
export function cpuSeconds(pid: number): number {
  return nanosecondsOf(pid) / 1e9
}

function nanosecondsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ofThread(pid, thread), 0)
  } catch (error) {
    // It ended between two looks.
    if (['ENOENT', 'ESRCH'].includes((error as { code?: string }).code ?? '')) return 0
    throw error
  }
}

function ofThread(pid: number, thread: string): number {
  const [used] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
  const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + nanosecondsOf(Number(child)), Number(used))
}

/** Resident memory of a process, in megabytes. */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Between two values, in proportion. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const place = (sorted.length - 1) * share
  const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
  return below + (above - below) * (place - Math.floor(place))
}
