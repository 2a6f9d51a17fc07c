import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type Running = { port: number; child: ChildProcess; stop(): Promise<void> }

/** A server that answers `{}` with nothing else in the way: the floor. */
export function startBare(): Promise<Running> {
  const code = `require('node:http').createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }); response.end('{}')
  }).listen(0, '127.0.0.1', function () { console.log('listens on http://127.0.0.1:' + this.address().port) })`
  return start(['-e', code], {})
}

/** The service as operators run it, in the sandbox, on a database of its own. */
export async function startPaddock(settings: Record<string, string>): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
  const main = new URL('../src/main.ts', import.meta.url).pathname
  const running = await start([main, 'serve'], { DATA_DIR: folder, PORT: '0', OPERATOR_PORT: '0', ...settings })
  return {
    ...running,
    async stop() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Its output goes to a file, as in production to a collector: reading it here would cost the load generator. */
async function start(args: string[], environment: Record<string, string>): Promise<Running> {
  const output = join(mkdtempSync(join(tmpdir(), 'paddock-bench-')), 'output.log')
  const file = openSync(output, 'w')
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', file, 'inherit'],
  })
  closeSync(file)
  for (;;) {
    const said = readFileSync(output, 'utf8')
    const port = /listens on https?:\/\/[^:]+:(\d+)/.exec(said)?.[1]
    if (port !== undefined) return { port: Number(port), child, stop: () => stop(child, output) }
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it listened:\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function stop(child: ChildProcess, output: string): Promise<void> {
  if (child.exitCode === null) {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  rmSync(dirname(output), { recursive: true, force: true })
}

/** Processor time that a process has used so far, in seconds: of use where other programs share the machine. */
export function cpuSeconds(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

export function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
