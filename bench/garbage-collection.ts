// Has the garbage collector of another process do its work now, so that its memory is what it holds and not what it has
// not thrown away yet. By Node's inspector, which SIGUSR1 opens.

import { createServer } from 'node:net'

export type Collector = { readonly settings: Record<string, string>; collect(pid: number): Promise<void> }

/** Start the process with these settings. */
export async function newCollector(): Promise<Collector> {
  const port = await freePort()
  return {
    settings: { NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` },
    async collect(pid) {
      process.kill(pid, 'SIGUSR1')
      const inspector = new WebSocket(await inspectorAddress(port))
      try {
        await happens(inspector, 'open')
        const answered = happens(inspector, 'message')
        inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
        await answered
      } finally {
        inspector.close()
      }
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

const PATIENCE_MS = 10_000

async function inspectorAddress(port: number): Promise<string> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
        webSocketDebuggerUrl: string
      }[]
      if (target !== undefined) return target.webSocketDebuggerUrl
    } catch (error) {
      if (performance.now() > until) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function happens(socket: WebSocket, event: 'open' | 'message'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(event, () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')), { once: true })
  })
}
