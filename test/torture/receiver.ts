// A receiver of webhooks that is never killed: whatever happens to the service, it must get each event at least once, and
// those of one subject in order.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Operator } from './calls.ts'
import type { Event } from './events.ts'
import { sleep } from './processes.ts'

/** The sportsbook's own movements are for readers of the log only. */
const pushed = (log: readonly Event[]) => log.filter(({ type }) => !type.startsWith('movement.'))

export type Receiver = {
  /** Events after this position are sent. */
  readonly since: number
  readonly received: readonly Event[]
  /** Waits until everything up to the end of the log has arrived, or it is certain that it will not. */
  waitFor(log: readonly Event[]): Promise<void>
  close(): void
}

export async function startReceiver(operator: Operator): Promise<Receiver> {
  const received: Event[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    received.push(JSON.parse(body).data)
    // Some answers are refusals, so that deliveries are repeated.
    response.writeHead(Math.random() < 0.003 ? 500 : 204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await operator('POST', '/webhooks', { url: `http://127.0.0.1:${port}/` })
  const { next } = (await operator('GET', '/events?after=999999999999999')) as { next: number }
  return {
    since: next,
    received,
    async waitFor(log) {
      // What a killed process was sending counts as a first attempt: where the second one is refused, the third comes five
      // minutes later (RETRY_AFTER_MS), and the events of one subject are sent one after another.
      for (let second = 0; second < 600; second++) {
        const known = new Set(received.map(({ id }) => id))
        if (pushed(log).every(({ id, position }) => position <= next || known.has(id))) return
        await sleep(1_000)
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export function receiverViolations(log: readonly Event[], { since, received }: Receiver): string[] {
  const known = new Set(received.map(({ id }) => id))
  const missing = pushed(log).filter(({ id, position }) => position > since && !known.has(id))
  const found = missing.map(({ id, type }) => `${id} (${type}): never received`)
  const last = new Map<string, number>()
  const seen = new Set<string>()
  for (const { id, position, subject } of received) {
    if (seen.has(id)) continue
    seen.add(id)
    const name = `${subject.type} ${subject.id}`
    if (position < (last.get(name) ?? 0)) found.push(`${id}: received after a later event of ${name}`)
    last.set(name, position)
  }
  return found
}
