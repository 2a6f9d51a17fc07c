// HTTP clients of a service that is killed under them: what gets no answer is repeated until it is answered.

import { sleep } from './processes.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
export type Json = any
export type Answer = { readonly status: number; readonly body: Json }

/** Throws what is not a success. */
export type Operator = (method: string, path: string, body?: object) => Promise<unknown>
/** Repeats until there is an answer. A text is a feed. */
export type Ask = (method: string, path: string, body?: object | string) => Promise<Answer>

/** Longer than some starts of the service take on a busy machine, which kills may follow at once. */
const PATIENCE_MS = 900_000

/** `work` throws where it got no answer. */
export async function untilAnswered<T>(what: string, work: () => Promise<T>): Promise<T> {
  let last: unknown
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(50)) {
    try {
      return await work()
    } catch (error) {
      last = error
    }
  }
  throw new Error(`${what}: no answer for ${PATIENCE_MS / 1000} s, the last time: ${last}`)
}

async function send(url: string, token: string, method: string, body?: object | string): Promise<Answer> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

export function operatorOf(url: string, token: string): Operator {
  return async (method, path, body) => {
    const { status, body: answer } = await send(`${url}/operator/v1${path}`, token, method, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
}

export function askOf(url: string, token: string): Ask {
  return (method, path, body) =>
    untilAnswered(`${method} ${path}`, async () => {
      const answer = await send(`${url}/operator/v1${path}`, token, method, body)
      if (answer.status >= 500) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return answer
    })
}

/** All pages of a list. */
export async function listAll<Item>(ask: Ask, path: string): Promise<Item[]> {
  const all: Item[] = []
  for (let cursor = ''; ; ) {
    const { body } = await ask('GET', `${path}?limit=100${cursor}`)
    all.push(...body.items)
    if (body.cursor === null) return all
    cursor = `&cursor=${body.cursor}`
  }
}

export type PublicCall = { method: string; path: string; ticket: string; parameters?: object; key?: string }

/** Repeated until answered. `fault`: its code; 10000, which says that the result is not known, is no answer. */
export function walletCalls(publicUrl: string) {
  return ({ method, path, ticket, parameters, key }: PublicCall): Promise<{ fault: string } | { wallets: Json }> =>
    untilAnswered(`${method} ${path}`, async () => {
      const headers = { 'who-apiKey': 'sandbox-key', 'who-secret': 'sandbox-secret', 'who-ticket': ticket }
      const response = await fetch(`${publicUrl}/v1/wallets/me${path}`, {
        method,
        headers: { ...headers, accept: 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
        ...(parameters === undefined ? {} : { body: new URLSearchParams({ ...parameters }) }),
      })
      const reply = (await response.json()) as Json
      const fault = reply.whoFaults?.[0]?.faultCode
      if (fault === '10000') throw new Error('fault 10000')
      return fault === undefined ? { wallets: reply.whoWallets } : { fault }
    })
}

export type WalletCalls = ReturnType<typeof walletCalls>
