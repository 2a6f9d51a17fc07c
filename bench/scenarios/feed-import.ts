// How many lines of the feed are applied in a second: events, each with a market of three outcomes.

import { compared, type Result, type Round, type Turn, withCost } from '../comparison.ts'
import type { EngineName } from '../data/data-sets.ts'
import type { Servers } from '../measure.ts'
import { OPERATOR_TOKEN, type Running } from '../processes.ts'

const FIRST_ID = 10_000_000

export async function measureImport(
  { service, floor, databasePid }: Servers,
  engine: EngineName,
  lines: number,
  rounds: number,
): Promise<Result> {
  let next = FIRST_ID
  const feed = () => {
    const body = Array.from({ length: lines }, () => eventLine(next++)).join('\n')
    return { body: `${body}\n`, method: 'POST' }
  }
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/x-ndjson' }
  const toService = `http://127.0.0.1:${service.operatorPort}/operator/v1/feed`
  const toFloor = `http://127.0.0.1:${floor?.port}/import`
  const turns: Turn[] = []
  for (let count = 0; count <= rounds; count++) {
    const here = await round(service, databasePid, lines, () => send(toService, { ...feed(), headers }, lines))
    const there = floor === null ? null : await round(floor, databasePid, lines, () => send(toFloor, feed(), lines))
    // The first one warms up.
    if (count > 0) turns.push({ service: here, floor: there })
  }
  return { name: 'import', what: 'feed import, each line', engine, statements: null, ...compared(turns) }
}

async function send(url: string, request: RequestInit, lines: number): Promise<void> {
  const reply = await fetch(url, request)
  const report = (await reply.json()) as { lines?: number; refused?: number }
  if (reply.status !== 200 || report.lines !== lines || (report.refused ?? 0) > 0) {
    throw new Error(`the feed was answered ${reply.status}: ${JSON.stringify(report).slice(0, 600)}`)
  }
}

async function round(
  server: Running,
  databasePid: number | null,
  lines: number,
  work: () => Promise<void>,
): Promise<Round> {
  return withCost(server, databasePid, async () => {
    const start = performance.now()
    await work()
    return { requests: lines, perSecond: (lines / (performance.now() - start)) * 1000 }
  })
}

function eventLine(id: number): string {
  const outcomes = ['Home', 'Draw', 'Away'].map((name, place) => ({ id: `${3 * id + place}`, name }))
  const data = {
    sportId: '1',
    name: `The meeting number ${id}`,
    startTime: '2040-01-01T12:00:00Z',
    markets: [{ id: `${id}`, name: 'Result', outcomes }],
  }
  return JSON.stringify({ put: 'event', id, data })
}
