// Measures the process itself: its start, its memory, and the cost of a second worker.

import type { DataLocation, DataSet } from '../data/data-sets.ts'
import { remoteCollector } from '../garbage-collection.ts'
import { load } from '../load.ts'
import type { Pace } from '../measure.ts'
import { CONNECTIONS, serviceRequest } from '../operations/operation.ts'
import { profileWithTicket, reads } from '../operations/reads.ts'
import { type ServiceProcess, startPaddock } from '../processes.ts'
import { cpuSeconds, residentMegabytes } from '../resource-usage.ts'
import { type Figure, figureOf } from '../statistics.ts'

/** Milliseconds from the start of the process until it listens, on an existing database. */
export async function measureStart(location: DataLocation, rounds: number): Promise<Figure> {
  const times: number[] = []
  for (let count = 0; count <= rounds; count++) {
    const service = await startPaddock(location.settings)
    // The first start reads the files from disk.
    if (count > 0) times.push(service.readyAfterMs)
    await service.stop()
  }
  return figureOf(times)
}

/** Megabytes: idle after the start, then after each quarter of an hour's worth of requests and a garbage collection. */
export type Memory = { idle: number; requests: number; after: number[]; peak: number }

const REQUESTS_PER_SECOND = 50
const HOUR_S = 3_600
const QUARTERS = 4

export async function measureMemory(location: DataLocation, set: DataSet, share: number): Promise<Memory> {
  const collector = await remoteCollector()
  const service = await startPaddock({ ...location.settings, ...collector.settings })
  try {
    await pause()
    const idle = residentMegabytes(service.pid)
    const requests = Math.round(REQUESTS_PER_SECOND * HOUR_S * share)
    const calls = reads.flatMap((operation) => operation.calls(set) ?? [])
    let sent = 0
    const request = (connection: number) => {
      const next = calls[sent++ % calls.length] as (typeof calls)[number]
      return serviceRequest(next(connection))
    }
    const after: number[] = []
    let peak = 0
    for (let quarter = 1; quarter <= QUARTERS; quarter++) {
      const isOver = () => sent >= (requests * quarter) / QUARTERS
      await load({ host: '127.0.0.1', port: service.port, connections: CONNECTIONS, seconds: 0, request, isOver })
      peak = Math.max(peak, residentMegabytes(service.pid))
      await collector.collect(service.pid)
      await pause()
      after.push(residentMegabytes(service.pid))
    }
    return { idle, requests, after, peak }
  } finally {
    await service.stop()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000))
}

/**
 * Requests per second of the service's processor time: one worker alone, two services of one worker each at the same
 * time, one service with two workers. A process that has a processor and its caches to itself does more in a second, so
 * two workers are compared with two services.
 */
export type Workers = { alone: Figure; apart: Figure; two: Figure; ratio: Figure; ratioToAlone: Figure }

/** Each process gets only half of the requests, and must compile its code by them. */
const WARM_UP_SECONDS = 2

export async function measureWorkers(
  location: DataLocation,
  set: DataSet,
  { seconds, rounds }: Pace,
): Promise<Workers | null> {
  const calls = profileWithTicket.calls(set)
  if (calls === undefined) return null
  const start = (workers: number) => startPaddock({ ...location.settings, WORKERS: `${workers}` })
  // The one alone is not one of the two, so that all have served about as much.
  const [one, left, right, two] = [await start(1), await start(1), await start(1), await start(2)]
  const request = (connection: number) => serviceRequest(calls(connection))
  /** All at the same time, each with its share of the connections. */
  const perCpuSecond = async (...services: ServiceProcess[]) => {
    const used = () => services.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
    const connections = CONNECTIONS / services.length
    const before = used()
    const loads = services.map(({ port }) => load({ host: '127.0.0.1', port, connections, seconds, request }))
    const requests = (await Promise.all(loads)).reduce((sum, measured) => sum + measured.requests, 0)
    return requests / (used() - before)
  }
  const figures: { alone: number; apart: number; two: number }[] = []
  try {
    const warmUp = Math.min(rounds, Math.ceil(WARM_UP_SECONDS / seconds))
    for (let count = -warmUp; count < rounds; count++) {
      const alone = await perCpuSecond(one)
      const figure = { alone, apart: await perCpuSecond(left, right), two: await perCpuSecond(two) }
      if (count >= 0) figures.push(figure)
    }
  } finally {
    for (const service of [one, left, right, two]) await service.stop()
  }
  return {
    alone: figureOf(figures.map(({ alone }) => alone)),
    apart: figureOf(figures.map(({ apart }) => apart)),
    two: figureOf(figures.map(({ two }) => two)),
    ratio: figureOf(figures.map(({ apart, two }) => two / apart)),
    ratioToAlone: figureOf(figures.map(({ alone, two }) => two / alone)),
  }
}
