import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { programEnvironment } from '../harness/program-environment.ts'

export type Process = { kill(): Promise<void>; output(): string }

/** Starts a program and waits until it listens. `log`: a file that gets all of its output. */
export async function run(
  file: string,
  args: string[],
  environment: Record<string, string>,
  log?: string,
): Promise<Process> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...programEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk).slice(-100_000)
      if (log !== undefined) appendFileSync(log, chunk)
      if (output.includes('listens on')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output.slice(-2000)}`)))
  })
  return { kill: () => kill(child), output: () => output }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

export const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
