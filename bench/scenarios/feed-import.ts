// Measures the import of a feed: events, each with a market of three outcomes.

import { compareRounds, type OperationResult, type RoundPair } from '../comparison.ts'
import type { TestBed } from '../measure.ts'
import { AS_OPERATOR, type ServerProcess, type ServiceProcess } from '../processes.ts'
import { type CpuCost, withCpuCost } from '../resource-usage.ts'

const FIRST_ID = 10_000_000
/** The rows of one import, in a round of a second or more. */
const LINES = 1_000
/** Several batches, so that reading and writing overlap as in a long feed. */
const MOVEMENT_LINES = 5_000

/** "Requests" are lines. */
async function measureImport({ engine, servers }: TestBed, seconds: number, rounds: number): Promise<OperationResult> {
  const { service, baseline, databasePid } = servers
  const nextLines = newEvents(Math.ceil(LINES * seconds))
  const pairs: RoundPair[] = []
  for (let count = 0; count <= rounds; count++) {
    const pair = {
      service: await importInto(serviceFeed(service), nextLines(), databasePid),
      baseline: baseline && (await importInto(baselineFeed(baseline), nextLines(), databasePid)),
    }
    // The first one warms up.
    if (count > 0) pairs.push(pair)
  }
  return { name: 'import', title: IMPORT_TITLE, engine, statements: null, ...compareRounds(pairs) }
}

export const IMPORT_TITLE = 'feed import, each line'

/** Stakes and winnings of some hundred customers; without a baseline. */
async function measureMovements(
  { engine, servers: { service, databasePid } }: TestBed,
  seconds: number,
  rounds: number,
): Promise<OperationResult> {
  const nextLines = newMovements(Math.ceil(MOVEMENT_LINES * seconds))
  const pairs: RoundPair[] = []
  for (let count = 0; count <= rounds; count++) {
    const pair = { service: await importInto(serviceFeed(service), nextLines(), databasePid), baseline: null }
    // The first one warms up, and opens the accounts.
    if (count > 0) pairs.push(pair)
  }
  const title = 'movements in a feed, each line'
  return { name: 'movements', title, engine, statements: null, ...compareRounds(pairs) }
}

const BETTORS = 500

/** Customers win and stake in turn; all references are new. */
function newMovements(lines: number): () => string[] {
  let number = 0
  const run = Date.now().toString(36)
  const next = () => {
    const [customerId, isStake] = [1 + (number % BETTORS), Math.floor(number / BETTORS) % 2 === 1]
    const data = {
      customerId,
      kind: isStake ? 'stake' : 'winnings',
      amount: isStake ? '0.50' : '1.00',
      betId: 1 + number,
    }
    return JSON.stringify({ put: 'movement', id: `${run}-${number++}`, data })
  }
  return () => Array.from({ length: lines }, next)
}

export const feedImports = { import: measureImport, movements: measureMovements }

type FeedTarget = { pid: number; url: string; headers: Record<string, string> }

export function serviceFeed({ pid, operatorPort }: ServiceProcess): FeedTarget {
  const headers = { ...AS_OPERATOR, 'content-type': 'application/x-ndjson' }
  return { pid, url: `http://127.0.0.1:${operatorPort}/operator/v1/feed`, headers }
}

function baselineFeed({ pid, port }: ServerProcess): FeedTarget {
  return { pid, url: `http://127.0.0.1:${port}/import`, headers: {} }
}

/** Each call gives that many lines, each with an event that no line had before. */
export function newEvents(lines: number): () => string[] {
  let nextId = FIRST_ID
  return () => Array.from({ length: lines }, () => eventLine(nextId++))
}

export function importInto(
  { pid, url, headers }: FeedTarget,
  lines: readonly string[],
  databasePid: number | null,
): Promise<CpuCost & { requests: number; perSecond: number }> {
  const body = lines.map((line) => `${line}\n`).join('')
  return withCpuCost({ pid }, databasePid, async () => {
    const start = performance.now()
    await send(url, { method: 'POST', body, headers }, lines.length)
    return { requests: lines.length, perSecond: (lines.length / (performance.now() - start)) * 1000 }
  })
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
