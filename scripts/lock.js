// A lock between processes on one machine: a file that has the id of the process that holds it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const POLL_MS = 200

/** Runs `work` while no other process does. `onWait` is called with each process that is waited for. */
export function withLock(file, work, onWait) {
  acquire(file, onWait)
  try {
    return work()
  } finally {
    rmSync(file, { force: true })
  }
}

function acquire(file, onWait) {
  let waitedFor
  while (!create(file)) {
    const holder = holderOf(file)
    if (holder === undefined) continue
    if (!isAlive(holder)) rmSync(file, { force: true })
    else {
      if (holder !== waitedFor) onWait(holder)
      waitedFor = holder
      sleep(POLL_MS)
    }
  }
}

/** Without a promise: the callers are synchronous. */
function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
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

/** undefined: it has just finished. */
function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8'))
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
