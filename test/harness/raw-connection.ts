// A connection on which a test sends every byte itself. It stays open until the service closes it, as an attacker's would.

import { once } from 'node:events'
import { connect } from 'node:net'
import { KEY, SECRET } from './service.ts'

export const credentials = (key = KEY, secret = SECRET) => `Host: x\r\nwho-apiKey: ${key}\r\nwho-secret: ${secret}\r\n`

export type Connection = Awaited<ReturnType<typeof openConnection>>

export async function openConnection(url: string) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  const isClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const ended = new Promise<void>((resolve) => socket.once('end', () => resolve()))
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    received += text
  })
  socket.on('error', () => {})
  // Only a write shows that the other side has destroyed the connection.
  const probe = setInterval(() => socket.readableEnded && socket.write('x'), 20)
  void isClosed.then(() => clearInterval(probe))
  await once(socket, 'connect')
  return {
    send: (bytes: string) => void socket.write(bytes, 'latin1'),
    received: () => received,
    /** Waits until the received text matches. */
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(received)) {
        if (socket.destroyed) throw new Error(`closed after: ${received}`)
        await Promise.race([once(socket, 'data'), isClosed])
      }
      return received
    },
    /** Waits until the service has ended its side. */
    async ended(): Promise<string> {
      await Promise.race([ended, isClosed])
      return received
    },
    /** Waits until the service has closed the connection, not only its side. */
    async closed(): Promise<string> {
      await isClosed
      return received
    },
    /** Reads nothing more. */
    pause: () => void socket.pause(),
    /** Ends the client's side. */
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  }
}
