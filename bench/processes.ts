// Starts the servers of the bench, each in a process of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { settings } from '../src/platform/config/settings.ts'

export type ServerProcess = {
  port: number
  pid: number
  /** From the start of the process until it listens. */
  readyAfterMs: number
  output(): string
  stop(): Promise<void>
}

export type ServiceProcess = ServerProcess & { operatorPort: number }

const OPERATOR_TOKEN = '3f9c0e7ab14d5286c8fe0a917d4b62e5'

/** `node:http` that answers `{}` to everything. */
export function startEmptyBaseline(): Promise<ServerProcess> {
  const code = `require('node:http').createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }); response.end('{}')
  }).listen(0, '127.0.0.1', function () { console.log('listens on http://127.0.0.1:' + this.address().port) })`
  return start(['-e', code], {})
}

/** The arguments of node in `npm start`. */
function serveArguments(root: string): string[] {
  const startScript: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.start
  return startScript
    .replace(/^.*scripts\/run\.js /, '')
    .split(' ')
    .map((word) => (word === 'src/main.ts' ? join(root, word) : word))
}

/** Options of Node in `npm start`. */
export const NODE_OPTIONS = serveArguments(pathOf('..')).filter((word) => word.startsWith('--'))

/** As a proxy that ends TLS passes them on. */
export const THROUGH_PROXY = { 'x-forwarded-proto': 'https' }
export const AS_OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}`, ...THROUGH_PROXY }

export type Mode = 'production' | 'sandbox'

/** Behind a proxy that ends TLS, with a gateway that no request reaches. */
const PRODUCTION = {
  ...{ MODE: 'production', TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_SECOND: '0', RATE_LIMIT_PER_MINUTE: '0' },
  ...{ GATEWAY: 'adyen', ADYEN_API_KEY: 'key', ADYEN_MERCHANT_ACCOUNT: 'account', ADYEN_HMAC_KEY: '0f'.repeat(32) },
  ADYEN_URL: 'https://1a2b-checkout-live.adyenpayments.com/checkout',
}
/** For what needs its gateway or its showcase. */
const SANDBOX = { TRUST_PROXY: '127.0.0.1' }

type StartOptions = { mode?: Mode; root?: string }

/** The service as operators run it, on a database of its own unless the settings name one. */
export async function startPaddock(
  given: Record<string, string>,
  { mode = 'production', root = pathOf('..') }: StartOptions = {},
): Promise<ServiceProcess> {
  const ofMode = mode === 'production' ? PRODUCTION : SANDBOX
  const settings = { PORT: '0', OPERATOR_PORT: '0', OPERATOR_TOKEN, ...ofMode, ...given }
  const service = await startInTemporaryFolder(serveArguments(root), settings)
  const operatorPort = Number(/operator listener is on https?:\/\/[^:]+:(\d+)/.exec(service.output())?.[1])
  return { ...service, operatorPort }
}

/** The sandbox gateway (`paddock gateway`). */
export function startGateway(root = pathOf('..')): Promise<ServerProcess> {
  return startInTemporaryFolder([join(root, 'src/main.ts'), 'gateway'], { SANDBOX_GATEWAY_PORT: '0' })
}

/** DATA_DIR is a new folder, removed at the end, unless the settings name one. */
async function startInTemporaryFolder(args: string[], settings: Record<string, string>): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
  cleanUpAtExit(() => rmSync(folder, { recursive: true, force: true }))
  const server = await start(args, { DATA_DIR: folder, ...settings })
  return {
    ...server,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function pathOf(file: string): string {
  return new URL(file, import.meta.url).pathname
}

/** Writes the output to a file: reading it through a pipe would cost the load generator time. */
export async function start(args: string[], environment: Record<string, string>): Promise<ServerProcess> {
  const output = join(mkdtempSync(join(tmpdir(), 'paddock-bench-')), 'output.log')
  const file = openSync(output, 'w')
  const startedAt = performance.now()
  // In another folder and without settings from the caller's environment or .env file, which must not be measured.
  const inherited = Object.entries(process.env).filter(([name]) => !Object.hasOwn(settings, name))
  const child = spawn(process.execPath, args, {
    cwd: dirname(output),
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', file, 'inherit'],
  })
  closeSync(file)
  cleanUpAtExit(() => {
    child.kill()
    rmSync(dirname(output), { recursive: true, force: true })
  })
  for (;;) {
    const text = readFileSync(output, 'utf8')
    const port = /listens on https?:\/\/[^:]+:(\d+)/.exec(text)?.[1]
    if (port !== undefined) {
      const readyAfterMs = performance.now() - startedAt
      return {
        port: Number(port),
        pid: child.pid as number,
        readyAfterMs,
        output: () => text,
        stop: () => stop(child, output),
      }
    }
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it listened:\n${text}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Runs however the bench ends: after an error, and after a signal, which bench.ts turns into an exit. */
export function cleanUpAtExit(end: () => unknown): void {
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
