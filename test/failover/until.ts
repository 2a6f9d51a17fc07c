import { sleep } from '../torture/processes.ts'

/** Throws after `seconds` with the last error. */
export async function until(what: string, condition: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let last = 'not so'; ; ) {
    try {
      if (await condition()) return
    } catch (error) {
      last = (error as Error).message
    }
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s (${last})`)
    await sleep(100)
  }
}
