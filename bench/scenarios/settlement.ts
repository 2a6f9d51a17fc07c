// How long do readers wait while a market with many tips is settled?

import { openHand } from '../data/build.ts'
import type { DataSet, Place } from '../data/data-sets.ts'
import { crowdedMarket, readerOf } from '../data/sizes.ts'
import { load, type Measured } from '../load.ts'
import { CONNECTIONS, serviceRequest } from '../operations/operation.ts'
import { feeds, reads } from '../operations/reads.ts'
import { median, OPERATOR_TOKEN, type RunningService } from '../processes.ts'

/** Of several windows of time: the middle of them, and the p99 of the worst. */
type Waits = { requests: number; p50: number; p99: number; worst: number }
export type Settlement = {
  tips: number
  /** Milliseconds until the settlement was answered, and until the last of its comments had followed. */
  answered: number
  followed: number
  quiet: Waits
  during: Waits
}

/** A steady rate well below what the service can do, so that waiting is for the settlement and not for each other. */
const REST_MS = 20
const LOOK_EVERY_MS = 50
/** Windows before the settlement, and as many after it: one alone may meet a moment in which the machine stands still. */
const QUIET_WINDOWS = 3

export async function measureSettlement(
  service: RunningService,
  set: DataSet,
  place: Place,
  seconds: number,
): Promise<Settlement> {
  const request = readings(set)
  const window = () =>
    load({ host: '127.0.0.1', port: service.port, connections: CONNECTIONS, request, restMs: REST_MS, seconds })
  const quietly = async () => {
    const windows: Measured[] = []
    while (windows.length < QUIET_WINDOWS) windows.push(await window())
    return windows
  }
  // The first one learns plans and fills caches.
  await window()
  const before = await quietly()
  const hand = await openHand(place.target)
  const { market, outcome } = crowdedMarket(set.size)
  const [counted] = await hand.rows<{ tips: number }>(
    `select num_live as tips from outcome_count where outcome_id = ${outcome}`,
  )
  let over = false
  const readOn = async () => {
    const windows: Measured[] = []
    while (!over || windows.length === 0) windows.push(await window())
    return windows
  }
  const reading = readOn()
  const start = performance.now()
  try {
    const reply = await fetch(`http://127.0.0.1:${service.operatorPort}/operator/v1/markets/${market}/settlement`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ results: { [outcome]: 'win', [outcome + 1]: 'lose' } }),
    })
    if (reply.status !== 200) throw new Error(`the settlement was answered ${reply.status}: ${await reply.text()}`)
    const answered = performance.now() - start
    while ((await hand.rows('select 1 from comment_work limit 1')).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    const followed = performance.now() - start
    over = true
    const during = waits(await reading)
    const quiet = waits([...before, ...(await quietly())])
    return { tips: Number(counted?.tips), answered, followed, quiet, during }
  } finally {
    over = true
    await hand.close()
  }
}

function waits(windows: readonly Measured[]): Waits {
  const failed = windows.find(({ failures }) => failures > 0)
  if (failed !== undefined) throw new Error(`${failed.failures} reads failed:\n${failed.failure}`)
  return {
    requests: windows.reduce((sum, { requests }) => sum + requests, 0),
    p50: median(windows.map(({ p50 }) => p50)),
    p99: median(windows.map(({ p99 }) => p99)),
    worst: Math.max(...windows.map(({ p99 }) => p99)),
  }
}

/** A profile, the tips of one and the home feed of one who follows 200, in turns. */
function readings(set: DataSet): (connection: number) => Buffer {
  const feed = `feed-${readerOf(set.size, 200) === undefined ? 10 : 200}-R-1`
  const asked = [...reads, ...feeds].filter(({ name }) => ['profile-ticket', 'tips-of-profile', feed].includes(name))
  const calls = asked.flatMap((operation) => operation.calls(set) ?? [])
  let turn = 0
  return (connection) => {
    const next = calls[turn++ % calls.length] as (typeof calls)[number]
    return serviceRequest(next(connection))
  }
}
