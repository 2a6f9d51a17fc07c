// Measures how long readers wait while a market with many tips is settled.

import { type DatabaseAddress, openRawConnection, type RawConnection } from '../data/build.ts'
import type { DataSet } from '../data/data-sets.ts'
import { crowdedMarket, readerOf } from '../data/sizes.ts'
import { type LoadResult, load } from '../load.ts'
import type { TestBed } from '../measure.ts'
import { CONNECTIONS, serviceRequest } from '../operations/operation.ts'
import { feeds, reads } from '../operations/reads.ts'
import { AS_OPERATOR } from '../processes.ts'
import { median } from '../statistics.ts'

/** Medians over several windows of time, and the p99 of the worst window. */
type Latencies = { requests: number; p50: number; p99: number; worstP99: number }
export type Settlement = {
  tips: number
  answeredAfterMs: number
  /** When the counts of all profiles were exact. */
  countedAfterMs: number
  /** When the last of its tips had been updated. */
  finishedAfterMs: number
  quiet: Latencies
  during: Latencies
}

/** A rate well below what the service can do, so that readers wait for the settlement and not for each other. */
const PAUSE_MS = 20
const POLL_MS = 50
/** Less often: it adds up the counts of all profiles. */
const COUNT_POLL_MS = 250
/** Before the settlement, and as many after it: a single window may fall into a pause of the machine. */
const QUIET_WINDOWS = 3

export async function measureSettlement(
  { set, servers: { service } }: TestBed,
  address: DatabaseAddress,
  seconds: number,
): Promise<Settlement> {
  const request = readRequests(set)
  const window = () =>
    load({ host: '127.0.0.1', port: service.port, connections: CONNECTIONS, request, pauseMs: PAUSE_MS, seconds })
  const quietWindows = async () => {
    const windows: LoadResult[] = []
    while (windows.length < QUIET_WINDOWS) windows.push(await window())
    return windows
  }
  // The first window warms up.
  await window()
  const before = await quietWindows()
  const connection = await openRawConnection(address)
  const { market, outcome } = crowdedMarket(set.size)
  const [counted] = await connection.rows<{ tips: number }>(
    `select num_live as tips from outcome_count where outcome_id = ${outcome}`,
  )
  const winning = (await winningTips(connection)) + (await openTips(connection, outcome))
  let over = false
  const windowsUntilOver = async () => {
    const windows: LoadResult[] = []
    while (!over || windows.length === 0) windows.push(await window())
    return windows
  }
  const reading = windowsUntilOver()
  const start = performance.now()
  try {
    const reply = await fetch(`http://127.0.0.1:${service.operatorPort}/operator/v1/markets/${market}/settlement`, {
      method: 'POST',
      headers: { ...AS_OPERATOR, 'content-type': 'application/json' },
      body: JSON.stringify({ results: { [outcome]: 'win', [outcome + 1]: 'lose' } }),
    })
    if (reply.status !== 200) throw new Error(`the settlement was answered ${reply.status}: ${await reply.text()}`)
    const answeredAfterMs = performance.now() - start
    const { countedAfterMs, finishedAfterMs } = await untilFinished(connection, { start, winning })
    over = true
    const during = latenciesOf(await reading)
    const quiet = latenciesOf([...before, ...(await quietWindows())])
    return { tips: Number(counted?.tips), answeredAfterMs, countedAfterMs, finishedAfterMs, quiet, during }
  } finally {
    over = true
    await connection.close()
  }
}

/** By what every schema has: the counts themselves, and the list of outcomes that are being settled. */
async function untilFinished(
  connection: RawConnection,
  { start, winning }: { start: number; winning: number },
): Promise<Pick<Settlement, 'countedAfterMs' | 'finishedAfterMs'>> {
  let countedAfterMs: number | null = null
  let lastCount = 0
  for (;;) {
    const isFinished = (await connection.rows('select 1 from comment_work limit 1')).length === 0
    const finishedAfterMs = performance.now() - start
    if (countedAfterMs === null && (isFinished || finishedAfterMs - lastCount >= COUNT_POLL_MS)) {
      lastCount = finishedAfterMs
      if ((await winningTips(connection)) === winning) countedAfterMs = finishedAfterMs
    }
    if (isFinished && countedAfterMs === null) throw new Error('the settlement left counts that are not exact')
    if (isFinished && countedAfterMs !== null) return { countedAfterMs, finishedAfterMs }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function winningTips(connection: RawConnection): Promise<number> {
  const [all] = await connection.rows<{ tips: number }>('select sum(num_winning) as tips from profile_count')
  return Number(all?.tips)
}

async function openTips(connection: RawConnection, outcome: number): Promise<number> {
  const [all] = await connection.rows<{ tips: number }>(
    `select count(*) as tips from comment where outcome_id = ${outcome} and listed = 'A'`,
  )
  return Number(all?.tips)
}

function latenciesOf(windows: readonly LoadResult[]): Latencies {
  const failed = windows.find(({ failures }) => failures > 0)
  if (failed !== undefined) throw new Error(`${failed.failures} reads failed:\n${failed.failure}`)
  return {
    requests: windows.reduce((sum, { requests }) => sum + requests, 0),
    p50: median(windows.map(({ p50 }) => p50)),
    p99: median(windows.map(({ p99 }) => p99)),
    worstP99: Math.max(...windows.map(({ p99 }) => p99)),
  }
}

/** In turn a profile, the tips of a profile, and the home feed of a reader with 200 followings. */
function readRequests(set: DataSet): (connection: number) => Buffer {
  const feed = `feed-${readerOf(set.size, 200) === undefined ? 10 : 200}-R-1`
  const operations = [...reads, ...feeds].filter(({ name }) =>
    ['profile-ticket', 'tips-of-profile', feed].includes(name),
  )
  const calls = operations.flatMap((operation) => operation.calls(set) ?? [])
  let sent = 0
  return (connection) => {
    const next = calls[sent++ % calls.length] as (typeof calls)[number]
    return serviceRequest(next(connection))
  }
}
