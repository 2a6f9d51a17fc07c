// A way to a server that can freeze: what is sent waits, new connections are taken and never answered. This is how a
// machine that hangs or a broken network looks; a killed server looks quite different, as its connections end.

import { connect, createServer, type Socket } from 'node:net'

export type FreezableWay = { port: number; freeze(): void; thaw(): void; close(): Promise<void> }

export async function freezableWay(target: number): Promise<FreezableWay> {
  const sockets = new Set<Socket>()
  let frozen = false

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (frozen) socket.pause()
  }

  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    near.pipe(far)
    far.pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
    keep(near)
    keep(far)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    freeze() {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
