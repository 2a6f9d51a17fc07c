// A small HTTP load generator: keep-alive connections that each send the next request when the last was answered.
// It sends prepared bytes and parses only the length of each answer, so that it costs less than what it measures.

import { connect } from 'node:net'

type LoadOptions = {
  host: string
  port: number
  connections: number
  /** How long, unless `isOver` decides; each connection sends at least one request. */
  seconds: number
  isOver?: (() => boolean) | undefined
  /** The next request of a connection, numbered from 0. */
  request: (connection: number) => Buffer
  /** Requests come in sequences of this length (a follow, then its unfollow), which are always completed. */
  sequenceLength?: number
  isExpected?: (status: number, answer: string) => boolean
  /** Pause of a connection between an answer and its next request. */
  pauseMs?: number
}
export type LoadResult = {
  perSecond: number
  requests: number
  failures: number
  /** The first unexpected answer. */
  failure: string
  p50: number
  p99: number
}

const succeeded = (status: number) => status < 400

export async function load(options: LoadOptions): Promise<LoadResult> {
  const { connections, seconds, isExpected = succeeded } = options
  const times: number[] = []
  let failures = 0
  let failure = ''
  const start = performance.now()
  const end = start + seconds * 1000
  const isOver = options.isOver ?? (() => performance.now() >= end)
  await Promise.all(
    Array.from({ length: connections }, (_, connection) =>
      runConnection({ ...options, isOver }, connection, (milliseconds, answer) => {
        times.push(milliseconds)
        if (isExpected(Number(answer.slice(9, 12)), answer)) return
        failures++
        failure ||= answer.slice(0, 600)
      }),
    ),
  )
  const elapsed = (performance.now() - start) / 1000
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / elapsed, requests: times.length, failures, failure, p50: at(0.5), p99: at(0.99) }
}

function runConnection(
  { host, port, request, isOver, sequenceLength = 1, pauseMs = 0 }: LoadOptions & { isOver: () => boolean },
  connection: number,
  answered: (milliseconds: number, answer: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    let count = 0
    let sent = 0
    let pending = ''
    const next = () => {
      if (count >= sequenceLength && count % sequenceLength === 0 && isOver()) {
        socket.end()
        resolve()
        return
      }
      count++
      sent = performance.now()
      socket.write(request(connection))
    }
    socket.setEncoding('latin1')
    socket.on('connect', next)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection in use')))
    socket.on('data', (chunk) => {
      pending += chunk
      const size = answerSize(pending)
      if (size === null || pending.length < size) return
      answered(performance.now() - sent, pending.slice(0, size))
      pending = pending.slice(size)
      if (pauseMs > 0) setTimeout(next, pauseMs)
      else next()
    })
  })
}

/** Bytes of the first answer; null while its header is incomplete. */
function answerSize(text: string): number | null {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return null
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]
  return head + 4 + Number(length ?? 0)
}

export function httpRequest(path: string, headers: Record<string, string>, method = 'GET', body = ''): Buffer {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`)
}
