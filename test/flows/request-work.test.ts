// What a request costs beside its statements (costs.test.ts): the bytes that it allocates and how often its answer is written, in
// the sandbox and in production. A second rendering, or one of what nobody looks at, is seen here.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DataSet, type Engine, sqliteEngine } from '../../bench/data/data-sets.ts'
import { sizes } from '../../bench/data/sizes.ts'
import { type Inspector, inspected } from '../../bench/inspector.ts'
import { load } from '../../bench/load.ts'
import { type Call, type Operation, serviceRequest } from '../../bench/operations/operation.ts'
import { feeds, reads } from '../../bench/operations/reads.ts'
import { writes } from '../../bench/operations/writes.ts'
import { type Mode, type ServiceProcess, startPaddock } from '../../bench/processes.ts'
import { isEachChange } from '../harness/each-change.ts'

/** Kilobytes that a request may allocate: about twice what it did when this was written. */
const MOST_KILOBYTES = {
  'profile-ticket-xml': 24,
  followers: 100,
  'tips-of-profile': 220,
  follow: 40,
  'create-tip': 120,
}
const REQUESTS = 400
const WARM_UP_REQUESTS = 200
const SAMPLED_BYTES = 16_384

/** In the sandbox, what may be shown of an application's last requests is made once a second, so that a round has it or not. */
const SHOWN_IN_A_SECOND = 200
/** Times the most in production: with what is shown. */
const MOST_IN_SANDBOX = 2

const folder = mkdtempSync(join(tmpdir(), 'paddock-test-'))
let engine: Engine
let set: DataSet
const started: Partial<Record<Mode, { service: ServiceProcess; inspector: Inspector }>> = {}

beforeAll(async () => {
  engine = sqliteEngine(folder)
  ;({ set } = await engine.dataSet(sizes.tiny))
  for (const mode of ['production', 'sandbox'] as const) {
    const { settings, open } = await inspected()
    const location = await engine.scratch(sizes.tiny, mode)
    const service = await startPaddock({ ...location.settings, ...settings }, { mode })
    const inspector = await open(service.pid)
    started[mode] = { service, inspector }
    await inspector.send('HeapProfiler.enable')
    await inspector.send('Profiler.enable')
  }
})
afterAll(async () => {
  for (const { service, inspector } of Object.values(started)) {
    inspector.close()
    await service.stop()
  }
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

const inMode = (mode: Mode) => started[mode] as { service: ServiceProcess; inspector: Inspector }

/** Each mode has a database of its own, to which it sends each call once: a bet has one tip. */
const nextCalls = new Map<string, (connection: number) => Call>()

/** How many were sent. */
async function send({ name, calls, sequenceLength = 1 }: Operation, mode: Mode, wanted: number): Promise<number> {
  const key = `${name} ${mode}`
  const next = nextCalls.get(key) ?? calls(set, 2)
  if (next === undefined) throw new Error('the data set has nobody who sends it')
  nextCalls.set(key, next)
  let begun = 0
  const where = { host: '127.0.0.1', port: inMode(mode).service.port, connections: 2, seconds: 0, sequenceLength }
  const { requests, failures, failure } = await load({
    ...where,
    isOver: () => begun >= wanted,
    request: (connection) => {
      begun++
      return serviceRequest(next(connection))
    },
  })
  expect([failures, failure]).toEqual([0, ''])
  return requests
}

type Allocation = { selfSize: number; children: Allocation[] }
const bytesOf = ({ selfSize, children }: Allocation): number =>
  children.reduce((sum, child) => sum + bytesOf(child), selfSize)

/** An estimate from samples. */
async function kilobytesOf(operation: Operation, mode: Mode): Promise<number> {
  const { inspector } = inMode(mode)
  await send(operation, mode, WARM_UP_REQUESTS)
  await inspector.send('HeapProfiler.startSampling', {
    samplingInterval: SAMPLED_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  })
  const requests = await send(operation, mode, REQUESTS)
  const { profile } = await inspector.send('HeapProfiler.stopSampling')
  return bytesOf(profile.head) / requests / 1000
}

type Counted = { functions: { functionName: string; ranges: { count: number }[] }[] }

/** The writers are compiled (http/representation/compile.ts): in each script the last function writes the whole answer. */
function timesWritten(scripts: readonly Counted[]): number {
  const number = (name: string) => Number(/^write(\d+)$/.exec(name)?.[1] ?? -1)
  return scripts.reduce((sum, { functions }) => {
    const [last] = functions.toSorted((one, other) => number(other.functionName) - number(one.functionName))
    return last === undefined || number(last.functionName) < 0 ? sum : sum + (last.ranges[0]?.count ?? 0)
  }, 0)
}

/** How often answers were written for each request, and for how many seconds requests were sent. */
async function writingOf(operation: Operation, mode: Mode) {
  const { inspector } = inMode(mode)
  await inspector.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await inspector.send('Profiler.takePreciseCoverage')
  const since = performance.now()
  const requests = await send(operation, mode, REQUESTS)
  const { result } = await inspector.send('Profiler.takePreciseCoverage')
  await inspector.send('Profiler.stopPreciseCoverage')
  return { requests, written: timesWritten(result), seconds: (performance.now() - since) / 1000 }
}

const all = [...reads, ...feeds, ...writes].filter(({ name }) => Object.hasOwn(MOST_KILOBYTES, name))
/** One of each kind in `npm test`: a row in XML, a list in JSON, a write. */
const EACH_CHANGE = ['profile-ticket-xml', 'followers', 'follow']
const measured = isEachChange ? all.filter(({ name }) => EACH_CHANGE.includes(name)) : all

test('all of them exist', () => {
  expect(all.map(({ name }) => name)).toEqual(Object.keys(MOST_KILOBYTES))
})

test.each(measured)('$title allocates no more than it did, in the sandbox as in production', async (operation) => {
  const most = MOST_KILOBYTES[operation.name as keyof typeof MOST_KILOBYTES]
  const production = await kilobytesOf(operation, 'production')
  expect(production).toBeGreaterThan(1)
  expect(production).toBeLessThan(most)
  expect(await kilobytesOf(operation, 'sandbox')).toBeLessThan(most * MOST_IN_SANDBOX)
})

// An unfollow is answered without a document.
test.each(measured.filter(({ name }) => name !== 'follow'))('$title is written once', async (operation) => {
  const production = await writingOf(operation, 'production')
  expect(production.written).toBe(production.requests)
  const sandbox = await writingOf(operation, 'sandbox')
  expect(sandbox.written).toBeGreaterThanOrEqual(sandbox.requests)
  expect(sandbox.written).toBeLessThanOrEqual(sandbox.requests + SHOWN_IN_A_SECOND * (1 + sandbox.seconds))
})
