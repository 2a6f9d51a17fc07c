// The processes of a run. Patroni detaches PostgreSQL, so they are found by their folder, not by their parent.

import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sleep } from '../torture/processes.ts'

/** PostgreSQL refuses to run as root; this is `nobody` everywhere. */
export const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

type Program = { command: string; args: string[]; folder: string; environment?: Record<string, string> }

/** Runs in its folder and writes its output to the file `output` there. */
export function startProgram({ command, args, folder, environment = {} }: Program): ChildProcess {
  const child = spawn(command, args, {
    ...UNPRIVILEGED,
    cwd: folder,
    // HAProxy is in /usr/sbin, which only root has in its path.
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, LANG: 'C.UTF-8', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C in a terminal is for this program, which ends the others in order.
    detached: true,
  })
  const output = createWriteStream(join(folder, 'output'), { flags: 'a' })
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  child.once('error', (error) => output.write(`${error}\n`))
  return child
}

/** All processes that run in this folder, or have it in their arguments or environment. */
export async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  const ours = await Promise.all(pids.map((pid) => belongsTo(folder, pid)))
  return pids.filter((_, index) => ours[index]).map(Number)
}

/** Not synchronously: reading about a process that is ending takes time, in which the load would stand still. */
async function belongsTo(folder: string, pid: string): Promise<boolean> {
  try {
    const texts = [
      readlink(`/proc/${pid}/cwd`),
      ...['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    ]
    return (await Promise.all(texts)).some((text) => new RegExp(`${folder}([/\0]|$)`).test(text))
  } catch {
    // It has ended, or belongs to somebody else.
    return false
  }
}

export async function signalAll(folder: string, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await processesIn(folder)) sendSignal(pid, signal)
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** Until none is left: one that starts meanwhile is killed too. */
export async function killAll(folder: string): Promise<void> {
  for (;;) {
    const pids = await processesIn(folder)
    if (pids.length === 0) return
    for (const pid of pids) sendSignal(pid, 'SIGKILL')
    await sleep(50)
  }
}
