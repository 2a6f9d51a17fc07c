import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'

export type Process = { kill(): Promise<void>; said(): string }

/** Starts a program and waits until it says that it listens. */
export async function run(file: string, args: string[], environment: Record<string, string>): Promise<Process> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said = (said + chunk).slice(-100_000)
      if (said.includes('listens on')) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${said.slice(-2000)}`)))
  })
  return { kill: () => killed(child), said: () => said }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

export const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
