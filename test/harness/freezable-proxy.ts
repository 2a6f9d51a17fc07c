// A TCP proxy that can freeze: data is held back, new connections are accepted and never answered, as with a machine that
// hangs or a broken network. A killed server is different: its connections end.

import { connect, createServer, type Socket } from 'node:net'

export type FreezableProxy = {
  port: number
  freeze(): void
  freezeAfterAnswer(): void
  thaw(): void
  cut(): void
  close(): Promise<void>
}

export async function freezableProxy(target: number): Promise<FreezableProxy> {
  const sockets = new Set<Socket>()
  let frozen = false
  let freezesNext = false

  function register(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (frozen) socket.pause()
  }

  function freeze(): void {
    frozen = true
    for (const socket of sockets) socket.pause()
  }

  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    near.pipe(far)
    far.pipe(near)
    far.on('data', () => {
      if (freezesNext) freeze()
    })
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
    register(near)
    register(far)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    freeze,
    /** From the next answer on, which still arrives. */
    freezeAfterAnswer() {
      freezesNext = true
    },
    thaw() {
      freezesNext = false
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    /** Ends all connections; new ones work. */
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
