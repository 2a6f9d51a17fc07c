// The inspector of another Node process, which SIGUSR1 opens: it collects garbage, and counts calls and bytes.

import { freePort } from '../test/harness/free-port.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Json = any

export type Inspector = { send(method: string, params?: object): Promise<Json>; close(): void }

/** `settings` are for the environment of the process. */
export async function inspected() {
  const port = await freePort()
  return {
    settings: { NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}` },
    async open(pid: number): Promise<Inspector> {
      process.kill(pid, 'SIGUSR1')
      const socket = new WebSocket(await addressOf(port))
      await eventOf(socket, 'open')
      let calls = 0
      return {
        async send(method, params = {}) {
          const id = ++calls
          socket.send(JSON.stringify({ id, method, params }))
          for (;;) {
            const answer = JSON.parse((await eventOf(socket, 'message')).data)
            if (answer.id !== id) continue
            if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
            return answer.result
          }
        },
        close: () => socket.close(),
      }
    },
  }
}

const TIMEOUT_MS = 10_000

async function addressOf(port: number): Promise<string> {
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

function eventOf(socket: WebSocket, event: 'open' | 'message'): Promise<MessageEvent> {
  const listening = new AbortController()
  const { signal } = listening
  return new Promise<MessageEvent>((resolve, reject) => {
    socket.addEventListener(event, (happened) => resolve(happened as MessageEvent), { signal })
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')), { signal })
  }).finally(() => listening.abort())
}
