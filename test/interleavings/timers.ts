// Timers of the service are steps too. Longer ones are time-outs of the driver.

import type { Gate } from './gate.ts'

const LONGEST_MS = 9_000

export function scheduleTimers(gate: Gate): void {
  const { setTimeout: startReal, clearTimeout: clearReal } = globalThis
  const cleared = new WeakSet<object>()
  const steps = new WeakMap<object, string>()
  let timers = 0

  function start(work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) {
    if (ms > LONGEST_MS) return startReal(work, ms, ...given)
    const timer = startReal(() => {}, 0)
    const name = `timer ${++timers} of ${ms < 1_000 ? 'less than a second' : 'seconds'}`
    steps.set(timer, name)
    void gate.step({ kind: 'timer', name, transaction: null }, () => {
      if (!cleared.has(timer)) work(...given)
    })
    return timer
  }

  function clear(timer: Parameters<typeof clearReal>[0]): void {
    clearReal(timer)
    if (typeof timer !== 'object' || timer === null) return
    cleared.add(timer)
    const name = steps.get(timer)
    if (name !== undefined) gate.forget((step) => step.name === name)
  }

  globalThis.setTimeout = Object.assign(start, { __promisify__: startReal.__promisify__ }) as typeof setTimeout
  globalThis.clearTimeout = clear
}
