// A client of GET /v1/stream: the EventSource of npm, which is not ours, with the headers of an application.

import { EventSource } from 'eventsource'
import { expect } from 'vitest'
import { STREAMED_EVENTS } from '../../src/streams/public/kinds.ts'
import { KEY, SECRET } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of many shapes
export type Received = { type: string; lastEventId: string; data: any }

type ListenOptions = {
  ticket: string
  lastEventId?: number
  key?: string
  secret?: string
  /** Whose states are sent. */
  outcomes?: readonly number[]
  account?: boolean
}

/** Types without a position: of each subject only the newest counts. */
const STATES = ['outcome', 'event', 'tip', 'account']

export type Listener = ReturnType<typeof listen>

export function listen(url: string, options: ListenOptions) {
  const { ticket, lastEventId, key = KEY, secret = SECRET, outcomes = [], account = false } = options
  const received: Received[] = []
  const failures: (number | undefined)[] = []
  const query = new URLSearchParams({
    ...(lastEventId === undefined ? {} : { lastEventId: `${lastEventId}` }),
    ...(outcomes.length === 0 ? {} : { outcomes: outcomes.join() }),
    ...(account ? { account: 'Y' } : {}),
  })
  const credentials = { 'who-apiKey': key, 'who-secret': secret, 'who-ticket': ticket }
  const source = new EventSource(`${url}/v1/stream?${query}`, {
    fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...credentials } }),
  })
  for (const type of Object.keys(STREAMED_EVENTS)) {
    source.addEventListener(type, ({ lastEventId: id, data }) =>
      received.push({ type, lastEventId: id, data: JSON.parse(data) }),
    )
  }
  source.addEventListener('error', ({ code }) => failures.push(code))
  const events = () => received.filter(({ type }) => ![...STATES, 'ready', 'reset'].includes(type))
  return {
    received,
    /** The status of the refusal of each lost connection, if it was one. */
    failures,
    /** Without `ready`, `reset` and states. */
    events,
    summary: () => events().map(({ type, data }) => `${type} ${data.subject.type} ${data.subject.id}`),
    greetings: () => received.flatMap(({ type }) => (type === 'ready' || type === 'reset' ? [type] : [])),
    last: () => Number(received.at(-1)?.lastEventId),
    async greeted(times = 1): Promise<void> {
      const greetings = () => received.filter(({ type }) => type === 'ready' || type === 'reset').length
      await expect.poll(greetings, { interval: 20 }).toBeGreaterThanOrEqual(times)
    },
    /** All states of a type so far. */
    states: (type: string) => received.filter((one) => one.type === type).map(({ data }) => data),
    async until(count: number): Promise<Received[]> {
      await expect.poll(() => events().length, { interval: 20 }).toBeGreaterThanOrEqual(count)
      return events()
    },
    isOver: () => source.readyState === source.CLOSED,
    close: () => source.close(),
  }
}
