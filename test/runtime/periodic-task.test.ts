import { expect, test, vi } from 'vitest'
import { startPeriodicTask, startTask } from '../../src/platform/runtime/periodic-task.ts'

test('a task runs at once and repeatedly, never twice at the same time', async () => {
  let runs = 0
  let running = 0
  const work = async () => {
    expect(++running).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 3))
    running--
    runs++
  }
  const task = startPeriodicTask(work, { everyMs: 1, onFailure: () => {} })
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2))
  await task.close()
  const ended = runs
  expect(running).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(runs).toBe(ended)
})

test('a failed run is reported and repeated after its own pause', async () => {
  const onFailure = vi.fn()
  let runs = 0
  const work = async () => {
    if (++runs < 3) throw new Error(`run ${runs}`)
  }
  const task = startPeriodicTask(work, { everyMs: 3_600_000, afterFailureMs: 1, onFailure })
  await vi.waitFor(() => expect(runs).toBe(3))
  await task.close()
  expect(onFailure.mock.calls.map(([error]) => error.message)).toEqual(['run 1', 'run 2'])
})

test('closing aborts the run in progress, waits for it and reports no failure', async () => {
  const onFailure = vi.fn()
  let ended = false
  const work = (closing: AbortSignal) =>
    new Promise<void>((_, reject) => {
      closing.addEventListener('abort', () => {
        ended = true
        reject(closing.reason)
      })
    })
  const task = startPeriodicTask(work, { everyMs: 1, onFailure })
  await task.close()
  expect(ended).toBe(true)
  expect(onFailure).not.toHaveBeenCalled()
})

test('closing during the pause ends the task without waiting until it is needed', async () => {
  const untilNeeded = vi.fn(async () => {})
  const task = startTask(async () => {}, { everyMs: 3_600_000, onFailure: () => {} }, untilNeeded)
  await task.close()
  expect(untilNeeded).not.toHaveBeenCalled()
})
