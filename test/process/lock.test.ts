// The lock of the installation: of commands that begin at the same time in a fresh clone, one installs.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDataFolder } from '../harness/data-folder.ts'

const lockModule = new URL('../../scripts/lock.js', import.meta.url).href

let folder: string
const started: ChildProcess[] = []

beforeEach(() => {
  folder = newDataFolder()
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A process that takes the lock, and keeps it until the file `go` is there. */
function startHolder() {
  const program = `
    import { existsSync } from 'node:fs'
    import { withLock } from '${lockModule}'
    const untilTold = () => {
      console.log('holds')
      while (!existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
    withLock('lock', untilTold, (pid) => console.log('waits for ' + pid))
    console.log('ended')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
  started.push(child)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.pipe(process.stderr)
  return { child, lines: () => output.trim().split('\n') }
}

test('a second process waits until the first has ended, and says so once', async () => {
  const first = startHolder()
  await expect.poll(first.lines).toEqual(['holds'])
  const second = startHolder()
  await expect.poll(second.lines).toEqual([`waits for ${first.child.pid}`])
  writeFileSync(join(folder, 'go'), '')
  await expect.poll(first.lines).toEqual(['holds', 'ended'])
  await expect.poll(second.lines).toEqual([`waits for ${first.child.pid}`, 'holds', 'ended'])
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('the lock of a process that was killed is taken over', async () => {
  const first = startHolder()
  await expect.poll(first.lines).toEqual(['holds'])
  const second = startHolder()
  await expect.poll(second.lines).toEqual([`waits for ${first.child.pid}`])
  first.child.kill('SIGKILL')
  await expect.poll(second.lines).toEqual([`waits for ${first.child.pid}`, 'holds'])
})

test('work that fails releases the lock', () => {
  const program = `
    import { withLock } from '${lockModule}'
    withLock('lock', () => { throw new Error('no network') }, () => {})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
  expect({ status, stderr: `${stderr}` }).toEqual({ status: 1, stderr: expect.stringContaining('no network') })
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})
