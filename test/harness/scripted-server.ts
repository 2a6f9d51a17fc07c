// A real HTTP server that answers as each test says, and clients of it.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { Paddock, type PaddockOptions } from '../../clients/typescript/src/index.ts'

type Seen = { method: string; path: string; headers: IncomingMessage['headers']; body: string }
export type ScriptedAnswer = (response: ServerResponse, request: Seen) => void

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): ScriptedAnswer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers })
      .end(JSON.stringify(body))
export const fault = (status: number, faultCode: string, headers?: Record<string, string>) =>
  json(status, { whoFaults: [{ faultCode, faultString: 'No' }] }, headers)
export const unavailable = fault(503, '10000', { 'retry-after': '0' })
export const noContent: ScriptedAnswer = (response) => response.writeHead(204).end()
export const cut: ScriptedAnswer = (response) => response.destroy()
export const payment = json(200, { whoWallets: { paymentId: 'p', paymentDateTime: '2026-11-15 09:30:00' } })

export const deposit = { transactionType: 'deposit', amount: '10.00', id: 101, cv2: '123' } as const
export const tip = { id: 1, betId: 2, text: 'A tip' }
export const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('it must be refused'),
    (error) => error,
  )

export function useScriptedServer() {
  const script = { answers: [] as ScriptedAnswer[], seen: [] as Seen[], baseUrl: '' }
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body }
    script.seen.push(one)
    // The last answer is given from then on.
    const answer = script.answers.length > 1 ? script.answers.shift() : script.answers[0]
    answer?.(response, one)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    script.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    script.answers = []
    script.seen.length = 0
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = (options: Partial<PaddockOptions> = {}) =>
    new Paddock({ baseUrl: script.baseUrl, apiKey: 'key', secret: 'secret', ticket: 'ticket', ...options })
  return { script, client }
}
