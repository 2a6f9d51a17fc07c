// How long do readers wait while a market with many tips is settled?

import { openHand } from '../data/builder.ts'
import type { DataSet, Place } from '../data/kept.ts'
import { crowdedMarket, readerOf } from '../data/sizes.ts'
import { load } from '../load.ts'
import { CONNECTIONS, serviceRequest } from '../operations/operation.ts'
import { feeds, reads } from '../operations/reads.ts'
import { OPERATOR_TOKEN, type RunningService } from '../processes.ts'

type Waits = { requests: number; p50: number; p99: number }
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

export async function measureSettlement(
  service: RunningService,
  set: DataSet,
  place: Place,
  quietSeconds: number,
): Promise<Settlement> {
  const read = readings(set)
  const base = { host: '127.0.0.1', port: service.port, connections: CONNECTIONS, request: read, restMs: REST_MS }
  // The first one learns plans and fills caches.
  await load({ ...base, seconds: quietSeconds / 2 })
  const quiet = await load({ ...base, seconds: quietSeconds })
  const hand = await openHand(place.target)
  const { market, outcome } = crowdedMarket(set.size)
  const [counted] = await hand.rows<{ tips: number }>(
    `select num_live as tips from outcome_count where outcome_id = ${outcome}`,
  )
  let over = false
  const reading = load({ ...base, seconds: 0, isOver: () => over })
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
    const during = await reading
    const failures = quiet.failures + during.failures
    if (failures > 0) throw new Error(`${failures} reads failed:\n${quiet.failure}${during.failure}`)
    return { tips: Number(counted?.tips), answered, followed, quiet: waits(quiet), during: waits(during) }
  } finally {
    over = true
    await hand.close()
  }
}

function waits({ requests, p50, p99 }: Waits): Waits {
  return { requests, p50, p99 }
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
