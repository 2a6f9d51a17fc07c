// What the process itself costs: start, memory, and more than one worker.

import { settings } from '../../src/settings.ts'
import type { DataSet, Place } from '../data/kept.ts'
import { load } from '../load.ts'
import { type Figure, figureOf, type Pace } from '../measure.ts'
import { CONNECTIONS, serviceRequest } from '../operations/operation.ts'
import { profileWithTicket, reads } from '../operations/reads.ts'
import { cpuSeconds, memoryOf, startPaddock } from '../processes.ts'

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

/** Megabytes: idle after the start, then after each quarter of an hour's worth of requests. */
export type Memory = { idle: number; requests: number; after: number[] }

const REQUESTS_PER_SECOND = 50
const HOUR_S = 3_600
const QUARTERS = 4

export async function measureMemory(place: Place, set: DataSet, share: number): Promise<Memory> {
  const service = await startPaddock(place.settings)
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
    for (let quarter = 1; quarter <= QUARTERS; quarter++) {
      const isOver = () => turn >= (requests * quarter) / QUARTERS
      await load({ host: '127.0.0.1', port: service.port, connections: CONNECTIONS, seconds: 0, request, isOver })
      await rest()
      after.push(memoryOf(service.pid))
    }
    return { idle, requests, after }
  } finally {
    await service.stop()
  }
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000))
}

/** Requests for each second of the service's processor time, with one worker and with two. */
export type Workers = { one: Figure; two: Figure; ratio: Figure }

/** null: this version has no such setting. */
export async function measureWorkers(place: Place, set: DataSet, { seconds, rounds }: Pace): Promise<Workers | null> {
  if (!Object.hasOwn(settings, 'WORKERS')) return null
  const calls = profileWithTicket.calls(set)
  if (calls === undefined) return null
  const one = await startPaddock({ ...place.settings, WORKERS: '1' })
  const two = await startPaddock({ ...place.settings, WORKERS: '2' })
  const request = (connection: number) => serviceRequest(calls(connection))
  const figures: [number[], number[]] = [[], []]
  try {
    for (let count = 0; count <= rounds; count++) {
      for (const [which, { port, pid }] of [one, two].entries()) {
        const before = cpuSeconds(pid)
        const { requests } = await load({ host: '127.0.0.1', port, connections: CONNECTIONS, seconds, request })
        // The first one warms up.
        if (count > 0) figures[which as 0 | 1].push(requests / (cpuSeconds(pid) - before))
      }
    }
  } finally {
    await one.stop()
    await two.stop()
  }
  const ratio = figureOf(figures[1].map((value, place) => value / (figures[0][place] ?? 1)))
  return { one: figureOf(figures[0]), two: figureOf(figures[1]), ratio }
}
