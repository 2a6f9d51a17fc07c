// Sends a request to this service's own public listener, as an application would.

import { type IncomingMessage, request as sendPlain } from 'node:http'
import { request as sendOverTls } from 'node:https'
import { performance } from 'node:perf_hooks'
import type { BuiltRequest } from '../../reference/sent-request.ts'

export type Received = {
  readonly status: number
  /** As they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  /** Whether there was more of the body. */
  readonly isCut: boolean
  readonly ms: number
}

export const MAX_BODY = 64 * 1024
const TIMEOUT_MS = 30_000
/** A stream of events does not end by itself. */
const STREAM_MS = 3_000

/** `origin`: of the listener. The path goes out as it is built, without what an URL would make of "..". */
export async function sendToListener(
  origin: string,
  { method, address, headers }: BuiltRequest,
  body: string | Buffer,
): Promise<Received> {
  const { protocol, hostname, port } = new URL(origin)
  const options = {
    ...{ method, path: address, hostname: hostname.replace('[', '').replace(']', ''), port },
    // Behind a proxy the listener wants to know that the secret came over TLS; on its own machine it went over no network.
    headers: { ...Object.fromEntries(headers), 'x-forwarded-proto': 'https' },
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    // The certificate names the public host, and this is the machine that has its key.
    rejectUnauthorized: false,
  }
  const since = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = (protocol === 'https:' ? sendOverTls : sendPlain)(options, resolve)
    request.on('error', reject)
    request.end(body)
  })
  const read = await readBeginning(response)
  return {
    ...{ status: response.statusCode as number, headers: pairsOf(response.rawHeaders), ...read },
    ms: performance.now() - since,
  }
}

/** Of a stream up to its first event. */
async function readBeginning(response: IncomingMessage): Promise<Pick<Received, 'body' | 'isCut'>> {
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
  const timer = isStream ? setTimeout(() => response.destroy(), STREAM_MS) : undefined
  let body = Buffer.alloc(0)
  try {
    for await (const chunk of response) {
      body = Buffer.concat([body, chunk as Buffer])
      if (body.length > MAX_BODY || (isStream && hasEvent(body.toString()))) break
    }
  } catch (error) {
    if (!isStream) throw error
  } finally {
    clearTimeout(timer)
  }
  return { body: body.subarray(0, MAX_BODY), isCut: isStream || body.length > MAX_BODY }
}

function hasEvent(text: string): boolean {
  return text.includes('data:') && text.endsWith('\n\n')
}

function pairsOf(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] as string]] : []))
}
