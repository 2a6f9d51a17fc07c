// A lock between processes on one machine: a file that has the id of the process that holds it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const POLL_MS = 200

/** Runs `work` while no other process does. `onWait` is called once with the process that is waited for. */
export function withLock(file, work, onWait) {
  acquire(file, onWait)
  try {
    return work()
  } finally {
    rmSync(file, { force: true })
  }
}

function acquire(file, onWait) {
  for (let waiting = false; !create(file); waiting = true) {
    const holder = holderOf(file)
    if (holder === undefined) rmSync(file, { force: true })
    else {
      if (!waiting) onWait(holder)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
    }
  }
}

function create(file) {
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** undefined: it was killed, or has just finished. */
function holderOf(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'))
    return isAlive(holder) ? holder : undefined
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // One of another user's.
    return error.code === 'EPERM'
  }
}
