// What the process itself costs: start, memory, and more than one worker.

import { type Figure, figureOf } from '../comparison.ts'
import type { DataSet, Place } from '../data/data-sets.ts'
import { newCollector } from '../garbage-collection.ts'
import { load } from '../load.ts'
import type { Pace } from '../measure.ts'
import { CONNECTIONS, serviceRequest } from '../operations/operation.ts'
import { profileWithTicket, reads } from '../operations/reads.ts'
import { cpuSeconds, memoryOf, type RunningService, startPaddock } from '../processes.ts'

/** From the start of the process to the first moment that it listens, in milliseconds, on a database that is there. */
export async function measureStart(place: Place, rounds: number): Promise<Figure> {
  const times: number[] = []
  for (let count = 0; count <= rounds; count++) {
    const service = await startPaddock(place.settings)
    // The first one brings files into memory.
    if (count > 0) times.push(service.readyAfterMs)
    await service.stop()
  }
  return figureOf(times)
}

/**
 * Megabytes: idle after the start, then after each quarter of an hour's worth of requests and of the collector's work,
 * which otherwise comes when it comes.
 */
export type Memory = { idle: number; requests: number; after: number[]; most: number }

const REQUESTS_PER_SECOND = 50
const HOUR_S = 3_600
const QUARTERS = 4

export async function measureMemory(place: Place, set: DataSet, share: number): Promise<Memory> {
  const collector = await newCollector()
  const service = await startPaddock({ ...place.settings, ...collector.settings })
  try {
    await rest()
    const idle = memoryOf(service.pid)
    const requests = Math.round(REQUESTS_PER_SECOND * HOUR_S * share)
    const calls = reads.flatMap((operation) => operation.calls(set) ?? [])
    let turn = 0
    const request = (connection: number) => {
      const next = calls[turn++ % calls.length] as (typeof calls)[number]
      return serviceRequest(next(connection))
    }
    const after: number[] = []
    let most = 0
    for (let quarter = 1; quarter <= QUARTERS; quarter++) {
      const isOver = () => turn >= (requests * quarter) / QUARTERS
      await load({ host: '127.0.0.1', port: service.port, connections: CONNECTIONS, seconds: 0, request, isOver })
      most = Math.max(most, memoryOf(service.pid))
      await collector.collect(service.pid)
      await rest()
      after.push(memoryOf(service.pid))
    }
    return { idle, requests, after, most }
  } finally {
    await service.stop()
  }
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000))
}

/**
 * Requests for each second of the service's processor time: of one worker alone, of two services of one worker each at
 * the same time, and of one service with two. A process that has a processor to itself, and its caches, does more with a
 * second than one that shares; so what two workers cost is seen beside two services that share nothing.
 */
export type Workers = { alone: Figure; apart: Figure; two: Figure; ratio: Figure; ratioToAlone: Figure }

/** Code is compiled on what it has seen; each process sees half of the requests. */
const WARM_UP_SECONDS = 2

export async function measureWorkers(place: Place, set: DataSet, { seconds, rounds }: Pace): Promise<Workers | null> {
  const calls = profileWithTicket.calls(set)
  if (calls === undefined) return null
  const start = (workers: number) => startPaddock({ ...place.settings, WORKERS: `${workers}` })
  // None has compiled more than another: the one alone is none of the two.
  const [one, left, right, two] = [await start(1), await start(1), await start(1), await start(2)]
  const request = (connection: number) => serviceRequest(calls(connection))
  /** All at once, each with its share of the connections. */
  const perCpuSecond = async (...services: RunningService[]) => {
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
