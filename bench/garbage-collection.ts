// Collects the garbage of another Node process, so that its memory is what it uses. SIGUSR1 opens the inspector, which
// has a command for it.

import { freePort } from '../test/harness/free-port.ts'

type RemoteCollector = { readonly settings: Record<string, string>; collect(pid: number): Promise<void> }

/** `settings` are for the environment of the process. */
export async function remoteCollector(): Promise<RemoteCollector> {
  const port = await freePort()
  return {
    settings: { NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` },
    async collect(pid) {
      process.kill(pid, 'SIGUSR1')
      const inspector = new WebSocket(await inspectorAddress(port))
      try {
        await eventOf(inspector, 'open')
        const answer = eventOf(inspector, 'message')
        inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
        await answer
      } finally {
        inspector.close()
      }
    },
  }
}

const TIMEOUT_MS = 10_000

async function inspectorAddress(port: number): Promise<string> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    try {
      const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
        webSocketDebuggerUrl: string
      }[]
      if (target !== undefined) return target.webSocketDebuggerUrl
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function eventOf(socket: WebSocket, event: 'open' | 'message'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(event, () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')), { once: true })
  })
}
