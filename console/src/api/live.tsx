// What the server reports to an open console: how much waits, and who looks at what. Only while the page is visible: a browser
// has few connections to one server, and a hidden tab shows nothing to anybody.

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { LiveCounts, Viewer } from '../../../src/operator/api-types.ts'
import { checkConnection } from '../../../web/connection.ts'
import { usePermission, useSession } from '../sign-in/session.tsx'
import type { LiveApi } from './api.ts'
import { readEvents } from './event-stream.ts'
import type { BodyOf } from './operations.ts'

const RECONNECT_MS = 2_000
const PRESENCE_EVERY_MS = 15_000

/** undefined until the server has sent them. */
type Live = { counts?: LiveCounts; viewers?: Viewer[] }

const LiveContext = createContext<Live>({})

export function useCounts(): LiveCounts | undefined {
  return useContext(LiveContext).counts
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const { liveApi } = useSession()
  const offered = usePermission()('openConsoleStream')
  const visible = useVisible()
  const [live, setLive] = useState<Live>({})

  useEffect(() => {
    if (!offered || !visible) return
    const closing = new AbortController()
    void keepReading(liveApi, closing.signal, (type, data) => setLive((before) => ({ ...before, [type]: data })))
    return () => closing.abort()
  }, [liveApi, offered, visible])

  return <LiveContext value={live}>{children}</LiveContext>
}

async function keepReading(
  { openStream }: LiveApi,
  signal: AbortSignal,
  onEvent: (type: string, data: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    const response = await openStream(signal).catch(() => null)
    if (response === null && !signal.aborted) void checkConnection()
    // Refused: the session is over, and the next call of the console shows it.
    if (response !== null && response.status < 500 && !response.ok) return
    if (response?.ok) await readEvents(response, onEvent).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
  }
}

const isVisible = () => document.visibilityState === 'visible'

export function useVisible(): boolean {
  const [visible, setVisible] = useState(isVisible)
  useEffect(() => {
    const update = () => setVisible(isVisible())
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return visible
}

// ---- Who else looks at the open item

export type Item = NonNullable<BodyOf<'setPresence'>['item']>

/** One for each load of the page: a tab shows one item. */
const TAB = Array.from(crypto.getRandomValues(new Uint32Array(3))).join('-')

/** Reports that this tab shows the item, and returns who else looks at it. */
export function useViewers({ kind, id }: Item): string[] {
  const { liveApi, me } = useSession()
  const offered = usePermission()('setPresence')
  const visible = useVisible()
  const { viewers = [] } = useContext(LiveContext)

  useEffect(() => {
    if (!offered || !visible) return
    const report = () => liveApi.reportPresence({ tab: TAB, item: { kind, id } })
    report()
    const timer = setInterval(report, PRESENCE_EVERY_MS)
    return () => {
      clearInterval(timer)
      liveApi.reportPresence({ tab: TAB, item: null })
    }
  }, [liveApi, offered, visible, kind, id])

  const others = viewers.filter((one) => one.kind === kind && one.id === id && one.operator !== me.name)
  return others.map(({ operator }) => operator)
}
