import { setTimeout } from 'node:timers/promises'

/** The service captures once a second what it has authorised since. */
const MAX_WAIT_MS = 30_000
const POLL_MS = 100

/** Runs a round of deposits and waits until all of them are captured. */
export async function capturesFinished<R extends { requests: number }>(
  operatorPort: number,
  round: () => Promise<R>,
): Promise<R> {
  const before = await captured(operatorPort)
  const result = await round()
  const end = performance.now() + MAX_WAIT_MS
  while ((await captured(operatorPort)) < before + result.requests) {
    if (performance.now() > end) throw new Error(`deposits were not captured within ${MAX_WAIT_MS / 1000} s`)
    await setTimeout(POLL_MS)
  }
  // A capture is counted when the gateway has answered, before it is stored.
  await setTimeout(POLL_MS)
  return result
}

async function captured(operatorPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).text()
  return Number(/^paddock_deposit_jobs_total\{kind="capture",outcome="captured"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
}
