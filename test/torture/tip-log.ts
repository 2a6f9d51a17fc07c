// Tips, results and corrections under kills, and somebody outside who keeps every checkpoint of the log: whatever was
// killed, each of them must be the beginning of the log at the end, which must agree with the tips.

import { logAt } from '../../src/commands/log-source.ts'
import type { Checkpoint } from '../../src/tip-log/checkpoint.ts'
import { verifyConsistency } from '../../src/tip-log/merkle.ts'
import { verifyLog } from '../../src/tip-log/verify.ts'
import type { Operator } from './calls.ts'
import { sleep } from './processes.ts'

type Call = (method: string, path: string, ticket: string) => Promise<number | null>

const SPORT = 1
const FIRST_ID = 1_000
const RESULTS = ['win', 'lose', { result: 'win', rule4: '0.25' }, 'void']

/** Customers 1, 2 and so on tip on a new outcome each time, which is settled, and corrected later. */
export async function tipRepeatedly(
  operator: Operator,
  call: Call,
  tickets: readonly string[],
  isStopping: () => boolean,
): Promise<void> {
  for (let id = FIRST_ID; !isStopping(); id++) {
    const price = { num: 1 + (id % 7), den: 1 + (id % 3) }
    const outcomes = [{ id, name: 'Home', price }]
    const event = { sportId: SPORT, name: `Match ${id}`, startTime: '2040-01-01T15:00:00Z' }
    await untilAnswered(operator, 'PUT', `/events/${id}`, {
      ...event,
      markets: [{ id, name: 'Result', outcomes }],
    })
    for (const [index, ticket] of tickets.entries()) {
      const betId = id * 100 + index
      await untilAnswered(operator, 'PUT', `/bets/${betId}`, {
        customerId: index + 1,
        legs: [{ outcomeId: id, price }],
      })
      await call('POST', `/v1/communities/comments/me/outcomes/${id}?betId=${betId}&text=Fine`, ticket)
    }
    await settle(operator, id, id)
    if (id > FIRST_ID + 3) await settle(operator, id - 3, id + 1)
  }
}

async function settle(operator: Operator, id: number, turn: number): Promise<void> {
  await untilAnswered(operator, 'POST', `/markets/${id}/settlement`, {
    results: { [id]: RESULTS[turn % RESULTS.length] },
  })
}

async function untilAnswered(operator: Operator, method: string, path: string, body: object): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const answered = await operator(method, path, body).then(
      () => true,
      () => false,
    )
    if (answered) return
    await sleep(20)
  }
}

export type LogWatcher = { checkpoints: readonly Checkpoint[]; violations(): Promise<string[]> }

/** Reads the newest checkpoint again and again, until `isStopping`. */
export function watchLog(publicUrl: string, isStopping: () => boolean): LogWatcher & { watching: Promise<void> } {
  const source = logAt(publicUrl)
  const checkpoints: Checkpoint[] = []
  const watch = async () => {
    while (!isStopping()) {
      const checkpoint = await source.checkpoint().catch(() => undefined)
      const last = checkpoints.at(-1)
      if (checkpoint !== undefined && checkpoint.size !== last?.size) checkpoints.push(checkpoint)
      await sleep(50)
    }
  }
  return { checkpoints, watching: watch(), violations: () => violationsOf(publicUrl, checkpoints) }
}

async function violationsOf(publicUrl: string, checkpoints: readonly Checkpoint[]): Promise<string[]> {
  const source = logAt(publicUrl)
  const newest = checkpoints.at(-1)
  const { checkpoint, problems } = await verifyLog(source, {
    seen: newest === undefined ? null : { ...newest, keys: {} },
    patience: { times: 20, pause: () => sleep(500) },
    progress: () => {},
  })
  const second = treeOf(checkpoint)
  const broken: string[] = []
  for (const seen of checkpoints) {
    const first = treeOf(seen)
    const proof = first.size > second.size ? [] : await source.consistency(first.size, second.size)
    if (!verifyConsistency(first, second, proof)) broken.push(`the checkpoint of ${first.size} entries no longer fits`)
  }
  return [...problems, ...broken].map((one) => `log of tips: ${one}`)
}

function treeOf({ size, root }: Checkpoint) {
  return { size, root: Buffer.from(root, 'base64') }
}
