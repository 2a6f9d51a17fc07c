// A small HTTP load generator: keep-alive connections that each send the next request when the last was answered.
// It writes prepared bytes and looks only for the end of each answer, so that it costs less than what it measures.

import { connect } from 'node:net'

export type Load = { host: string; port: number; connections: number; seconds: number; request: () => Buffer }
export type Measured = { perSecond: number; requests: number; failures: number; p50: number; p99: number }

export async function load({ host, port, connections, seconds, request }: Load): Promise<Measured> {
  const times: number[] = []
  let failures = 0
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, () =>
      converse({ host, port, end, request }, (milliseconds, status) => {
        times.push(milliseconds)
        if (status >= 400) failures++
      }),
    ),
  )
  const elapsed = (performance.now() - start) / 1000
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / elapsed, requests: times.length, failures, p50: at(0.5), p99: at(0.99) }
}

type Conversation = { host: string; port: number; end: number; request: () => Buffer }

function converse(
  { host, port, end, request }: Conversation,
  done: (ms: number, status: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    let sent = 0
    let pending = ''
    const next = () => {
      if (performance.now() >= end) {
        socket.end()
        resolve()
        return
      }
      sent = performance.now()
      socket.write(request())
    }
    socket.setEncoding('latin1')
    socket.on('connect', next)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      pending += chunk
      const size = answerSize(pending)
      if (size === null || pending.length < size) return
      done(performance.now() - sent, Number(pending.slice(9, 12)))
      pending = pending.slice(size)
      next()
    })
  })
}

/** Bytes of the first whole answer, null while its head is incomplete. */
function answerSize(text: string): number | null {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return null
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]
  return head + 4 + Number(length ?? 0)
}

export function httpRequest(path: string, headers: Record<string, string>, method = 'GET'): Buffer {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
}
