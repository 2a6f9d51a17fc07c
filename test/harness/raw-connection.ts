// A connection of which a test writes every byte. It stays open until the service closes it, as that of an attacker would.

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
  // Writing into a connection that was destroyed makes it known to us.
  const probe = setInterval(() => socket.readableEnded && socket.write('x'), 20)
  void isClosed.then(() => clearInterval(probe))
  await once(socket, 'connect')
  return {
    send: (bytes: string) => void socket.write(bytes, 'latin1'),
    received: () => received,
    /** Waits until what was received fits. */
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(received)) {
        if (socket.destroyed) throw new Error(`closed after: ${received}`)
        await Promise.race([once(socket, 'data'), isClosed])
      }
      return received
    },
    /** Waits until the service has said its last word. */
    async ended(): Promise<string> {
      await Promise.race([ended, isClosed])
      return received
    },
    /** Waits until the service has let go of it, and not only said its last word. */
    async closed(): Promise<string> {
      await isClosed
      return received
    },
    /** The client says its last word. */
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  }
}
