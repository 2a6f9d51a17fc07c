// Collects the garbage of another Node process, so that its memory is what it uses.

import { inspected } from './inspector.ts'

type RemoteCollector = { readonly settings: Record<string, string>; collect(pid: number): Promise<void> }

/** `settings` are for the environment of the process. */
export async function remoteCollector(): Promise<RemoteCollector> {
  const { settings, open } = await inspected()
  return {
    settings,
    async collect(pid) {
      const inspector = await open(pid)
      await inspector.send('HeapProfiler.collectGarbage')
      inspector.close()
    },
  }
}
