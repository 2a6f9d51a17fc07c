// Customers of the bench of events, and their streams.

import { Agent, request as send } from 'node:http'
import { AS_OPERATOR, type ServiceProcess, THROUGH_PROXY } from '../processes.ts'

type Headers = Record<string, string>
export type Customer = { id: number; headers: Headers; profileId: string; isFollowed: boolean }

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

type Answer = { status: number; text: string }

type Call = { port: number; method: string; path: string; headers: Record<string, string>; body?: string }

function call({ body = '', ...options }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = send({ host: '127.0.0.1', ...options, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.once('error', reject)
    request.end(body)
  })
}

function refuseFailure(path: string, { status, text }: Answer): void {
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
}

export async function callService(service: ServiceProcess, method: string, path: string, headers: Headers) {
  const answer = await call({ port: service.port, method, path, headers })
  refuseFailure(path, answer)
  return answer.text
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
type Json = any

export async function operatorAnswer(
  service: ServiceProcess,
  method: string,
  path: string,
  body?: object,
): Promise<Json> {
  const headers = { ...AS_OPERATOR, 'content-type': 'application/json' }
  const sent = body === undefined ? '' : JSON.stringify(body)
  const answer = await call({ port: service.operatorPort, method, path: `/operator/v1${path}`, headers, body: sent })
  refuseFailure(path, answer)
  return answer.text === '' ? null : JSON.parse(answer.text)
}

/** They belong to one new application. */
export async function createCustomers(service: ServiceProcess, count: number): Promise<Customer[]> {
  const { apiKey, secret } = await operatorAnswer(service, 'POST', '/applications', { name: 'Bench' })
  const customers: Customer[] = []
  for (let id = 1; id <= count; id++) {
    await operatorAnswer(service, 'PUT', `/customers/${id}`, {})
    const { ticket } = await operatorAnswer(service, 'POST', `/customers/${id}/tickets`, { ttlSeconds: 86_400 })
    const headers = {
      ...{ 'who-apiKey': apiKey, 'who-secret': secret, 'who-ticket': ticket },
      ...{ ...THROUGH_PROXY, accept: 'application/json' },
    }
    const own = JSON.parse(await callService(service, 'GET', '/v1/profiles/me', headers))
    customers.push({ id, headers, profileId: own.whoProfiles[0].profile.id, isFollowed: false })
  }
  return customers
}

export type Stream = {
  /** Resolves with the time at which the next event of this type arrives. */
  next(type: string): Promise<number>
  close(): void
}

/** Resolves when the stream has begun. */
export function openStream(service: ServiceProcess, { headers: own }: Customer): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const headers = { ...own, accept: 'text/event-stream' }
    const request = send({ host: '127.0.0.1', port: service.port, path: '/v1/stream', headers, agent: false })
    request.once('error', reject)
    request.once('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`/v1/stream: ${response.statusCode}`))
      let awaited: { type: string; resolve: (time: number) => void } | null = null
      response.setEncoding('utf8').on('data', (chunk: string) => {
        if (awaited === null || !chunk.includes(`event: ${awaited.type}`)) return
        awaited.resolve(performance.now())
        awaited = null
      })
      response.on('error', () => {})
      resolve({
        next: (type) =>
          new Promise((received) => {
            awaited = { type, resolve: received }
          }),
        close: () => request.destroy(),
      })
    })
    request.end()
  })
}
