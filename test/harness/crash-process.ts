// The service in a process that kills itself at a named point (crash-entry.ts), as the tests of crash points start it.

import { type ChildProcess, fork } from 'node:child_process'
import type { CrashMessage, CrashOrder } from './crash-orders.ts'
import { programEnvironment } from './program-environment.ts'
import { crashProgram } from './service-program.ts'

export function startCrashing(crashAt: string, settings: Record<string, string>): ChildProcess {
  return fork(crashProgram, {
    env: { ...programEnvironment, ...settings, CRASH_AT: crashAt },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

export function message(child: ChildProcess): Promise<CrashMessage> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`ended with ${code} before it sent a message`))
    child.once('exit', gone)
    child.once('message', (received: CrashMessage) => {
      child.off('exit', gone)
      resolve(received)
    })
  })
}

/** Sends an order and waits for the answer. Throws, if the process ends before. */
export function tell(child: ChildProcess, order: CrashOrder): Promise<CrashMessage> {
  const answered = message(child)
  // To a process that was killed meanwhile nothing is sent.
  child.send(order, () => {})
  return answered
}

/** The signal that ended it. One that goes on for a minute has missed its point, and is stopped. */
export async function ended(child: ChildProcess): Promise<string | null> {
  if (child.signalCode !== null || child.exitCode !== null) return child.signalCode
  const stopping = setTimeout(() => child.kill('SIGTERM'), 60_000)
  const signal = await new Promise<string | null>((resolve) => child.once('exit', (_code, by) => resolve(by)))
  clearTimeout(stopping)
  return signal
}
