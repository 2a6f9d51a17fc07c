// Endpoints that receive webhooks, each with a server of its own on the loopback address.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, vi } from 'vitest'
import { anyNewEvent } from '../../src/event-log/sequencer-store.ts'
import { engine, type Json, type TestService } from './service.ts'

export type Received = { id: string; headers: Record<string, string>; text: string; body: Json }

/** Called with the message and how many came before it. */
type Answer = (response: ServerResponse, message: Received, before: number) => void

export type Receiver = {
  readonly url: string
  readonly received: Received[]
  /** How many requests were open at the same time, at most. */
  mostAtOnce(): number
  openNow(): number
  answerWith(answer: Answer): void
  close(): Promise<void>
}

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end()

export const accept = status(204)

export async function startReceiver(first: Answer = accept): Promise<Receiver> {
  const received: Received[] = []
  let answer = first
  let open = 0
  let most = 0
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    most = Math.max(most, ++open)
    response.once('close', () => open--)
    const text = await textOf(request)
    const headers = request.headers as Record<string, string>
    const message = { id: `${headers['webhook-id']}`, headers, text, body: JSON.parse(text) }
    received.push(message)
    answer(response, message, received.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks?from=paddock`,
    received,
    mostAtOnce: () => most,
    openNow: () => open,
    answerWith(next) {
      answer = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Checks the signature with the library of Standard Webhooks, at the service's time. */
export function verified(secret: string, { text, headers }: Received, service: Pick<TestService, 'clock'>): Json {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(service.clock.now())
  try {
    return new Webhook(secret).verify(text, headers)
  } finally {
    clock.mockRestore()
  }
}

/** A webhook that is created next gets no event of before. */
export async function deleteWebhooks(service: TestService): Promise<void> {
  const { items } = (await service.operator('GET', '/operator/v1/webhooks')).body
  for (const { id } of items) await service.operator('DELETE', `/operator/v1/webhooks/${id}`)
  if (engine === 'sqlite') return
  // PostgreSQL gives events their positions a little later.
  await expect.poll(() => service.context.database.one(anyNewEvent, {}), { interval: 20 }).toBeUndefined()
}

/** Starts receivers; after each test they end, and the webhooks are deleted: others would be sent the next test's events. */
export function useReceivers(service: TestService): typeof startReceiver {
  const receivers: Receiver[] = []
  afterEach(async () => {
    await deleteWebhooks(service)
    for (const receiver of receivers.splice(0)) await receiver.close()
  })
  return async (answer) => {
    const started = await startReceiver(answer)
    receivers.push(started)
    return started
  }
}

type Operator = Pick<TestService, 'operator'>

export async function newWebhook(service: Operator, url: string, kinds?: string[]): Promise<Json> {
  const reply = await service.operator('POST', '/operator/v1/webhooks', { url, ...(kinds ? { kinds } : {}) })
  expect([reply.status, reply.body]).toEqual([201, expect.anything()])
  return reply.body
}

export async function webhook(service: Operator, id: string): Promise<Json> {
  return (await service.operator('GET', `/operator/v1/webhooks/${id}`)).body
}

export async function changeWebhook(service: Operator, id: string, change: object): Promise<Json> {
  const reply = await service.operator('PATCH', `/operator/v1/webhooks/${id}`, change)
  expect([reply.status, reply.body]).toEqual([200, expect.anything()])
  return reply.body
}

/** Newest first. */
export async function deliveriesOf(service: Operator, id: string, query = ''): Promise<Json[]> {
  return (await service.operator('GET', `/operator/v1/webhooks/${id}/deliveries?limit=100${query}`)).body.items
}

export async function untilReceived(receiver: Receiver, count: number): Promise<void> {
  await expect.poll(() => receiver.received.length, { interval: 20 }).toBeGreaterThanOrEqual(count)
}

/** Until the newest delivery of each given state, or all when there are fewer. */
export async function untilStates(service: Operator, id: string, states: string[]): Promise<Json[]> {
  const read = async () => (await deliveriesOf(service, id)).slice(0, states.length)
  await expect.poll(async () => (await read()).map(({ state }) => state), { interval: 20 }).toEqual(states)
  return read()
}
