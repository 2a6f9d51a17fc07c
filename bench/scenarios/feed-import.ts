// Measures the import of a feed: events, each with a market of three outcomes.

import { compareRounds, type OperationResult, type RoundPair } from '../comparison.ts'
import type { TestBed } from '../measure.ts'
import { OPERATOR_TOKEN } from '../processes.ts'
import { withCpuCost } from '../resource-usage.ts'

const FIRST_ID = 10_000_000

/** "Requests" are lines. */
export async function measureImport(
  { engine, servers }: TestBed,
  lines: number,
  rounds: number,
): Promise<OperationResult> {
  const { service, baseline, databasePid } = servers
  let nextId = FIRST_ID
  const round = (server: { pid: number }, url: string, headers: Record<string, string>) => {
    const body = Array.from({ length: lines }, () => `${eventLine(nextId++)}\n`).join('')
    return withCpuCost(server, databasePid, async () => {
      const start = performance.now()
      await send(url, { method: 'POST', body, headers }, lines)
      return { requests: lines, perSecond: (lines / (performance.now() - start)) * 1000 }
    })
  }
  const serviceUrl = `http://127.0.0.1:${service.operatorPort}/operator/v1/feed`
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/x-ndjson' }
  const pairs: RoundPair[] = []
  for (let count = 0; count <= rounds; count++) {
    const pair = {
      service: await round(service, serviceUrl, headers),
      baseline: baseline && (await round(baseline, `http://127.0.0.1:${baseline.port}/import`, {})),
    }
    // The first one warms up.
    if (count > 0) pairs.push(pair)
  }
  return { name: 'import', title: 'feed import, each line', engine, statements: null, ...compareRounds(pairs) }
}

async function send(url: string, request: RequestInit, lines: number): Promise<void> {
  const reply = await fetch(url, request)
  const report = (await reply.json()) as { lines?: number; refused?: number }
  if (reply.status !== 200 || report.lines !== lines || (report.refused ?? 0) > 0) {
    throw new Error(`the feed was answered ${reply.status}: ${JSON.stringify(report).slice(0, 600)}`)
  }
}

function eventLine(id: number): string {
  const outcomes = ['Home', 'Draw', 'Away'].map((name, index) => ({ id: `${3 * id + index}`, name }))
  const data = {
    sportId: '1',
    name: `The meeting number ${id}`,
    startTime: '2040-01-01T12:00:00Z',
    markets: [{ id: `${id}`, name: 'Result', outcomes }],
  }
  return JSON.stringify({ put: 'event', id, data })
}
